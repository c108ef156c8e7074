#include "analysis/campaign/compared_campaigns.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "tests/analysis/synthetic_campaign.hpp"
#include "tests/refusals.hpp"

namespace glassworks { namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::HasSubstr;

class ComparedCampaigns : public ::testing::Test {
 protected:
  ComparedCampaigns() {
    std::string pattern = (fs::temp_directory_path() / "glassworks_compare_XXXXXX").string();
    root_ = mkdtemp(pattern.data());
  }
  ~ComparedCampaigns() override { fs::remove_all(root_); }

  /// seed: of the numbers that are drawn; text may hold campaign.seed, which is that of the disorder.
  static testing::SyntheticModel model(std::uint64_t seed, std::string text, int realizations = 40) {
    testing::SyntheticModel m;
    m.L = {4};
    m.temperatures = {0.15, 0.2, 0.3};
    m.realizations = realizations;
    m.rounds = 2;
    m.measurements = 4;
    m.samples = 0;
    m.seed = seed;
    m.text = std::move(text);
    return m;
  }

  CampaignEnsembles read(const testing::SyntheticModel& m) {
    const fs::path file = root_ / std::to_string(++count_);
    testing::write_synthetic_campaign(file, m);
    const Database database = Database::open(file, DatabaseAccess::read_only);
    return read_ensembles(database);
  }

  fs::path root_;
  int count_ = 0;
};

const ComparedCurve& curve_of(const ComparedSize& size, const std::string& name) {
  const auto found = std::ranges::find(size.curves, name, &ComparedCurve::observable);
  EXPECT_NE(found, size.curves.end()) << name;
  return *found;
}

/// Fixed seeds; by chance p < 0.01 in one campaign in 100.
TEST_F(ComparedCampaigns, IndependentOnesOfOneModelAgree) {
  const CampaignComparison result =
      compare_campaigns(read(model(1, "campaign.seed = 1")), read(model(2, "campaign.seed = 2", 60)));
  ASSERT_EQ(result.sizes.size(), 1U);
  EXPECT_EQ(result.sizes[0].paired, 0U);
  EXPECT_TRUE(result.agrees()) << comparison_text(result, false);
  const ComparedPoint& x = curve_of(result.sizes[0], "energy").points.at(1);
  EXPECT_EQ(x.T, 0.2);
  EXPECT_DOUBLE_EQ(x.difference, x.first.mean - x.second.mean);
  EXPECT_NEAR(x.error, std::hypot(x.first.error, x.second.error), 1e-12);
  EXPECT_THAT(result.remarks, Not(Contains(HasSubstr("pairs"))));
}

TEST_F(ComparedCampaigns, AnotherTransitionIsSeen) {
  testing::SyntheticModel other = model(2, "campaign.seed = 2");
  other.T_c = 0.45;
  const CampaignComparison result = compare_campaigns(read(model(1, "campaign.seed = 1")), read(other));
  EXPECT_FALSE(result.agrees());
  EXPECT_LT(result.smallest_p(), 1e-4);
  EXPECT_THAT(comparison_text(result, true), HasSubstr("Not compatible at the 1 % level"));
}

/// The factor g of a realization is the same in both, so that it cancels. Errors of pairs against the scatter of the
/// differences of single realizations.
TEST_F(ComparedCampaigns, TheSameDisorderIsComparedInPairs) {
  const CampaignEnsembles first = read(model(1, "protocol.heatbath = 1")),
                          second = read(model(2, "protocol.heatbath = 2", 50));
  const CampaignComparison result = compare_campaigns(first, second);
  EXPECT_EQ(result.sizes[0].paired, 40U);
  EXPECT_EQ(result.sizes[0].left_out, 10U);
  EXPECT_THAT(result.remarks, Contains(HasSubstr("40 realizations have the same system, seed and number in both, so "
                                                 "they are compared in pairs (10 others are left out)")));
  const Ensemble &a = first.sizes[0].ensemble, &b = second.sizes[0].ensemble;
  const auto column = static_cast<std::size_t>(std::ranges::find(a.columns, "energy") - a.columns.begin());
  std::vector<double> differences;
  for (std::size_t r = 0; r < 40; ++r) differences.push_back(a.at(r, 2)[column] - b.at(r, 2)[column]);
  const Estimate expected = mean_over_realizations(differences);
  const ComparedPoint& x = curve_of(result.sizes[0], "energy").points.at(2);
  EXPECT_NEAR(x.difference, expected.mean, 1e-12);
  EXPECT_NEAR(x.error, expected.error, 1e-12);
}

TEST_F(ComparedCampaigns, OneWithItselfHasNoDifference) {
  const CampaignEnsembles campaign = read(model(1, ""));
  const CampaignComparison result = compare_campaigns(campaign, campaign);
  EXPECT_TRUE(result.agrees());
  EXPECT_EQ(result.p_value(), 1.0);
  EXPECT_EQ(curve_of(result.sizes[0], "energy").points[0].sigma(), 0.0);
}

TEST_F(ComparedCampaigns, PublishedValuesHaveTheirOwnErrors) {
  const CampaignEnsembles campaign = read(model(1, ""));
  const CampaignComparison own = compare_campaigns(campaign, campaign, {.observables = {"energy"}});
  const ComparedPoint& x = own.sizes[0].curves.at(0).points.at(1);
  ReferencePoints points{.observable = "energy", .L = 4, .temperatures = {}, .mean = {}, .error = {}};
  points.temperatures = {0.2, 0.77};
  points.mean = {x.first.mean + 0.5, 1.0};
  points.error = {0.25, 0.1};
  const CampaignComparison result = compare_with_reference(campaign, std::vector{points});
  ASSERT_EQ(result.sizes.size(), 1U);
  const ComparedCurve& curve = result.sizes[0].curves.at(0);
  ASSERT_EQ(curve.points.size(), 1U) << "one common temperature";
  EXPECT_NEAR(curve.points[0].error, std::hypot(x.first.error, 0.25), 1e-12);
  EXPECT_NEAR(curve.test.chi2, std::pow(0.5 / curve.points[0].error, 2), 1e-9);
  EXPECT_TRUE(result.agrees()) << "two standard errors";
  EXPECT_THAT(comparison_csv(result),
              HasSubstr("L,T,observable,first,first_error,second,second_error,difference,error,sigma\n"
                        "4,0.2,energy,"));
  EXPECT_THAT(comparison_json(result), HasSubstr("\"compatible\": true"));
}

TEST_F(ComparedCampaigns, NothingInCommonIsOneSentence) {
  testing::SyntheticModel other = model(1, "");
  other.temperatures = {0.17, 0.25};
  const CampaignEnsembles a = read(model(1, "")), b = read(other);
  EXPECT_THAT([&] { static_cast<void>(compare_campaigns(a, b)); }, Refuses(InputFault::conflict, "compare"));
}

TEST_F(ComparedCampaigns, FewRealizationsReduceTheMatrix) {
  const CampaignComparison result =
      compare_campaigns(read(model(1, "campaign.seed = 1", 6)), read(model(2, "campaign.seed = 2", 6)));
  EXPECT_TRUE(result.sizes[0].all.reduced());
  EXPECT_THAT(result.remarks, Contains(HasSubstr("known from too few realizations")));
}

}}  // namespace glassworks
