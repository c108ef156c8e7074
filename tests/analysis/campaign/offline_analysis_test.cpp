#include "analysis/campaign/offline_analysis.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "analysis/campaign/campaign_report.hpp"
#include "analysis/campaign/continuation.hpp"
#include "analysis/campaign/memory_need.hpp"
#include "analysis/campaign/referee_section.hpp"
#include "analysis/report/document.hpp"
#include "analysis/report/html_page.hpp"
#include "analysis/report/series_look.hpp"
#include "analysis/statistics/estimator_curves.hpp"
#include "tests/analysis/synthetic_campaign.hpp"
#include "tests/refusals.hpp"

namespace glassworks { namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

/// A campaign in a directory that is removed at the end.
class SyntheticDirectory {
 public:
  explicit SyntheticDirectory(const testing::SyntheticModel& model) {
    std::string pattern = (fs::temp_directory_path() / "glassworks_offline_XXXXXX").string();
    path_ = mkdtemp(pattern.data());
    testing::write_synthetic_campaign(file(), model);
  }
  SyntheticDirectory(const SyntheticDirectory&) = delete;
  SyntheticDirectory& operator=(const SyntheticDirectory&) = delete;
  ~SyntheticDirectory() { fs::remove_all(path_); }

  [[nodiscard]] fs::path file() const { return path_ / database_file_name; }
  [[nodiscard]] Database open() const { return Database::open(file(), DatabaseAccess::read_only); }

