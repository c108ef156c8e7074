#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "engine/config/config.hpp"
#include "tests/refusals.hpp"
#include "tools/glassworks/completion.hpp"
#include "tools/glassworks/manual_page.hpp"
#include "tools/glassworks/verb_table.hpp"

namespace glassworks { namespace {

using ::testing::HasSubstr;

/// Hyphens as roff has them.
std::string roff(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '-' ? std::string("\\-") : std::string(1, c);
  return result;
}

/// Text between two marks; empty where the first is missing.
std::string part(const std::string& text, const std::string& begin, const std::string& end) {
  const std::size_t from = text.find(begin);
  if (from == text.npos) return {};
  return text.substr(from, text.find(end, from + begin.size()) - from);
}

TEST(Completion, OfBashNamesEveryVerbAndOption) {
  const std::string script = completion_script("bash");
  for (const Verb& verb : all_verbs()) {
    const std::string own = part(script, "\n    " + verb.syntax->verb + ") options='", ";;") + ' ';
    for (const Option& option : verb.syntax->options) {
      EXPECT_TRUE(own.find("--" + option.name + " ") != own.npos || own.find("--" + option.name + "'") != own.npos)
          << verb.syntax->verb << " --" << option.name;
      if (option.value.empty()) continue;
      EXPECT_THAT(script, HasSubstr("'" + verb.syntax->verb + " --" + option.name + "') "));
    }
    EXPECT_EQ(own.find("$keys") != own.npos, verb.syntax->keys) << verb.syntax->verb;
  }
  for (const ConfigKey& key : config_keys()) EXPECT_THAT(script, HasSubstr("--" + key.name));
}

TEST(Completion, OfZshNamesEveryVerbAndOption) {
  const std::string script = completion_script("zsh");
  for (const Verb& verb : all_verbs()) {
    EXPECT_THAT(script, HasSubstr("      '" + verb.syntax->verb + ":"));
    const std::string own = part(script, "\n    " + verb.syntax->verb + ")\n", ";;");
    for (const Option& option : verb.syntax->options) {
      EXPECT_THAT(own, HasSubstr("--" + option.name + (option.value.empty() ? "[" : "=["))) << verb.syntax->verb;
    }
    EXPECT_EQ(own.find("$keys") != own.npos, verb.syntax->keys) << verb.syntax->verb;
  }
  for (const ConfigKey& key : config_keys()) EXPECT_THAT(script, HasSubstr("'--" + key.name + "=["));
}

TEST(Completion, OfFishNamesEveryVerbAndOption) {
  const std::string script = completion_script("fish");
  for (const Verb& verb : all_verbs()) {
    EXPECT_THAT(script, HasSubstr("-n __fish_use_subcommand -a " + verb.syntax->verb + " -d "));
    for (const Option& option : verb.syntax->options) {
      EXPECT_THAT(script, HasSubstr("'__fish_seen_subcommand_from " + verb.syntax->verb + "' -l " + option.name + " "));
    }
  }
  for (const ConfigKey& key : config_keys()) {
    EXPECT_THAT(script, HasSubstr("'__fish_seen_subcommand_from run submit validate tune bench' -l " + key.name + " "));
  }
}

TEST(Completion, OffersTheValuesThatThereAre) {
  EXPECT_THAT(completion_script("bash"), HasSubstr("'plot --format') _glassworks_words 'pdf svg png eps'"));
  EXPECT_THAT(completion_script("bash"), HasSubstr("--backend.kind) _glassworks_words 'auto reference cpu cuda'"));
  EXPECT_THAT(completion_script("bash"), HasSubstr("'analyze --csv') _glassworks_files -f"));
  EXPECT_THAT(completion_script("zsh"), HasSubstr(":FORMAT:(pdf svg png eps)'"));
  EXPECT_THAT(completion_script("fish"), HasSubstr("-l format -x -a 'pdf svg png eps'"));
}

TEST(ManualPage, NamesEveryOptionAndKey) {
  for (const Verb& verb : all_verbs()) {
    const std::string page = manual_page(*verb.syntax);
    EXPECT_THAT(page, HasSubstr(".SH NAME\nglassworks\\-" + verb.syntax->verb + " \\- ")) << verb.syntax->verb;
    for (const Option& option : verb.syntax->options) {
      EXPECT_THAT(page, HasSubstr(".TP\n\\fB" + roff("--" + option.name))) << verb.syntax->verb;
    }
    for (const ConfigKey& key : config_keys()) {
      EXPECT_EQ(page.find(".TP\n\\fB" + roff("--" + key.name) + "\\fR") != page.npos, verb.syntax->keys) << key.name;
    }
    EXPECT_THAT(manual_page(), HasSubstr(".TP\n\\fB" + verb.syntax->verb + "\\fR\n"));
    EXPECT_THAT(manual_page(), HasSubstr("\\fBglassworks\\-" + verb.syntax->verb + "\\fR(1)"));
  }
}

TEST(ManualPage, ShowsWhatRoffWouldTakeForItself) {
  const VerbSyntax syntax{.verb = "go", .meaning = "goes", .options = {{"at", "N", "a\\b"}}, .more = ".x\n'y\n\nz-1"};
  EXPECT_THAT(manual_page(syntax), HasSubstr("\nA\\eb.\n"));
  EXPECT_THAT(manual_page(syntax), HasSubstr(".PP\n\\&.x\n\\&'y\n.PP\nz\\-1\n"));
}

TEST(VerbNamed, FindsOneOrSuggestsOne) {
  EXPECT_EQ(verb_named("run").syntax->verb, "run");
  for (const char* word : {"reprot", ""}) {
    EXPECT_THAT([&] { return verb_named(word); }, Refuses(InputFault::unknown, word));
  }
}

}}  // namespace glassworks
