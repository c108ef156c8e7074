#include "tools/glassworks/arguments.hpp"

#include <gmock/gmock.h>

#include <cstdlib>

#include "engine/config.hpp"

namespace glassworks {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const VerbSyntax looking{.verb = "look",
                         .operand = "DIR",
                         .meaning = "looks at things",
                         .options = {{"all", "", "everything"}, {"at", "N", "this one", true}}};
const VerbSyntax running{
    .verb = "go", .operand = "CONFIG", .meaning = "goes", .options = {{"limit", "S", "ends"}}, .keys = true};

std::string refusal(const VerbSyntax& syntax, const Arguments& arguments) {
  try {
    static_cast<void>(parse_arguments(syntax, arguments));
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
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
  EXPECT_THAT(refusal(looking, {"a", "b", "--at=3"}), HasSubstr("takes one campaign directory ('a' and 'b' given)"));
  EXPECT_THAT(refusal(several, {"--at=3"}), HasSubstr("needs a campaign directory"));
}

TEST(ParseArguments, KeepsKeysApartFromOptions) {
  const ParsedArguments parsed = parse_arguments(running, {"--model.L=4", "file", "--limit=5", "--backend.batch=2"});
  EXPECT_THAT(parsed.keys, ElementsAre("model.L=4", "backend.batch=2"));
  EXPECT_EQ(parsed.options.at("limit"), "5");
  EXPECT_THAT(refusal(running, {"file", "--quick"}), HasSubstr("--section.key=value"));
  EXPECT_THAT(refusal(running, {"file", "-L=4"}), HasSubstr("'-L=4'"));
}

TEST(ParseArguments, TakesKeysInBothForms) {
  const ParsedArguments parsed = parse_arguments(
      running, {"--model.L", "4,6", "file", "--backend.batch=2", "--ladder.T_min", "-1", "--limit", "5"});
  EXPECT_THAT(parsed.keys, ElementsAre("model.L=4,6", "backend.batch=2", "ladder.T_min=-1"));
  EXPECT_EQ(parsed.operand, "file");
  EXPECT_THAT(refusal(running, {"file", "--model.L"}), HasSubstr("value is missing"));
  EXPECT_THAT(refusal(running, {"file", "--model.L", "--limit", "5"}), HasSubstr("write '--model.L=--limit'"));
  EXPECT_EQ(parse_arguments(running, {"file", "--limit=--x"}).options.at("limit"), "--x");
}

TEST(ParseArguments, SuggestsOptionsAndKeysThatAreNear) {
  EXPECT_THAT(refusal(looking, {"dir", "--at=1", "--al"}), HasSubstr("Did you mean --all?"));
  EXPECT_THAT(refusal(looking, {"dir", "--at=1", "-all"}), HasSubstr("Did you mean --all?"));
  EXPECT_THAT(refusal(running, {"file", "--limt", "5"}), HasSubstr("Did you mean --limit?"));
  EXPECT_THAT(refusal(running, {"file", "--T_min=0.1"}), HasSubstr("Did you mean --ladder.T_min?"));
  EXPECT_THAT(refusal(looking, {"dir", "--at=1", "--zebra"}), HasSubstr("See `glassworks look --help`."));
  EXPECT_THAT(refusal(looking, {"dir", "--at=1", "--model.L=4"}), Not(HasSubstr("Did you mean")));
}

TEST(ParseArguments, NamesAllRequiredOptionsThatAreMissing) {
  const VerbSyntax syntax{
      .verb = "send",
      .operand = "DIR",
      .meaning = "sends",
      .options = {{"to", "A", "there", true}, {"by", "B", "with", true}, {"at", "T", "then", true}}};
  EXPECT_THAT(refusal(syntax, {"dir", "--by=1"}), HasSubstr("needs --to and --at (they were not given)"));
  EXPECT_THAT(refusal(syntax, {"dir"}), HasSubstr("needs --to, --by and --at"));
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
  EXPECT_THAT(refusal(syntax, {"dir", "--with"}), HasSubstr("value is missing"));
}

TEST(ParseArguments, RefusesInOneSentence) {
  EXPECT_THAT(refusal(looking, {"--at=1"}), HasSubstr("needs a campaign directory"));
  EXPECT_THAT(refusal(looking, {"a", "--at=1", "b"}), HasSubstr("'a' and 'b'"));
  EXPECT_THAT(refusal(looking, {"a"}), HasSubstr("needs --at"));
  EXPECT_THAT(refusal(looking, {"a", "--at"}), HasSubstr("value is missing"));
  EXPECT_THAT(refusal(looking, {"a", "--at=1", "--all=2"}), HasSubstr("takes no value"));
  EXPECT_THAT(refusal(looking, {"a", "--at=1", "--none"}), HasSubstr("no such option"));
  EXPECT_THAT(refusal(looking, {"a", "--at=1", "--model.L=4"}), HasSubstr("no such option"));
  EXPECT_THAT(refusal(running, {}), HasSubstr("one configuration file"));
}

TEST(WholeNumber, RefusesAnythingElse) {
  for (const char* text : {"", "-1", "1.5", "four", "4x", "2147483648", " 4"}) {
    const ParsedArguments parsed = parse_arguments(looking, {"dir", std::string("--at=") + text});
    EXPECT_THROW(static_cast<void>(whole_number(parsed, "at")), InputError) << text;
  }
}

TEST(WholeNumber, LiesInItsRange) {
  const auto given = [](const char* text) { return parse_arguments(looking, {"dir", std::string("--at=") + text}); };
  for (const char* text : {"2", "3", "9"}) EXPECT_EQ(whole_number(given(text), "at", 2, 9), std::atoi(text));
  for (const char* text : {"0", "1", "10"}) {
    EXPECT_THROW(static_cast<void>(whole_number(given(text), "at", 2, 9)), InputError) << text;
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

}  // namespace
}  // namespace glassworks