 private:
  fs::path path_;
};

testing::SyntheticModel model_of(std::vector<int> L, int slots, int realizations) {
  testing::SyntheticModel model;
  model.L = std::move(L);
  model.realizations = realizations;
  for (int slot = 0; slot < slots; ++slot) {
    model.temperatures.push_back(0.12 * std::pow(5.0, static_cast<double>(slot) / (slots - 1)));
  }
  return model;
}

/// Two comparisons at 4 standard errors: false alarm 1.3e-4.
TEST(StatisticsOfflineAnalysis, FindsTheCriticalParametersThatACampaignWasDrawnFrom) {
  testing::SyntheticModel model = model_of({4, 6, 8}, 24, 150);
  const SyntheticDirectory campaign(model);
  const OfflineAnalysis analysis = analyze_offline(campaign.open());
  ASSERT_EQ(analysis.sizes.size(), 3U);
  for (const SizeAnalysis& size : analysis.sizes) {
    EXPECT_EQ(size.continuation, Continuation::reweighted) << size.continuation_remark;
    EXPECT_EQ(size.at_slots.front().realizations, 150);
  }
  const ObservableScaling& xi = analysis.scaling.observables.front();
  ASSERT_EQ(xi.observable, "xi_over_L");
  ASSERT_NE(xi.fit(), nullptr);
  const SampledNumber *T_c = xi.fit()->find("T_c"), *inverse_nu = xi.fit()->find("1/nu");
  ASSERT_NE(T_c, nullptr);
  ASSERT_NE(inverse_nu, nullptr);
  EXPECT_LT(std::abs(T_c->value - model.T_c), 4.0 * T_c->error());
  EXPECT_LT(std::abs(inverse_nu->value - 1.0 / model.nu), 4.0 * inverse_nu->error());
  EXPECT_LT(T_c->error(), 0.02);
  EXPECT_LT(inverse_nu->error(), 0.1);
}

/// Between the slots the exact curve is known. 15 correlated comparisons at 4.5 standard errors: false alarm 1e-4.
TEST(OfflineAnalysis, CurvesBetweenTheSlotsFollowTheExactOnes) {
  testing::SyntheticModel model = model_of({4, 8}, 24, 100);
  const SyntheticDirectory campaign(model);
  OfflineOptions options;
  options.grid = 60;
  const OfflineAnalysis analysis = analyze_offline(campaign.open(), options);
  for (const SizeAnalysis& size : analysis.sizes) {
    const Curve* xi = find_curve(size.between, "xi_over_L");
    const Curve* energy = find_curve(size.between, "energy");
    ASSERT_NE(xi, nullptr);
    ASSERT_NE(energy, nullptr);
    ASSERT_EQ(xi->temperatures.size(), 60U);
    for (std::size_t t = 0; t < 60; t += 4) {
      const double T = xi->temperatures[t];
      EXPECT_LT(std::abs(xi->value[t] - model.xi_over_L(size.L, T)), 4.5 * xi->error(t)) << size.L << ' ' << T;
      EXPECT_LT(std::abs(energy->value[t] - (testing::SyntheticModel::e_0 + testing::SyntheticModel::c * T)),
                4.5 * energy->error(t))
          << size.L << ' ' << T;
    }
  }
}

TEST(OfflineAnalysis, ReweightedCurvesPassThroughTheAveragesAtTheSlots) {
  const SyntheticDirectory campaign(model_of({4}, 12, 40));
  OfflineOptions options;
  options.grid = 2;  // both ends of the ladder
  const OfflineAnalysis analysis = analyze_offline(campaign.open(), options);
  const SizeAnalysis& size = analysis.sizes.front();
  ASSERT_EQ(size.continuation, Continuation::reweighted);
  for (const char* name : {"energy", "xi_over_L", "chi_sg", "chi_sg_kmin", "specific_heat", "xi_chiral_over_L"}) {
    const Curve *slots = find_curve(size.at_slots, name), *between = find_curve(size.between, name);
    ASSERT_NE(between, nullptr) << name;
    for (const auto& [at_end, at_slot] : {std::pair<std::size_t, std::size_t>{0, 0}, {1, 11}}) {
      EXPECT_NEAR(between->value[at_end], slots->value[at_slot], 1e-6 * std::abs(slots->value[at_slot])) << name;
      EXPECT_NEAR(between->error(at_end), slots->error(at_slot), 1e-4 * slots->error(at_slot)) << name;
    }
  }
}

TEST(OfflineAnalysis, WithoutSamplesCurvesAreInterpolatedAndItIsSaid) {
  testing::SyntheticModel model = model_of({4}, 12, 20);
  model.samples = 0;
  const SyntheticDirectory campaign(model);
  const OfflineAnalysis analysis = analyze_offline(campaign.open());
  EXPECT_EQ(analysis.sizes.front().continuation, Continuation::interpolated);
  EXPECT_THAT(analysis.sizes.front().continuation_remark, HasSubstr("hold no samples"));
  EXPECT_FALSE(analysis.sizes.front().between.empty());
}

TEST(OfflineAnalysis, NeighboursThatDoNotOverlapAreInterpolatedAndItIsSaid) {
  const SyntheticDirectory campaign(model_of({8}, 4, 10));
  const OfflineAnalysis analysis = analyze_offline(campaign.open());
  EXPECT_EQ(analysis.sizes.front().continuation, Continuation::interpolated);
  EXPECT_THAT(analysis.sizes.front().continuation_remark, HasSubstr("hardly overlap"));
}

TEST(OfflineAnalysis, ThreadsDoNotChangeAnyNumber) {
  const SyntheticDirectory campaign(model_of({4, 6}, 12, 30));
  OfflineOptions one, four;
  one.threads = 1;
  four.threads = 4;
  const Document a = make_document(analyze_offline(campaign.open(), one), {});
  const Document b = make_document(analyze_offline(campaign.open(), four), {});
  ASSERT_EQ(a.sections.size(), b.sections.size());
  EXPECT_EQ(a.verdict, b.verdict);
  for (std::size_t s = 0; s < a.sections.size(); ++s) {
    ASSERT_EQ(a.sections[s].items.size(), b.sections[s].items.size());
    EXPECT_EQ(a.sections[s].paragraphs, b.sections[s].paragraphs);
    for (std::size_t i = 0; i < a.sections[s].items.size(); ++i) {
      const auto *table = std::get_if<Table>(&a.sections[s].items[i]),
                 *other = std::get_if<Table>(&b.sections[s].items[i]);
      if (table == nullptr) continue;
      EXPECT_EQ(table->rows, other->rows) << table->id;
    }
  }
}

// The nine questions of a referee, answered from what is there.
TEST(OfflineAnalysis, AnswersTheQuestionsOfAReferee) {
  const SyntheticDirectory campaign(model_of({4, 6}, 3, 12));
  OfflineOptions options;
  options.grid = 0;
  const OfflineAnalysis analysis = analyze_offline(campaign.open(), options);
  RefereeFacts facts;
  facts.stopping_bias = "known";
  const Section section = referee_section(analysis, facts);
  const auto& rows = std::get<Table>(section.items.at(0)).rows;
  ASSERT_EQ(rows.size(), 10U);
  EXPECT_THAT(rows[1][1], HasSubstr("and of the chirality |q_{c}|^{2}. L = 4: equilibrated; L = 6: equilibrated."));
  // 8 rounds of 8 measurements, tau = 2.
  EXPECT_THAT(rows[2][1], HasSubstr("shortest and median: L = 4: 32 and 32; L = 6: 32 and 32"));
  EXPECT_EQ(rows[3][1], "known");
  EXPECT_THAT(rows[6][1], HasSubstr("L = 4: 48;"));  // one of each of 2 * 3 replicas in each of 8 rounds
  EXPECT_EQ(rows[7][1], "Every realization used has converged.");
  EXPECT_THAT(rows[9][1], HasSubstr("ξ_{L}/L: no T_{c} is quoted"));
}

TEST(OfflineAnalysis, MemoryIsEstimatedBefore) {
  const SyntheticDirectory campaign(model_of({4, 6}, 12, 30));
  OfflineOptions options;
  const Database database = campaign.open();
  const double usual = memory_need(database, options);
  EXPECT_NO_THROW(check_memory(database, options, 3.0 * usual));
  EXPECT_THROW(check_memory(database, options, usual), InputError);
  options.grid = 4000;
  EXPECT_GT(memory_need(database, options), 5.0 * usual);
  EXPECT_LT(memory_need(database, options), 10.0 * usual) << "linear in temperatures";
}

/// More than 32 realizations: control variates may be applied, to every size.
TEST(OfflineAnalysis, ADocumentOfManyRealizationsCanBeWritten) {
  const SyntheticDirectory campaign(model_of({4, 6}, 12, 40));
  OfflineAnalysis analysis = analyze_offline(campaign.open());
  for (SizeAnalysis& size : analysis.sizes) size.controlled = size.at_slots;
  EXPECT_NO_THROW(check_document(make_document(analysis, {})));
}

const Figure* find_figure(const Section& section, const std::string& id) {
  for (const Item& item : section.items) {
    const auto* figure = std::get_if<Figure>(&item);
    if (figure != nullptr && figure->id == id) return figure;
  }
  return nullptr;
}

TEST(OfflineAnalysis, MainFiguresAndCriticalParametersComeFirstAndTheRestIsFolded) {
  const SyntheticDirectory campaign(model_of({4, 6, 8}, 24, 100));
  const Document document = campaign_report("synthetic", campaign.open(), {});
  ASSERT_GE(document.sections.size(), 8U);
  EXPECT_EQ(document.sections[0].id, "figures");
  EXPECT_EQ(document.sections[1].id, "critical");
  for (std::size_t s = 0; s < document.sections.size(); ++s) EXPECT_EQ(document.sections[s].folded, s > 1) << s;
  const Figure* ratio = find_figure(document.sections[0], "xi_over_L");
  ASSERT_NE(ratio, nullptr);
  EXPECT_TRUE(ratio->guides.empty()) << "three sizes give no T_c";
  EXPECT_EQ(find_figure(document.sections[0], "scaling_xi_over_L_collapse"), nullptr) << "no result";
  EXPECT_NE(find_figure(document.sections[3], "scaling_xi_over_L_collapse"), nullptr);
  ASSERT_TRUE(ratio->inset.has_value());
  EXPECT_LT(ratio->inset->x_low, 0.25);
  EXPECT_GT(ratio->inset->x_high, 0.25) << "T_c";
  const Series& crossings = ratio->series.back();
  EXPECT_EQ(crossings.name, crossings_name);
  EXPECT_EQ(crossings.x.size(), crossings.x_error.size());
  EXPECT_EQ(find_figure(document.sections[2], "xi_over_L"), nullptr) << "twice";
  EXPECT_NE(find_figure(document.sections[2], "specific_heat"), nullptr);
  for (const Section& section : document.sections) {
    EXPECT_EQ(find_figure(section, "scaling_xi_over_L_curves"), nullptr) << "the curves of the first figure again";
  }
  const auto& table = std::get<Table>(document.sections[1].items.at(0));
  EXPECT_EQ(table.rows.at(1).at(0), "ξ_{L}/L");
  EXPECT_EQ(table.id, "headline_crossings");
  EXPECT_EQ(table.rows.at(1).at(1), "4");
  EXPECT_EQ(table.rows.at(1).at(3).substr(0, 3), "0.2") << "T_c = 0.25";
  EXPECT_THAT(document.verdict, ::testing::Contains(HasSubstr("there are 3 sizes (L = 4, 6, 8) and 4 are needed")));
  EXPECT_EQ(document.verdict_table.rows.size(), 4U);
  EXPECT_THAT(document.headline,
              ::testing::StartsWith("Heisenberg model in 3D, L = 4, 6, 8, periodic; Gaussian couplings"));
}

/// Poor campaigns: a report all the same, with sentences in place of numbers that cannot be had.
class PoorCampaign : public ::testing::TestWithParam<std::tuple<int, int>> {};

TEST_P(PoorCampaign, HasAReport) {
  const auto [slots, realizations] = GetParam();
  testing::SyntheticModel model;
  model.L = {4, 6};
  model.realizations = realizations;
  model.rounds = 2;
  for (int slot = 0; slot < slots; ++slot) model.temperatures.push_back(0.2 + 0.02 * slot);
  const SyntheticDirectory campaign(model);
  const Document document = campaign_report("poor", campaign.open(), {});
  EXPECT_THAT(document.verdict_table.rows.at(1).back(), HasSubstr("undecided"));
  EXPECT_GE(document.sections.size(), 8U);
  EXPECT_NO_THROW((void)html_page(document));
  EXPECT_NO_THROW((void)html_brief_page(document));
}

INSTANTIATE_TEST_SUITE_P(All, PoorCampaign,
                         ::testing::Values(std::tuple(1, 1), std::tuple(1, 5), std::tuple(2, 1), std::tuple(3, 2)));

TEST(OfflineAnalysis, ACampaignWithoutARoundIsOneSentence) {
  testing::SyntheticModel model = model_of({4}, 3, 2);
  model.rounds = 0;
  const SyntheticDirectory campaign(model);
  EXPECT_THAT([&] { (void)analyze_offline(campaign.open()); }, Fails());
}

TEST(CommonGrid, CoversWhatAllLaddersHaveInCommon) {
  std::vector<SizeRow> sizes(2);
  sizes[0].temperatures = {0.1, 0.3, 0.8};
  sizes[1].temperatures = {0.2, 0.9};
  const std::vector<double> grid = common_grid(sizes, 5);
  ASSERT_EQ(grid.size(), 5U);
  EXPECT_EQ(grid.front(), 0.2);
  EXPECT_EQ(grid.back(), 0.8);
  EXPECT_NEAR(grid[1] / grid[0], grid[3] / grid[2], 1e-12);
  sizes[1].temperatures = {0.9, 1.2};
  EXPECT_TRUE(common_grid(sizes, 5).empty());
  EXPECT_TRUE(common_grid({sizes[0]}, 0).empty());
}

}}  // namespace glassworks
