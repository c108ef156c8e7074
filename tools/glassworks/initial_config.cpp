#include "tools/glassworks/initial_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "base/text.hpp"
#include "engine/config/config.hpp"
#include "engine/config/config_value.hpp"
#include "engine/config/foreign_words.hpp"
#include "tools/glassworks/arguments.hpp"

namespace glassworks { inline namespace tools {
namespace {

constexpr std::size_t line_width = 118;

using Values = std::map<std::string, std::string>;

struct Example {
  std::string about;
  Values values;
};

const std::map<std::string, Example>& examples() {
  static const Values glass{{"model.L", "4, 6, 8"}, {"disorder.realizations", "64"}};
  static const Values vectors{{"model.couplings", "bimodal"},
                              {"ladder.T_min", "0.25"},
                              {"ladder.T_max", "0.9"},
                              {"ladder.slots", "16"},
                              {"protocol.overrelaxation", "10"}};
  const auto with = [](Values values, const Values& more) {
    values.insert(more.begin(), more.end());
    return values;
  };
  static const std::map<std::string, Example> all{
      {"heisenberg",
       {"the Heisenberg spin glass with Gaussian couplings in three dimensions",
        with(glass, {{"ladder.T_min", "0.12"}, {"ladder.T_max", "0.6"}, {"ladder.slots", "24"}})}},
      {"ising",
       {"the Ising spin glass with J = +-1 in three dimensions, by multi-spin coding, through its transition at T = "
        "1.10",
        {{"model.type", "ising"},
         {"model.couplings", "bimodal"},
         {"model.L", "4, 6, 8"},
         {"disorder.realizations", "512"},
         {"ladder.T_min", "0.9"},
         {"ladder.T_max", "2"},
         {"ladder.slots", "16"},
         {"protocol.multispin", "metropolis"},
         {"protocol.heatbath", "10"}}}},
      {"aging",
       {"aging: the Ising spin glass with J = +-1 in three dimensions, quenched to T = 0.7 at time 0",
        {{"model.type", "ising"},
         {"model.couplings", "bimodal"},
         {"model.L", "32"},
         {"disorder.realizations", "8"},
         {"replicas.copies", "16"},
         {"ladder.temperatures", "0.7"},
         {"course.sweeps", "10000"},
         {"course.waiting_times", "100, 1000"}}}},
      {"xy",
       {"the XY spin glass with J = +-1 in three dimensions", with(glass, with(vectors, {{"model.type", "xy"}}))}},
      {"on",
       {"the O(n) spin glass with n = 2 and J = +-1 in three dimensions",
        with(glass, with(vectors, {{"model.type", "on"}, {"model.n", "2"}}))}},
      {"potts",
       {"the pure Potts model with q = 3 in two dimensions, by Swendsen-Wang updates, around T_c = 0.99497",
        {{"model.type", "potts"},
         {"model.q", "3"},
         {"model.dim", "2"},
         {"model.L", "16, 32"},
         {"disorder.realizations", "16"},
         {"ladder.temperatures", "0.9, 0.95, 0.99497, 1.05, 1.1"},
         {"protocol.kind", "swendsen-wang"},
         {"protocol.exchange", "none"}}}},
      {"blume-capel",
       {"the Blume-Capel model (spins -1, 0, 1) with J = +-1 and the crystal field 0.5 in three dimensions",
        with(glass, {{"model.type", "blume-capel"},
                     {"model.crystal_field", "0.5"},
                     {"model.couplings", "bimodal"},
                     {"ladder.T_min", "0.5"},
                     {"ladder.T_max", "1.6"},
                     {"ladder.slots", "16"},
                     {"protocol.heatbath", "5"}})}},
      {"phi4",
       {"the pure O(4) model in four dimensions (phi^4 with lambda = inf), by Swendsen-Wang updates, around kappa = "
        "0.304",
        {{"model.type", "phi4"},
         {"model.lambda", "inf"},
         {"model.dim", "4"},
         {"model.L", "4, 6"},
         {"disorder.realizations", "16"},
         {"ladder.kappas", "0.29, 0.304, 0.32"},
         {"protocol.kind", "swendsen-wang"},
         {"protocol.exchange", "none"}}}},
  };
  return all;
}

/// Every key of the campaign with the value that it has.
Values effective_values(const Values& given) {
  std::string text;
  for (const auto& [key, value] : given) text += fmt::format("{} = {}\n", key, value);
  Config config = parse_config(text);
  config.round.samples_per_round.reset();  // which is none in stored campaigns that do not name it
  Values values;
  for (const std::string& line : split(canonical_text(config), '\n')) {
    const std::size_t equals = line.find(" = ");
    if (equals != line.npos) values[line.substr(0, equals)] = line.substr(equals + 3);
  }
  return values;
}

/// Whether to list a key that has its default, although stored configurations leave it out then.
bool is_worth_listing(const std::string& key, const std::string& model) {
  if (key == "model.lattice") return model != "heisenberg";
  return key == "model.boundary" || key == "campaign.note" || key == "checkpoint.interval";
}

/// Keys that do not fit the ladder that was given.
bool fits_ladder(const std::string& key, const Values& given) {
  if (!given.contains("ladder.temperatures") && !given.contains("ladder.kappas")) return key != "ladder.temperatures";
  if (key == "ladder.temperatures") return !given.contains("ladder.kappas");
  return key != "ladder.T_min" && key != "ladder.T_max" && key != "ladder.slots" && key != "ladder.kind";
}

/// Lines of a comment, each with "# ", broken between words.
std::string comment(std::string_view text) {
  std::string result, line = "#";
  for (const std::string& word : split(std::string(text), ' ')) {
    if (line.size() + 1 + word.size() > line_width) {
      result += line + '\n';
      line = "#";
    }
    line += ' ' + word;
  }
  return result + line + '\n';
}

}  // namespace

const std::vector<std::string>& initial_models() {
  static const std::vector<std::string> names{"heisenberg", "ising",       "xy",   "on",
                                              "potts",      "blume-capel", "phi4", "aging"};
  return names;
}

std::string initial_config(const std::string& model) {
  const auto found = examples().find(model);
  if (found == examples().end()) {
    const std::vector<std::string_view> names(initial_models().begin(), initial_models().end());
    throw InputError(
        InputFault::unknown, model,
        fmt::format("there is no model {} (there are {}). {}", in_quotes(model), enumeration(initial_models()),
                    advice_for("model.type", model, names, "Use one of these.")));
  }
  const Values& given = found->second.values;
  const Values effective = effective_values(given);
  std::string text = comment("A first campaign of " + found->second.about + ".");
  text += comment("Keys that begin with # have the value that the program would choose; remove the # to change it.");
  std::string section;
  for (const ConfigKey& key : config_keys()) {
    const auto set = given.find(key.name), other = effective.find(key.name);
    if (set == given.end()) {
      if (other == effective.end() && !is_worth_listing(key.name, model)) continue;
      if (!fits_ladder(key.name, given)) continue;
    }
    const std::size_t dot = key.name.find('.');
    if (key.name.substr(0, dot) != section) {
      section = key.name.substr(0, dot);
      text += fmt::format("\n[{}]\n", section);
    }
    text += comment(fmt::format("{} ({})", key.meaning, key.values));
    std::string value = set != given.end() ? set->second : other != effective.end() ? other->second : key.default_value;
    if (value.empty()) value = key.default_value;
    if (value == "none" && (key.values == "text" || key.values == "path")) value.clear();
    const std::string line = fmt::format("{} = {}", key.name.substr(dot + 1), value);
    text += fmt::format("{}{}\n", set != given.end() ? "" : "# ", line.substr(0, line.find_last_not_of(' ') + 1));
  }
  return text;
}

}}  // namespace glassworks::tools
