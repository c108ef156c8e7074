#include "analysis/averages/csv.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "tests/analysis/fake_campaign.hpp"

namespace glassworks { namespace {

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

TEST(Csv, SaysWhatAveragesLeaveOutWhereItIsGiven) {
  AnalysisResult result = one_size();
  result.config.convergence.left_out = 0.8;
  const std::vector<std::string> lines = lines_of(csv_text(result));
  EXPECT_EQ(lines.at(0), "L,T,observable,mean,error,realizations,left_out");
  for (std::size_t i = 1; i < lines.size(); ++i) EXPECT_THAT(lines[i], ::testing::EndsWith(",3,0.8"));
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

}}  // namespace glassworks
