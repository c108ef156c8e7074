#include "analysis/report_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/analysis/fake_campaign.hpp"

namespace glassworks {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

AnalysisResult result_of(std::vector<SizeResult> sizes) {
  AnalysisResult result;
  result.config = testing::fake_config();
  result.sizes = std::move(sizes);
  return result;
}

TEST(ReportText, ShowsSizesSideBySideWhereTheyShareTheirTemperatures) {
  const AnalysisResult result = result_of({testing::fake_size(4, {0.2, 0.3}, 9), testing::fake_size(8, {0.2, 0.3}, 9)});
  // xi_L/L = 1/(m L), m = 1 and 1.1, without any spread
  EXPECT_EQ(xi_table(result),
            "xi_L/L against T\n"
            "    T        L = 4        L = 8\n"
            "  0.2      0.25(0)     0.125(0)\n"
            "  0.3  0.227273(0)  0.113636(0)\n");
}

TEST(ReportText, ShowsSizesOneBelowTheOtherWhereTheyDoNot) {
  const AnalysisResult result = result_of({testing::fake_size(4, {0.2, 0.3}, 9), testing::fake_size(8, {0.2}, 9)});
  EXPECT_EQ(xi_table(result),
            "xi_L/L against T\n"
            "    T        L = 4\n"
            "  0.2      0.25(0)\n"
            "  0.3  0.227273(0)\n"
            "    T     L = 8\n"
            "  0.2  0.125(0)\n");
}

TEST(ReportText, HoldsAveragesBinsAndVerdictOfEverySize) {
  const std::string text = report_text(result_of({testing::fake_size(4, {0.2, 0.3}, 9)}));
  // -1.5 + 0.01 (0..8), standard error 0.01 sqrt(60/(8 9)) = 0.0091
  EXPECT_THAT(text, HasSubstr("-1.4600(91)"));
  EXPECT_THAT(text, HasSubstr("1/2 - 1/4"));
  EXPECT_THAT(text, HasSubstr("8 to 8 rounds"));
  EXPECT_THAT(text, HasSubstr("Verdict for L = 4: not equilibrated"));  // the identity has no error and is not 0
  EXPECT_THAT(text, HasSubstr("identity U_J + (z/2) beta (q_s - q_l)"));
  EXPECT_THAT(text, Not(HasSubstr("Not converged")));
  EXPECT_THAT(text, HasSubstr("Every realization with at least one round is used"));
}

TEST(ReportText, SaysWhyOneRealizationHasNoErrors) {
  const AnalysisResult result = result_of({testing::fake_size(4, {0.2, 0.3}, 1)});
  const std::string text = size_text(result, result.sizes[0]);
  EXPECT_THAT(text, HasSubstr(" -1.5\n"));
  EXPECT_THAT(text, Not(HasSubstr("(nan)")));
  EXPECT_THAT(text, HasSubstr("One realization: there are no errors"));
  EXPECT_THAT(text, HasSubstr("undecided: 1 realization cannot be judged"));
}

TEST(ReportText, ListsWhatHasNotConverged) {
  AnalysisResult result = result_of({testing::fake_size(4, {0.2, 0.3}, 9)});
  SizeResult& size = result.sizes[0];
  for (std::uint32_t r = 0; r < 25; ++r) {
    RealizationRow& row = size.unconverged.emplace_back();
    row.key = {4, r};
    row.status = RealizationStatus::failed;
    row.rounds = 64;
    row.round_trips = 17;
    row.reason = "64 rounds without convergence";
  }
  EXPECT_THAT(size_text(result, size),
              HasSubstr("Not converged, but part of the averages:\n  realization 0: 64 rounds, 17 "
                        "round trips, failed (64 rounds without convergence)\n"));
  EXPECT_THAT(size_text(result, size), HasSubstr("  and 5 more\n"));
  result.selection = Selection::converged_only;
  EXPECT_THAT(size_text(result, size), HasSubstr("Not converged, and left out of the averages:"));
  EXPECT_THAT(report_text(result), HasSubstr("leaving out the hard ones biases"));
}

TEST(ReportText, SaysWhatIsNotConnectedInAField) {
  AnalysisResult result = result_of({testing::fake_size(4, {0.2, 0.3}, 9)});
  EXPECT_THAT(report_text(result), Not(HasSubstr("In a field")));
  result.config.model.field = FieldKind::sphere;
  result.config.model.field_strength = 0.1;
  EXPECT_THAT(report_text(result), HasSubstr("fields of fixed length of strength 0.1"));
  EXPECT_THAT(report_text(result), HasSubstr("connected ones need four copies"));
}

TEST(ReportText, ShowsOneChiralLengthTheParallelOneWhereThereIsOne) {
  AnalysisResult result = result_of({testing::fake_size(4, {0.2, 0.3}, 9)});
  SizeResult& size = result.sizes[0];
  const auto mark = [&](const char* name, double mean) {
    for (ObservableResult& one : size.observables) {
      if (one.name == name) one.at_slot[0].mean = mean;
    }
  };
  const auto remove = [&](const char* name) {
    EXPECT_EQ(std::erase_if(size.observables, [&](const ObservableResult& one) { return one.name == name; }), 1U);
  };
  mark("xi_chiral_over_L", 11.25);
  mark("xi_chiral_perp_over_L", 22.75);
  EXPECT_THAT(size_text(result, size), AllOf(HasSubstr("xi_c/L"), HasSubstr("11.25"), Not(HasSubstr("22.75"))));
  remove("xi_chiral_over_L");
  EXPECT_THAT(size_text(result, size), AllOf(HasSubstr("xi_c/L"), HasSubstr("22.75")));
  remove("xi_chiral_perp_over_L");
  EXPECT_THAT(size_text(result, size), Not(HasSubstr("xi_c/L")));
}

TEST(ReportText, SurvivesASizeWithoutData) {
  SizeResult empty;
  empty.L = 8;
  empty.temperatures = {0.2, 0.3};
  empty.counts.total = empty.counts.not_started = 5;
  reduce_size(testing::fake_config(), Columns(testing::stored_names(), 3), {}, empty);
  const std::string text = report_text(result_of({testing::fake_size(4, {0.2, 0.3}, 9), empty}));
  EXPECT_THAT(text, HasSubstr("L = 8: 0 of 5 realizations used"));
  EXPECT_THAT(text, HasSubstr("Verdict for L = 8: undecided"));
}

}  // namespace
}  // namespace glassworks
