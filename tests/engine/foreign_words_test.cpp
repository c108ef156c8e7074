#include "engine/config/foreign_words.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "engine/config/config.hpp"
#include "tests/engine/config_fixture.hpp"

namespace glassworks { namespace {

std::vector<std::string> words_of(const ForeignWords& row) {
  std::vector<std::string> words;
  for (std::string_view rest = row.words; !rest.empty();) {
    const std::size_t end = std::min(rest.find('|'), rest.size());
    words.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return words;
}

const ConfigKey* key_named(std::string_view name) {
  const auto found = std::ranges::find(config_keys(), name, &ConfigKey::name);
  return found == config_keys().end() ? nullptr : &*found;
}

TEST(ForeignWords, AreFoundHoweverTheyAreWritten) {
  EXPECT_EQ(instead_of("model.couplings", "antiferromagnet"), "Use bimodal with model.bimodal_p = 0.");
  for (const char* word : {"+-J", "pm1", "PM_J", "+/-J", "binary"}) {
    EXPECT_EQ(instead_of("model.couplings", word), "Use bimodal.") << word;
  }
  for (const char* word : {"temperature", "Temperature", "T", "simulation.temps", "T_list"}) {
    EXPECT_EQ(instead_of(foreign_key, word), "Use ladder.temperatures.") << word;
  }
  EXPECT_EQ(instead_of("protocol.kind", "heat bath"), instead_of("protocol.kind", "Glauber"));
  EXPECT_EQ(instead_of("model.couplings", "gaussian"), "");
  EXPECT_EQ(instead_of("model.couplings", "metropolis"), "") << "a word of another key";
  EXPECT_EQ(instead_of("model.couplings", "1"), "Use ferromagnet.");
  EXPECT_EQ(instead_of("model.couplings", "-1"), "Use bimodal with model.bimodal_p = 0.")
      << "a hyphen is no joint here";
  EXPECT_EQ(instead_of(foreign_key, std::string(100000, 't')), "");
}

TEST(ForeignWords, StandOnceAndAreNoNamesHere) {
  for (const ForeignWords& row : all_foreign_words()) {
    const bool of_value =
        row.subject != foreign_key && row.subject != foreign_course_key && row.subject != foreign_verb;
    const ConfigKey* key = key_named(row.subject);
    EXPECT_EQ(key != nullptr, of_value) << row.subject;
    for (const std::string& word : words_of(row)) {
      EXPECT_EQ(instead_of(row.subject, word), row.sentence) << row.subject << ": " << word << " stands twice";
      if (key != nullptr) {
        EXPECT_EQ((" " + key->values + " ").find(" " + word + " "), std::string::npos) << row.subject << ": " << word;
      }
      EXPECT_EQ(key_named(word), nullptr) << word;
    }
  }
}

class ForeignWordsInConfigurations : public RefusedConfigTest {};

TEST_F(ForeignWordsInConfigurations, AreAnsweredWithTheNamesHere) {
  const std::vector<std::pair<const char*, const char*>> given{{"model.couplings", "antiferromagnet"},
                                                               {"model.couplings", "normal"},
                                                               {"model.type", "edwards-anderson"},
                                                               {"protocol.kind", "metropolis"},
                                                               {"protocol.kind", "sw"},
                                                               {"protocol.kind", "wolff-cluster"},
                                                               {"protocol.kind", "worm"},
                                                               {"model.boundary", "pbc"},
                                                               {"backend.kind", "gpu"}};
  for (const auto& [key, word] : given) {
    expect_refused(minimal_config, {std::string(key) + "=" + word}, InputFault::unknown, key);
  }
  for (const char* key : {"beta", "replicas", "model.N", "sweeps", "rng.seed"}) {
    expect_refused(minimal_config, {std::string(key) + "=1"}, InputFault::unknown, key);
  }
}

/// No word is answered with a name that is merely near, as 'antiferromagnet' with ferromagnet.
TEST_F(ForeignWordsInConfigurations, AreNotTakenForSlips) {
  for (const ForeignWords& row : all_foreign_words()) {
    if (key_named(row.subject) == nullptr) continue;
    for (const std::string& word : words_of(row)) {
      EXPECT_THAT([&] { load(minimal_config, {std::string(row.subject) + "=" + word}); },
                  Refuses(InputFault::unknown, std::string(row.subject)).in_any_words())
          << row.subject << " = " << word;
      try {
        load(minimal_config, {std::string(row.subject) + "=" + word});
      } catch (const InputError& error) {
        EXPECT_TRUE(std::string(error.what()).ends_with(row.sentence)) << error.what();
      }
    }
  }
}

}}  // namespace glassworks
