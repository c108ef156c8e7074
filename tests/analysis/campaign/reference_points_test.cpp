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

#include "engine/config/config.hpp"
#include "tests/refusals.hpp"

namespace glassworks { namespace {

class ReferenceFile : public ::testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(file_); }

  std::vector<ReferencePoints> read(const std::string& text) const {
    std::ofstream(file_, std::ios::binary) << text;
    return read_reference(file_);
  }
  auto reading(const std::string& text) const {
    return [=, this] { return read(text); };
  }
  auto refuses(InputFault fault) const { return Refuses(fault, file_.string()); }

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
  const std::vector<std::pair<std::string, InputFault>> bad = {
      {"nan,1,energy,1,1", InputFault::malformed},
      {"4.7,1,energy,1,1", InputFault::malformed},
      {"1e9,1,energy,1,1", InputFault::malformed},
      {"-4,1,energy,1,1", InputFault::malformed},
      {"0,1,energy,1,1", InputFault::malformed},
      {"99999999999,1,energy,1,1", InputFault::malformed},
      {",1,energy,1,1", InputFault::malformed},
      {"4,nan,energy,1,1", InputFault::malformed},
      {"4,inf,energy,1,1", InputFault::malformed},
      {"4,-1,energy,1,1", InputFault::out_of_range},
      {"4,0,energy,1,1", InputFault::out_of_range},
      {"4,1e999,energy,1,1", InputFault::out_of_range},
      {"4,1,energy,inf,1", InputFault::malformed},
      {"4,1,energy,-nan,1", InputFault::malformed},
      {"4,1,energy,1,-1", InputFault::out_of_range},
      {"4,1,energy,1,one", InputFault::malformed},
      {"4,1,,1,1", InputFault::missing},
      {"4,1,energy,1", InputFault::malformed},
      {"4,1,energy,1," + std::string(100000, '1'), InputFault::malformed},
  };
  for (const auto& [line, fault] : bad) EXPECT_THAT(reading(heading + line + "\n"), refuses(fault)) << line;
  EXPECT_THAT(reading(""), refuses(InputFault::missing));
  EXPECT_THAT(reading("L,T,observable,mean\n"), refuses(InputFault::missing));
  EXPECT_THAT(reading("L,L,T,observable,mean,error\n"), refuses(InputFault::repeated));
  EXPECT_THAT(reading("\xFF\xFEL"), refuses(InputFault::malformed));
}

TEST_F(ReferenceFile, WhatIsNoFileIsNamed) {
  for (const char* file : {"/dev/zero", "/tmp"}) {
    EXPECT_THAT([&] { return read_reference(file); }, Refuses(InputFault::unusable_file, file));
  }
  EXPECT_THAT([] { return read_reference("/no/such/file"); }, Refuses(InputFault::missing, "/no/such/file"));
}

}}  // namespace glassworks
