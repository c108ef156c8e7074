#include <gtest/gtest.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "base/text.hpp"

namespace glassworks { namespace {

constexpr std::array<std::string_view, 7> verbs{"run", "status", "submit", "report", "inspect", "watch", "why"};
constexpr std::array<std::string_view, 8> keys{"model.L",      "model.dim",     "model.couplings", "ladder.T_min",
                                               "ladder.T_max", "campaign.seed", "backend.threads", "protocol.heatbath"};

TEST(NearName, FindsSlips) {
  const std::vector<std::pair<const char*, const char*>> slips{
      {"statsu", "status"},  {"reprot", "report"}, {"Status", "status"}, {"inspct", "inspect"},
      {"submitt", "submit"}, {"rum", "run"},       {"insp", "inspect"},  {"wacth", "watch"}};
  for (const auto& [word, name] : slips) EXPECT_EQ(near_name(word, verbs), name) << word;
}

TEST(NearName, FindsKeysWithOtherSections) {
  const std::vector<std::pair<const char*, const char*>> slips{{"campaign.sead", "campaign.seed"},
                                                               {"T_min", "ladder.T_min"},
                                                               {"model.T_min", "ladder.T_min"},
                                                               {"modle.L", "model.L"},
                                                               {"model.l", "model.L"},
                                                               {"model.coupling", "model.couplings"},
                                                               {"ladder.ladder.T_max", "ladder.T_max"},
                                                               {"backend.thread", "backend.threads"},
                                                               {"model.coup", "model.couplings"}};
  for (const auto& [word, name] : slips) EXPECT_EQ(near_name(word, keys), name) << word;
}

TEST(NearName, SuggestsNothingThatIsFar) {
  for (const char* word : {"simulate", "x", "", "r", "stop", "show"}) EXPECT_EQ(near_name(word, verbs), "") << word;
  for (const char* word : {"model.size", "model.x", "x.L", "color", "protocol.cooling", ".", "model."}) {
    EXPECT_EQ(near_name(word, keys), "") << word;
  }
  EXPECT_EQ(near_name(std::string(100000, 'x'), keys), "");
  EXPECT_EQ(near_name("run", {}), "");
}

TEST(Suggestion, NamesTheNearOneOrTheOtherSentence) {
  EXPECT_EQ(suggestion("statu", verbs, "See the help."), "Did you mean status?");
  EXPECT_EQ(suggestion("statu", verbs, "See the help.", "--"), "Did you mean --status?");
  EXPECT_EQ(suggestion("simulate", verbs, "See the help."), "See the help.");
}

TEST(Enumeration, PutsAndBeforeTheLast) {
  const std::vector<std::string> names{"a", "b", "c"};
  EXPECT_EQ(enumeration({}), "");
  EXPECT_EQ(enumeration(std::span(names).first(1)), "a");
  EXPECT_EQ(enumeration(std::span(names).first(2)), "a and b");
  EXPECT_EQ(enumeration(names), "a, b and c");
}

}}  // namespace glassworks
