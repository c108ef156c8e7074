#include "tools/glassworks/arguments.hpp"

#include <gmock/gmock.h>

#include <cstdlib>

#include "tests/refusals.hpp"

namespace glassworks { namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const VerbSyntax looking{.verb = "look",
                         .operand = "DIR",
                         .meaning = "looks at things",
                         .options = {{"all", "", "everything"}, {"at", "N", "this one", true}}};
const VerbSyntax running{
    .verb = "go", .operand = "CONFIG", .meaning = "goes", .options = {{"limit", "S", "ends"}}, .keys = true};

auto parsing(const VerbSyntax& syntax, const Arguments& arguments) {
  return [=] { return parse_arguments(syntax, arguments); };
}

TEST(ParseArguments, TakesOptionsInAnyPlaceAndBothForms) {
  for (const Arguments& arguments : {Arguments{"dir", "--at", "3", "--all"}, Arguments{"--at=3", "dir", "--all"},
                                     Arguments{"--all", "--at=3", "dir"}}) {
    const ParsedArguments parsed = parse_arguments(looking, arguments);
    EXPECT_EQ(parsed.operand, "dir");
    EXPECT_TRUE(parsed.has("all"));
    EXPECT_EQ(whole_number(parsed, "at"), 3);
  }
  EXPECT_FALSE(parse_arguments(looking, {"dir", "--at=3"}).has("all"));
  EXPECT_EQ(whole_number(parse_arguments(running, {"file"}), "limit"), std::nullopt);
}

TEST(ParseArguments, TakesSeveralOperandsWhereAVerbDoes) {
  VerbSyntax several = looking;
  several.count = OperandCount::one_or_more;
  const ParsedArguments parsed = parse_arguments(several, {"a", "--at=3", "b", "c"});
  EXPECT_EQ(parsed.operand, "a");
  EXPECT_THAT(parsed.operands, ElementsAre("a", "b", "c"));
  EXPECT_THAT(several.usage(), HasSubstr("DIR... [--all]"));
  EXPECT_THAT(parse_arguments(looking, {"a", "--at=3"}).operands, ElementsAre("a"));
  EXPECT_THAT(parsing(looking, {"a", "b", "--at=3"}), Refuses(InputFault::repeated, "look"));
  EXPECT_THAT(parsing(several, {"--at=3"}), Refuses(InputFault::missing, "look"));
}

TEST(ParseArguments, KeepsKeysApartFromOptions) {
  const ParsedArguments parsed = parse_arguments(running, {"--model.L=4", "file", "--limit=5", "--backend.batch=2"});
  EXPECT_THAT(parsed.keys, ElementsAre("model.L=4", "backend.batch=2"));
  EXPECT_EQ(parsed.options.at("limit"), "5");
  EXPECT_THAT(parsing(running, {"file", "--quick"}), Refuses(InputFault::unknown, "--quick"));
  EXPECT_THAT(parsing(running, {"file", "-L=4"}), Refuses(InputFault::unknown, "-L"));
}

TEST(ParseArguments, TakesKeysInBothForms) {
  const ParsedArguments parsed = parse_arguments(
      running, {"--model.L", "4,6", "file", "--backend.batch=2", "--ladder.T_min", "-1", "--limit", "5"});
  EXPECT_THAT(parsed.keys, ElementsAre("model.L=4,6", "backend.batch=2", "ladder.T_min=-1"));
  EXPECT_EQ(parsed.operand, "file");
  EXPECT_THAT(parsing(running, {"file", "--model.L"}), Refuses(InputFault::missing, "--model.L"));
  EXPECT_THAT(parsing(running, {"file", "--model.L", "--limit", "5"}), Refuses(InputFault::missing, "--model.L"));
  EXPECT_EQ(parse_arguments(running, {"file", "--limit=--x"}).options.at("limit"), "--x");
}

TEST(ParseArguments, NamesAreWholeAndValuesMayBeEmpty) {
  EXPECT_EQ(parse_arguments(looking, {"dir", "--at="}).options.at("at"), "");
  EXPECT_EQ(parse_arguments(looking, {"dir", "--at", ""}).options.at("at"), "");
  EXPECT_EQ(parse_arguments(looking, {"dir", "--at==x="}).options.at("at"), "=x=");
  EXPECT_EQ(parse_arguments(looking, {"dir", "--at", "-1"}).options.at("at"), "-1");
  EXPECT_THAT(parse_arguments(running, {"file", "--campaign.note="}).keys, ElementsAre("campaign.note="));
  EXPECT_TRUE(parse_arguments(looking, {"dir", "--all", "--at=1", "--all"}).has("all"));
  EXPECT_THAT(parsing(looking, {"dir", "--at=1", "--all="}), Refuses(InputFault::malformed, "--all"));
  EXPECT_THAT(parsing(looking, {"dir", "--at=1", "--ALL"}), Refuses(InputFault::unknown, "--ALL"));
  for (const char* argument : {"-", "--", "--=1", "--operand=", "--operand==x", "-at=1", "---at=1"}) {
    EXPECT_THAT(parsing(looking, {"--at=1", argument, "dir"}),
                Refuses(InputFault::unknown, std::string(argument).substr(0, std::string(argument).find('='))));
  }
  EXPECT_THAT(parsing(running, {"file", "--model.K", "4"}), Refuses(InputFault::unknown, "model.K"));
  EXPECT_THAT(parsing(running, {"file", "--model.L.x=4"}), Refuses(InputFault::unknown, "model.L.x"));
}

TEST(ParseArguments, SuggestsOptionsAndKeysThatAreNear) {
  EXPECT_THAT(parsing(looking, {"dir", "--at=1", "--al"}), Refuses(InputFault::unknown, "--al"));
  EXPECT_THAT(parsing(looking, {"dir", "--at=1", "-all"}), Refuses(InputFault::unknown, "-all"));
  EXPECT_THAT(parsing(running, {"file", "--limt", "5"}), Refuses(InputFault::unknown, "--limt"));
  EXPECT_THAT(parsing(running, {"file", "--T_min=0.1"}), Refuses(InputFault::unknown, "--T_min"));
  EXPECT_THAT(parsing(looking, {"dir", "--at=1", "--zebra"}), Refuses(InputFault::unknown, "--zebra"));
  EXPECT_THAT(parsing(looking, {"dir", "--at=1", "--model.L=4"}), Refuses(InputFault::unknown, "--model.L"));
}

TEST(ParseArguments, NamesAllRequiredOptionsThatAreMissing) {
  const VerbSyntax syntax{
      .verb = "send",
      .operand = "DIR",
      .meaning = "sends",
      .options = {{"to", "A", "there", true}, {"by", "B", "with", true}, {"at", "T", "then", true}}};
  EXPECT_THAT(parsing(syntax, {"dir", "--by=1"}), Refuses(InputFault::missing, "--to, --at"));
  EXPECT_THAT(parsing(syntax, {"dir"}), Refuses(InputFault::missing, "--to, --by, --at"));
}

TEST(ParseArguments, CollectsWhatMayBeRepeated) {
  const VerbSyntax syntax{.verb = "send",
                          .operand = "DIR",
                          .meaning = "sends",
                          .options = {{"with", "O", "an option", false, true}, {"at", "N", "this one"}}};
  const ParsedArguments parsed = parse_arguments(syntax, {"--with", "--a=1", "dir", "--with=--b", "--at=1", "--at=2"});
  EXPECT_THAT(parsed.lists.at("with"), ElementsAre("--a=1", "--b"));
  EXPECT_EQ(parsed.options.at("at"), "2");
  EXPECT_FALSE(parse_arguments(syntax, {"dir"}).lists.contains("with"));
  EXPECT_EQ(syntax.usage(), "DIR [--with O]... [--at N]");
  EXPECT_THAT(parsing(syntax, {"dir", "--with"}), Refuses(InputFault::missing, "--with"));
}

TEST(ParseArguments, RefusesInOneSentence) {
  EXPECT_THAT(parsing(looking, {"--at=1"}), Refuses(InputFault::missing, "look"));
  EXPECT_THAT(parsing(looking, {"a", "--at=1", "b"}), Refuses(InputFault::repeated, "look"));
  EXPECT_THAT(parsing(looking, {"a"}), Refuses(InputFault::missing, "--at"));
  EXPECT_THAT(parsing(looking, {"a", "--at"}), Refuses(InputFault::missing, "--at"));
  EXPECT_THAT(parsing(looking, {"a", "--at=1", "--all=2"}), Refuses(InputFault::malformed, "--all"));
  EXPECT_THAT(parsing(looking, {"a", "--at=1", "--none"}), Refuses(InputFault::unknown, "--none"));
  EXPECT_THAT(parsing(looking, {"a", "--at=1", "--model.L=4"}), Refuses(InputFault::unknown, "--model.L"));
  EXPECT_THAT(parsing(running, {}), Refuses(InputFault::missing, "go"));
}

TEST(WholeNumber, RefusesAnythingElse) {
  for (const char* text : {"", "-1", "1.5", "four", "4x", "2147483648", " 4"}) {
    const ParsedArguments parsed = parse_arguments(looking, {"dir", std::string("--at=") + text});
    EXPECT_THAT([&] { return whole_number(parsed, "at"); }, Refuses(InputFault::malformed, "--at").in_any_words());
  }
}

TEST(WholeNumber, LiesInItsRange) {
  const auto given = [](const char* text) { return parse_arguments(looking, {"dir", std::string("--at=") + text}); };
  for (const char* text : {"2", "3", "9"}) EXPECT_EQ(whole_number(given(text), "at", 2, 9), std::atoi(text));
  for (const char* text : {"0", "1", "10"}) {
    EXPECT_THAT([&] { return whole_number(given(text), "at", 2, 9); }, Refuses(InputFault::out_of_range, "--at"));
  }
  EXPECT_EQ(whole_number(given("1"), "limit", 2, 9), std::nullopt);
}

TEST(Split, KeepsEmptyPieces) {
  EXPECT_THAT(split("8,16", ','), ElementsAre("8", "16"));
  EXPECT_THAT(split("", ','), ElementsAre(""));
  EXPECT_THAT(split(",8,", ','), ElementsAre("", "8", ""));
}

TEST(VerbSyntax, HelpNamesEveryOption) {
  EXPECT_EQ(looking.usage(), "DIR [--all] --at N");
  EXPECT_EQ(running.usage(), "CONFIG [--limit S] [--section.key=value ...]");
  EXPECT_THAT(looking.help(), ::testing::StartsWith("Usage: glassworks look DIR [--all] --at N\n\nLooks at things.\n"));
  EXPECT_THAT(looking.help(), HasSubstr("--at N                   this one\n"));
  EXPECT_TRUE(parse_arguments(looking, {"--none", "-h"}).help);
}

}}  // namespace glassworks
