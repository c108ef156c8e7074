#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/engine/config_fixture.hpp"
#include "tests/refusals.hpp"

/// The form of configuration files: what was accepted once goes on to be, with the same meaning.
namespace glassworks { namespace {

using testing::ElementsAre;

class ConfigSyntax : public RefusedConfigTest {
 protected:
  /// campaign.note of the smallest configuration with this text behind it.
  std::string note(const std::string& text, const std::vector<std::string>& overrides = {}) const {
    return load(minimal_config + text, overrides).campaign.note;
  }
};

TEST_F(ConfigSyntax, BlanksAroundNamesValuesAndSectionsDoNotCount) {
  for (const char* text :
       {"[campaign]\nnote = a  b\n", "\t[ campaign ]  \n \t note=a  b \t\n", "[campaign.]\nnote =a  b",
        "[\tcampaign\t]\r\nnote\t=\ta  b\r\n", "[]\ncampaign.note = a  b\n", "[ ]\ncampaign.note = a  b\n",
        "[campaign] # section\nnote = a  b # note\n", "[campaign]#\nnote = a  b#c#d\n",
        "\n\n \n#\n[campaign]\n\r\nnote = a  b"}) {
    EXPECT_EQ(note(text), "a  b") << text;
  }
}

TEST_F(ConfigSyntax, AValueIsWhatStandsBehindTheFirstSign) {
  EXPECT_EQ(note("[campaign]\nnote = \"quoted\" 'text'\n"), "\"quoted\" 'text'");
  EXPECT_EQ(note("[campaign]\nnote = a = b\n"), "a = b");
  EXPECT_EQ(note("[campaign]\nnote = [b]\n"), "[b]");
  EXPECT_EQ(note("[campaign]\nnote = back\\slash ; semicolon\n"), "back\\slash ; semicolon");
  EXPECT_EQ(note("[campaign]\nnote = \u03c7 and \u00e9\n"), "\u03c7 and \u00e9");
  EXPECT_EQ(note("[campaign]\nnote =\n"), "");
  EXPECT_EQ(note("[campaign]\nnote = # nothing\n"), "");
  EXPECT_EQ(note(fmt::format("[campaign]\nnote = {}\n", std::string(100000, 'x'))), std::string(100000, 'x'));
}

TEST_F(ConfigSyntax, KeysStandBeforeSectionsAndUnderAnyOfThem) {
  const Config config =
      load("model.L = 4\n[ladder]\ntemperatures = 1\n[disorder]\nrealizations = 2\n[ladder]\nkind = list\n");
  EXPECT_THAT(config.model.L, ElementsAre(4));
  EXPECT_EQ(load("\xEF\xBB\xBFmodel.L = 4\nladder.temperatures = 1\ndisorder.realizations = 2\n").model.L.front(), 4);
  EXPECT_THAT(loading(minimal_config + "\rmodel.dim = 2\n"), Refuses(InputFault::unknown, "ladder.model.dim"));
}

TEST_F(ConfigSyntax, LinesThatAreNeitherAreRefusedWithTheirNumber) {
  EXPECT_THAT(loading("[model\nL = 4\n"), Refuses(InputFault::malformed, "[model"));
  EXPECT_THAT(loading("# [model]\n\nmodel]\n"), Refuses(InputFault::malformed, "model]"));
  EXPECT_THAT(loading("model.L = 4\n[ladder] T_min\n"), Refuses(InputFault::malformed, "[ladder] T_min"));
  EXPECT_THAT(loading("model.L = 4\nmodel.L\n"), Refuses(InputFault::malformed, "model.L"));
  EXPECT_THAT(loading("model.L # = 4\n"), Refuses(InputFault::malformed, "model.L"));
}

TEST_F(ConfigSyntax, NamesAreWholeAndCapitalsCount) {
  EXPECT_THAT(loading(minimal_config + "[protocol]\nheat = 2\n"), Refuses(InputFault::unknown, "protocol.heat"));
  EXPECT_THAT(loading(minimal_config + "[model]\nl = 4\n"), Refuses(InputFault::unknown, "model.l"));
  EXPECT_THAT(loading(minimal_config + "= 4\n"), Refuses(InputFault::unknown, "ladder."));
  EXPECT_THAT(loading(" = 4\n"), Refuses(InputFault::unknown, ""));
  EXPECT_THAT(loading("[[model]]\nL = 4\n"), Refuses(InputFault::unknown, "[model].L"));
  EXPECT_THAT(loading("[model.x]\nL = 4\n"), Refuses(InputFault::unknown, "model.x.L"));
  EXPECT_THAT(loading("model..L = 4\n"), Refuses(InputFault::unknown, "model..L"));
  EXPECT_THAT(loading("model.* = 4\n"), Refuses(InputFault::unknown, "model.*"));
}

TEST_F(ConfigSyntax, AKeyIsGivenOncePerSourceAndTheCommandLineComesFirst) {
  EXPECT_THAT(loading("model.L = 4\nmodel.L = 4\n"), Refuses(InputFault::repeated, "model.L"));
  EXPECT_THAT(loading("model.L = 4\n\n# x\n[model]\ndim = 2\nL = 4\n", {"model.L=8"}),
              Refuses(InputFault::repeated, "model.L"));
  EXPECT_EQ(note("[campaign]\nnote = file\n", {"campaign.note=first", " campaign.note =  second "}), "second");
  EXPECT_EQ(note("[campaign]\nnote = file\n", {"campaign.note="}), "");
  EXPECT_EQ(note("", {"campaign.note=a=b"}), "a=b");
  EXPECT_THAT(loading("model.L = four\n", {"model.L=five"}), Refuses(InputFault::malformed, "model.L"));
  EXPECT_THAT(loading("\n\nmodel.L = four\n"), Refuses(InputFault::malformed, "model.L"));
  EXPECT_THAT(loading(minimal_config, {"campaign.note=a#b"}), Refuses(InputFault::malformed, "campaign.note"));
  EXPECT_THAT(loading(minimal_config, {"=4"}), Refuses(InputFault::unknown, ""));
}

TEST_F(ConfigSyntax, StoredTextsAreReadToTheSameText) {
  const Config config = load(minimal_config + "[campaign]\nnote = a = [b] \"c\"\n");
  const std::string text = canonical_text(config);
  EXPECT_EQ(canonical_text(parse_config(text)), text);
  EXPECT_THAT([] { return parse_config("model.L = 4\nmodel.K = 4\n"); }, Refuses(InputFault::unknown, "model.K"));
}

}}  // namespace glassworks
