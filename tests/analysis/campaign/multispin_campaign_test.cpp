#include "tests/analysis/multispin_campaign.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "analysis/averages/csv.hpp"
#include "analysis/averages/report_text.hpp"
#include "analysis/campaign/campaign_report.hpp"
#include "analysis/export/snapshot.hpp"
#include "analysis/statistics/estimator_curves.hpp"

/// Errors of campaigns with multi-spin coding, from the database to what people read.
namespace glassworks { namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using testing::MultispinCampaign;
using ::testing::Not;
using testing::rho_of_ratio;

constexpr int realizations = 128 * 12 - 28;
constexpr const char* correlated = "The 128 realizations that share random numbers (multi-spin coding) are correlated";

/// Realizations of a group are correlated: the variance of a mean is four times that of independent ones.
const MultispinCampaign& correlated_campaign() {
  static const MultispinCampaign campaign(realizations, rho_of_ratio(4.0, 128));
  return campaign;
}

double error_over_groups(const Ensemble& ensemble, const std::string& column, std::size_t t) {
  const auto place = std::find(ensemble.columns.begin(), ensemble.columns.end(), column) - ensemble.columns.begin();
  std::vector<double> x;
  for (std::size_t r = 0; r < ensemble.realizations.size(); ++r) {
    x.push_back(ensemble.at(r, t)[static_cast<std::size_t>(place)]);
  }
  return mean_over_groups(x, group_limits(ensemble.realizations, 128)).error;
}

TEST(StatisticsMultispinCampaign, ErrorsAreOverGroupsWhereTheseAreCorrelated) {
  const CampaignEnsembles campaign = read_ensembles(correlated_campaign().database());
  const AnalysisResult result = analyze(campaign);
  const SizeResult& size = result.sizes.at(0);
  EXPECT_EQ(size.groups.state, GroupState::correlated);
  EXPECT_EQ(size.groups.groups, 12);
  EXPECT_LE(size.groups.p_value, size.groups.level);
  for (const char* name : {"energy", "magnetization_abs", "link_overlap"}) {
    const ObservableResult& o = *size.find(name);
    for (std::size_t t = 0; t < 2; ++t) {
      EXPECT_NEAR(o.at_slot[t].error, error_over_groups(campaign.sizes[0].ensemble, name, t), 1e-12) << name;
      EXPECT_EQ(o.at_slot[t].error, o.over_groups[t]);
      EXPECT_EQ(o.at_slot[t].independent(), 12);
    }
  }
  // 14 ratios of mean 4, ten of them independent, with 11 degrees of freedom: the standard deviation of their mean is
  // 0.54, and it is below 2 with probability 1e-4.
  double ratio = 0.0;
  for (const char* name :
       {"energy", "magnetization_abs", "chi_sg", "xi_over_L", "overlap_binder", "link_overlap", "chi_m"}) {
    const ObservableResult* o = size.find(name);
    ASSERT_NE(o, nullptr) << name;
    for (std::size_t t = 0; t < 2; ++t) ratio += std::pow(o->over_groups[t] / o->over_realizations[t], 2) / 14.0;
  }
  EXPECT_GT(ratio, 2.0);
}

TEST(MultispinCampaign, BothErrorsAreShown) {
  const AnalysisResult result = analyze(correlated_campaign().database());
  const std::string text = size_text(result, result.sizes.at(0));
  const ObservableResult& energy = *result.sizes[0].find("energy");
  EXPECT_THAT(text, HasSubstr(correlated));
  EXPECT_THAT(text, HasSubstr("errors are those over 12 groups, not over realizations"));
  EXPECT_THAT(text, HasSubstr("Standard errors over realizations / over groups:\n"));
  EXPECT_THAT(text, HasSubstr(fmt::format("{:.2g} / {:.2g}", energy.over_realizations[0], energy.over_groups[0])));

  const std::string csv = csv_text(result);
  EXPECT_TRUE(
      csv.starts_with("L,T,observable,mean,error,realizations,error_over,error_over_realizations,error_over_groups\n"));
  EXPECT_THAT(csv, HasSubstr(fmt::format("4,1,energy,{},{},{},groups of 128 realizations,{},{}\n",
                                         energy.at_slot[0].mean, energy.over_groups[0], realizations,
                                         energy.over_realizations[0], energy.over_groups[0])));
}

TEST(MultispinCampaign, TheReportHasErrorsOverGroupsInAllThatIsResampled) {
  for (const ResamplingKind kind : {ResamplingKind::jackknife, ResamplingKind::bootstrap}) {
    OfflineOptions options;
    options.resampling.kind = kind;
    const OfflineAnalysis analysis = analyze_offline(correlated_campaign().database(), options);
    const SizeAnalysis& size = analysis.sizes.at(0);
    EXPECT_EQ(size.groups.state, GroupState::correlated);
    for (const Curve& curve : size.at_slots) EXPECT_EQ(curve.groups, 12) << curve.observable;
    for (const Curve& curve : size.between) EXPECT_EQ(curve.groups, 12) << curve.observable;
    const Document document = make_document(analysis, {});
    EXPECT_THAT(document.verdict, Contains(HasSubstr("Realizations of L = 4 that share random numbers")));
    const Section& observables = document.sections.at(2);  // after the main figures and the critical parameters
    EXPECT_THAT(observables.paragraphs, Contains(HasSubstr(fmt::format("L = 4: {}", correlated))));
    EXPECT_THAT(observables.items, Contains(::testing::Truly([](const Item& item) {
                  const Table* table = std::get_if<Table>(&item);
                  return table != nullptr && table->id == "errors_L4" && table->rows.at(1).at(1).find(" / ") > 0;
                })));
  }
}

TEST(MultispinCampaign, TheExportHasErrorsOverGroups) {
  const Database& database = correlated_campaign().database();
  const CampaignSnapshot snapshot = take_snapshot(database);
  const ExportedSize size = read_size(database, snapshot.config, snapshot.sizes.at(0), [](auto&&...) {}, {});
  EXPECT_EQ(size.groups.state, GroupState::correlated);
  const Curve* energy = find_curve(size.curves, "energy");
  ASSERT_NE(energy, nullptr);
  EXPECT_NEAR(energy->error(0), error_over_groups(size.averages, "energy", 0), 1e-12);
  EXPECT_EQ(energy->error(0), size.observables.at(0).over_groups.at(0));
}

TEST(MultispinCampaign, IndependentRealizationsKeepTheirErrors) {
  const MultispinCampaign campaign(128 * 8, 0.0);
  const AnalysisResult result = analyze(campaign.database());
  const SizeResult& size = result.sizes.at(0);
  EXPECT_EQ(size.groups.state, GroupState::independent) << "p = " << size.groups.p_value;
  const ObservableResult& energy = *size.find("energy");
  EXPECT_EQ(energy.at_slot[0].error, energy.over_realizations[0]);
  EXPECT_EQ(energy.at_slot[0].independent(), 128 * 8);
  const std::string text = size_text(result, size);
  EXPECT_THAT(text, AllOf(HasSubstr("no correlation between them is seen in 8 groups"),
                          Not(HasSubstr("over realizations / over groups"))));
  EXPECT_THAT(csv_text(result), HasSubstr(fmt::format(",{},realizations,", 128 * 8)));
}

TEST(MultispinCampaign, FewGroupsCannotBeTested) {
  const MultispinCampaign campaign(128 * 7, rho_of_ratio(4.0, 128));
  const AnalysisResult result = analyze(campaign.database());
  EXPECT_EQ(result.sizes.at(0).groups.state, GroupState::few_groups);
  EXPECT_THAT(size_text(result, result.sizes[0]), HasSubstr("cannot be tested with 7 groups (at least 8 are needed)"));
  EXPECT_EQ(result.sizes[0].find("energy")->at_slot[0].groups, 0);
}

TEST(MultispinCampaign, WithoutMultispinCodingNothingIsShown) {
  const MultispinCampaign campaign(128 * 9, rho_of_ratio(4.0, 128), 1, "off");
  const AnalysisResult result = analyze(campaign.database());
  EXPECT_EQ(result.sizes.at(0).groups.state, GroupState::none);
  EXPECT_THAT(size_text(result, result.sizes[0]), Not(HasSubstr("group")));
  EXPECT_TRUE(csv_text(result).starts_with("L,T,observable,mean,error,realizations\n"));
  const Document document = make_document(analyze_offline(campaign.database(), {}), {});
  EXPECT_THAT(document.sections.at(2).paragraphs, Not(Contains(HasSubstr("multi-spin"))));
}

}}  // namespace glassworks
