#include "analysis/basics/columns.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <utility>

#include "analysis/averages/csv.hpp"
#include "analysis/statistics/campaign_ensemble.hpp"
#include "tests/analysis/synthetic_campaign.hpp"
#include "tests/db/other_columns.hpp"
#include "tests/refusals.hpp"

/// Campaigns whose bins another version wrote.
namespace glassworks::testing { namespace {

class StoredColumns : public ::testing::Test {
 protected:
  StoredColumns() {
    std::string pattern = (std::filesystem::temp_directory_path() / "glassworks_columns_XXXXXX").string();
    directory_ = mkdtemp(pattern.data());
    SyntheticModel model;
    model.L = {4};
    model.temperatures = {0.2, 0.3};
    model.realizations = 4;
    write_synthetic_campaign(directory_ / database_file_name, model);
    own_ = csv();
    std::filesystem::copy_file(directory_ / database_file_name, directory_ / "own.sqlite");
  }
  ~StoredColumns() override { std::filesystem::remove_all(directory_); }

  [[nodiscard]] std::string csv() const {
    return csv_text(analyze(Database::open(directory_ / database_file_name, DatabaseAccess::read_only)));
  }
  /// The campaign with its columns changed.
  void store(const std::function<Names(const Names&)>& change) const {
    std::filesystem::copy_file(directory_ / "own.sqlite", directory_ / database_file_name,
                               std::filesystem::copy_options::overwrite_existing);
    store_with_other_columns(directory_, change);
  }

  std::filesystem::path directory_;
  std::string own_;
};

TEST_F(StoredColumns, AreAnalyzedByName) {
  store(reversed);
  EXPECT_EQ(csv(), own_);
  store(with_one_more);
  EXPECT_EQ(csv(), own_);
  store(without("field_energy"));
  EXPECT_EQ(csv(), own_) << "there is no field";
}

TEST_F(StoredColumns, OfOtherModelsDoNotChangeTheModel) {
  store([](Names names) {
    names.insert(names.begin(), "magnetization_abs");
    return names;
  });
  std::string others;
  std::istringstream lines(csv());
  for (std::string line; std::getline(lines, line);) {
    if (line.find(",magnetization_abs,") == std::string::npos) others += line + '\n';
  }
  EXPECT_EQ(others, own_);
}

TEST_F(StoredColumns, ThatAreMissingAreNamedBeforeHistoriesAreRead) {
  for (const char* name : {"energy_squared", "overlap_k(0,0,1)", "energy_of_copy_2"}) {
    store(without(name));
    bool begun = false;
    ReadingOptions options;
    options.progress = [&](int, int, int) { begun = true; };
    EXPECT_THAT(
        [&] {
          const Database database = Database::open(directory_ / database_file_name, DatabaseAccess::read_only);
          static_cast<void>(read_ensembles(database, options));
        },
        Fails());
    EXPECT_FALSE(begun);
  }
}

}}  // namespace glassworks::testing
