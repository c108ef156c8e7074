#include "analysis/csv.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <sstream>

#include "tests/analysis/fake_campaign.hpp"
#include "tests/refusals.hpp"

namespace glassworks {
namespace {

using ::testing::HasSubstr;

AnalysisResult one_size() {
  AnalysisResult result;
  result.config = testing::fake_config();
  result.sizes.push_back(testing::fake_size(4, {0.1, 1.0 / 3.0}, 3));
  return result;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string contents(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// An empty directory that goes with the test.
class CsvFile : public ::testing::Test {
 protected:
  CsvFile() {
    std::string pattern = (std::filesystem::temp_directory_path() / "glassworks_csv_XXXXXX").string();
    directory_ = mkdtemp(pattern.data());
  }
  ~CsvFile() override { std::filesystem::remove_all(directory_); }
  [[nodiscard]] int files() const {
    return static_cast<int>(std::distance(std::filesystem::directory_iterator(directory_), {}));
  }
  std::filesystem::path directory_;
};

TEST(Csv, HasTheStatedHeadingAndARowForEveryNumber) {
  const AnalysisResult result = one_size();
  const std::vector<std::string> lines = lines_of(csv_text(result));
  EXPECT_EQ(lines.at(0), "L,T,observable,mean,error,realizations");
  std::size_t rows = 0;
  for (const ObservableResult& o : result.sizes[0].observables) rows += o.name == "acceptance" ? 1 : 2;
  EXPECT_EQ(lines.size(), 1 + rows);
  for (const char* name : {"energy", "specific_heat", "chi_sg", "xi_over_L", "xi_chiral_over_L", "binder",
                           "link_overlap", "identity_difference"}) {
    EXPECT_THAT(csv_text(result), HasSubstr("4,0.1," + std::string(name) + ","));
  }
  EXPECT_THAT(lines, ::testing::Contains("4,0.1,acceptance,nan,nan,3"));
  EXPECT_THAT(csv_text(result), ::testing::Not(HasSubstr("-nan")));
}

TEST(Csv, NumbersReadBackToTheSameDouble) {
  const AnalysisResult result = one_size();
  const ObservableResult& xi = *result.sizes[0].find("xi_over_L");
  bool found = false;
  for (const std::string& line : lines_of(csv_text(result))) {
    std::istringstream fields(line);
    std::string L, T, name, mean, error;
    for (std::string* field : {&L, &T, &name, &mean, &error}) std::getline(fields, *field, ',');
    if (name != "xi_over_L" || std::stod(T) != 1.0 / 3.0) continue;
    found = true;
    EXPECT_EQ(std::stod(mean), xi.at_slot[1].mean);
    EXPECT_EQ(std::stod(error), xi.at_slot[1].error);
  }
  EXPECT_TRUE(found);
  EXPECT_NEAR(xi.at_slot[1].mean, 1.0 / (1.1 * 4.0), 1e-12);
}

TEST_F(CsvFile, ReplacesAFileAndLeavesNothingElse) {
  const std::filesystem::path file = directory_ / "table.csv";
  std::ofstream(file) << "old";
  write_csv(file, one_size());
  EXPECT_EQ(contents(file), csv_text(one_size()));
  EXPECT_EQ(files(), 1);
}

TEST_F(CsvFile, SaysWhyItCannotBeWrittenAndHarmsNothing) {
  const std::filesystem::path missing = directory_ / "missing" / "table.csv";
  EXPECT_THAT([&] { write_csv(missing, one_size()); }, Refuses(FileFault::missing));
  std::filesystem::create_directory(directory_ / "folder");
  EXPECT_THAT([&] { write_csv(directory_ / "folder", one_size()); },
              Refuses(InputFault::unusable_file, (directory_ / "folder").string()));
  EXPECT_EQ(files(), 1);
}

}  // namespace
}  // namespace glassworks
