#include "analysis/basics/campaign_set.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "analysis/averages/csv.hpp"
#include "analysis/averages/report_text.hpp"
#include "analysis/campaign/campaign_report.hpp"
#include "analysis/report/figure_csv.hpp"
#include "tests/analysis/synthetic_campaign.hpp"
#include "tests/refusals.hpp"

namespace glassworks { namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class CampaignSets : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "glassworks_set_XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    root_ = pattern;
  }
  void TearDown() override { fs::remove_all(root_); }

  static testing::SyntheticModel model(int realizations, int first = 0) {
    testing::SyntheticModel m;
    m.L = {4, 6};
    m.temperatures = {0.2, 0.25, 0.3};
    m.realizations = realizations;
    m.first = first;
    m.rounds = 8;
    m.measurements = 4;
    m.samples = 1;
    return m;
  }

  Database written(const std::string& name, const testing::SyntheticModel& m) {
    fs::create_directory(root_ / name);
    testing::write_synthetic_campaign(root_ / name / database_file_name, m);
    return Database::open(root_ / name / database_file_name, DatabaseAccess::read_only);
  }

  [[nodiscard]] std::string numbers_of(const CampaignSet& campaigns, const std::string& name) const {
    ReportOptions options;
    options.analysis.resampling.samples = 4;
    options.analysis.grid = 6;
    const Document document = campaign_report("name", campaigns, options);
    const fs::path folder = root_ / name;
    write_figures_csv(folder, document, Existing::replace);
    std::string all = document.headline;
    for (const std::string& sentence : document.verdict) all += sentence + "\n";
    std::set<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder)) files.insert(entry.path().filename());
    for (const fs::path& file : files) {
      std::ostringstream text;
      text << std::ifstream(folder / file).rdbuf();
      all += file.string() + "\n" + text.str();
    }
    return all;
  }

  fs::path root_;
};

TEST_F(CampaignSets, PartsTogetherAreTheWhole) {
  const auto one_size = [](int realizations, int begin) {
    testing::SyntheticModel m = model(realizations, begin);
    m.L = {4};
    m.rounds = 4;
    m.temperatures = {0.2, 0.3};
    return m;
  };
  const Database whole = written("whole", one_size(150, 0));
  const Database first = written("first", one_size(100, 0)), second = written("second", one_size(50, 100));
  const CampaignSet together({&second, &first});
  EXPECT_EQ(report_text(analyze(together)), report_text(analyze(whole)));
  const std::string expected = numbers_of(whole, "w"), found = numbers_of(together, "t");
  // Two campaigns have rounds of twice as long in all, and were created at the same time.
  EXPECT_EQ(found.substr(found.find('\n')), expected.substr(expected.find('\n')));
  EXPECT_NE(report_text(analyze(first)), report_text(analyze(whole)));
}

TEST_F(CampaignSets, SizesOfAllAreTogether) {
  testing::SyntheticModel small = model(6), large = model(6);
  small.L = {4};
  large.L = {8, 6};
  large.temperatures = {0.2, 0.3};
  const Database a = written("a", small), b = written("b", large);
  const CampaignSet together({&b, &a});
  EXPECT_THAT(together.config().model.L, ElementsAre(4, 6, 8));
  EXPECT_EQ(together.sizes().size(), 3U);
  EXPECT_EQ(together.realizations().size(), 18U);
  EXPECT_EQ(together.realizations(6).size(), 6U);
  EXPECT_EQ(analyze(together).sizes.back().temperatures, large.temperatures);
  EXPECT_THAT(together.config_text(), AllOf(HasSubstr("# a\n"), HasSubstr("# b\n")));
}

TEST_F(CampaignSets, WhatDiffersIsListed) {
  const Database a = written("a", model(6));
  const auto joining = [&](const std::string& name, const testing::SyntheticModel& m) {
    const Database b = written(name, m);
    return outcome_of([&] { CampaignSet({&a, &b}); });
  };
  const auto refused = [&](const char* name) {
    return Refuses(InputFault::conflict, fmt::format("{}, {}", (root_ / "a").string(), (root_ / name).string()));
  };
  EXPECT_THAT(joining("overlap", model(4, 4)), refused("overlap"));
  EXPECT_THAT(joining("one", model(1, 5)), refused("one"));
  testing::SyntheticModel other = model(6, 6);
  other.temperatures = {0.2, 0.25, 0.31};
  other.measurements = 8;
  other.text = "campaign.seed = 2\nprotocol.heatbath = 2\n";
  EXPECT_THAT(joining("other", other), refused("other"));
  EXPECT_NO_THROW(CampaignSet({&a}));
}

}}  // namespace glassworks
