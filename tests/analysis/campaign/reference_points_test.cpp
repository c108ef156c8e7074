#include "analysis/campaign/reference_points.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "engine/config.hpp"

namespace glassworks {
namespace {

using testing::HasSubstr;

class ReferenceFile : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(file_); }

  std::vector<ReferencePoints> read(const std::string& text) const {
    std::ofstream(file_, std::ios::binary) << text;
    return read_reference(file_);
  }
  std::string refusal(const std::string& text) const {
    try {
      (void)read(text);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  }

  const std::filesystem::path file_ =
      std::filesystem::temp_directory_path() / ("glassworks-reference-" + std::to_string(::getpid()) + ".csv");
};

constexpr const char* heading = "L,T,observable,mean,error\n";

TEST_F(ReferenceFile, ReadsWhatAnalyzeWrites) {
  const auto points = read(
      "\xEF\xBB\xBF# a comment\r\nobservable,L,mean,error,T,n\r\nenergy,8,-1.5,0.1,0.5,3\r\n\n"
      "energy,8,nan,nan,0.7,1\n");
  ASSERT_EQ(points.size(), 1U);
  EXPECT_EQ(points[0].L, 8);
  EXPECT_EQ(points[0].temperatures, (std::vector<double>{0.5, 0.7}));
  EXPECT_EQ(points[0].mean[0], -1.5);
  EXPECT_TRUE(std::isnan(points[0].mean[1]) && std::isnan(points[0].error[1]));
}

TEST_F(ReferenceFile, NumbersAreWhatTheyMustBe) {
  const std::vector<std::pair<std::string, std::string>> bad = {
      {"nan,1,energy,1,1", "line 2: L = 'nan'"},
      {"4.7,1,energy,1,1", "line 2: L = '4.7', it is not a whole number"},
      {"1e9,1,energy,1,1", "L = '1e9'"},
      {"-4,1,energy,1,1", "L = '-4'"},
      {"0,1,energy,1,1", "L = '0'"},
      {"99999999999,1,energy,1,1", "L = '99999999999'"},
      {",1,energy,1,1", "L = ''"},
      {"4,nan,energy,1,1", "T = 'nan', it is not finite"},
      {"4,inf,energy,1,1", "T = 'inf', it is not finite"},
      {"4,-1,energy,1,1", "T = '-1', it is not positive"},
      {"4,0,energy,1,1", "T = '0', it is not positive"},
      {"4,1e999,energy,1,1", "T = '1e999', it is beyond the range"},
      {"4,1,energy,inf,1", "mean = 'inf', it is not finite"},
      {"4,1,energy,-nan,1", "mean = '-nan', it is not finite"},
      {"4,1,energy,1,-1", "error = '-1', it is negative"},
      {"4,1,energy,1,one", "error = 'one', it is not a number"},
      {"4,1,,1,1", "names no observable in line 2"},
      {"4,1,energy,1", "has 4 columns in line 2, not 5"},
      {"4,1,energy,1," + std::string(100000, '1'), "bytes in line 2"},
  };
  for (const auto& [line, told] : bad) EXPECT_THAT(refusal(heading + line + "\n"), HasSubstr(told)) << line;
  EXPECT_THAT(refusal(""), HasSubstr("holds no line"));
  EXPECT_THAT(refusal("L,T,observable,mean\n"), HasSubstr("has no column 'error'"));
  EXPECT_THAT(refusal("L,L,T,observable,mean,error\n"), HasSubstr("names the column 'L' twice"));
  EXPECT_THAT(refusal("\xFF\xFEL"), HasSubstr("UTF-16"));
}

TEST_F(ReferenceFile, WhatIsNoFileIsNamed) {
  for (const char* file : {"/dev/zero", "/tmp", "/no/such/file"}) EXPECT_THROW((void)read_reference(file), InputError);
}

}  // namespace
}  // namespace glassworks
