#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "engine/config/config.hpp"
#include "tests/refusals.hpp"

namespace glassworks {

/// A folder of its own for each test, removed afterwards.
class ConfigTest : public testing::Test {
 protected:
  void SetUp() override {
    const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() / (std::string("glassworks_") + test->test_suite_name() + "_" +
                                                        test->name() + "_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }

  std::filesystem::path folder_;
};

/// Configurations from texts, and those that are refused.
class RefusedConfigTest : public ConfigTest {
 protected:
  Config load(const std::string& text, const std::vector<std::string>& overrides = {}) const {
    return load_config(write("a.cfg", text), overrides);
  }
  auto loading(const std::string& text, const std::vector<std::string>& overrides = {}) const {
    return [=, this] { return load(text, overrides); };
  }
  void expect_refused(const std::string& text, const std::vector<std::string>& overrides, InputFault fault,
                      const std::string& subject) const {
    EXPECT_THAT(loading(text, overrides), Refuses(fault, subject)) << testing::PrintToString(overrides);
  }
};

/// The changes as people see them.
inline std::vector<std::string> texts(const std::vector<ConfigChange>& changes) {
  std::vector<std::string> list;
  for (const ConfigChange& change : changes) list.push_back(change.text());
  return list;
}

/// The smallest configuration that is valid.
inline const std::string minimal_config =
    "[model]\nL = 4, 6\n[disorder]\nrealizations = 3\n[ladder]\nT_min = 0.1\nT_max = 0.6\nslots = 5\n";

}  // namespace glassworks
