#include "analysis/averages/report_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "tests/analysis/fake_campaign.hpp"

namespace glassworks { namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
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

TEST(ReportText, SaysWhatAveragesLeaveOutWhereItIsGiven) {
  AnalysisResult result = result_of({testing::fake_size(4, {0.2, 0.3}, 9)});
  EXPECT_EQ(left_out_sentence(result.config), "");
  result.config.convergence.left_out = 0.8;
  EXPECT_THAT(report_text(result),
              HasSubstr("the first 80 % of the rounds of each history (convergence.left_out = 0.8)"));
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
  EXPECT_THAT(report_text(result), HasSubstr("In a field chi_SG is not connected"));
  EXPECT_THAT(report_text(result), Not(HasSubstr("xi_L/L"))) << "nor is a length of the whole overlap";
  EXPECT_EQ(xi_table(result), "") << "the connected one needs four copies";
}

// Where correlations are noise, chi(0) > chi(k_min) in some samples of the jackknife, which leaves no error.
TEST(ReportText, LeavesColumnsOutThatHaveNoErrorAnywhere) {
  AnalysisResult result = result_of({testing::fake_size(4, {0.2, 0.3}, 9)});
  SizeResult& size = result.sizes[0];
  const auto found = std::ranges::find(size.observables, "xi_chiral_over_L", &ObservableResult::name);
  ASSERT_NE(found, size.observables.end());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  found->at_slot[0] = {0.0039, nan, 9};
  found->at_slot[1] = {0.125, 0.002, 9};
  EXPECT_THAT(size_text(result, size), AllOf(HasSubstr("xi_c/L"), HasSubstr("0.0039")));
  found->at_slot[1] = {nan, nan, 9};
  EXPECT_THAT(size_text(result, size), Not(AnyOf(HasSubstr("xi_c/L"), HasSubstr("0.0039"))));
}

TEST(ReportText, ShowsOfAGlassNoLengthOfTheMagnetization) {
  AnalysisResult result = result_of({});
  Config& config = result.config;
  config.model.spins.kind = ModelKind::ising;
  config.model.couplings = CouplingKind::ferromagnet;
  EXPECT_THAT(report_text(result), AllOf(HasSubstr("Binder of m"), HasSubstr("xi_m from the magnetization")));
  config.protocol.kind = ProtocolKind::swendsen_wang;
  EXPECT_THAT(report_text(result), HasSubstr("; chi (clusters) = N [m^2] by its improved estimator; chi_SG = N [q^2]"));
  config.model.couplings = CouplingKind::bimodal;
  const std::string glass = report_text(result);
  EXPECT_THAT(glass, Not(AnyOf(HasSubstr("Binder of m"), HasSubstr("xi_m"), HasSubstr("chi (clusters)"))));
  EXPECT_THAT(glass, HasSubstr("C = beta^2 N ([<e^2>] - [<e>_a <e>_b]);\nchi_SG = N [q^2], xi_L and Binder of q"));
  config.replicas.copies = 1;
  EXPECT_EQ(xi_table(result), "");
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

}}  // namespace glassworks
