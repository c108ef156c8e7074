#include "tools/tune/protocol_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/models/model_facts.hpp"

namespace glassworks { inline namespace tools {
namespace {

struct KeyWords {
  TuneKey key;
  std::string_view option, name, symbol;
  int Protocol::*member;  ///< null: slots
};

constexpr std::array<KeyWords, 7> words{{
    {TuneKey::overrelaxation, "overrelaxation", "protocol.overrelaxation", "n_M", &Protocol::overrelaxation},
    {TuneKey::heatbath, "heatbath", "protocol.heatbath", "n_B", &Protocol::heatbath},
    {TuneKey::cluster_sweeps, "cluster-sweeps", "protocol.cluster_sweeps", "n_C", &Protocol::cluster_sweeps},
    {TuneKey::isoenergetic, "isoenergetic", "protocol.isoenergetic", "n_I", &Protocol::isoenergetic},
    {TuneKey::sweeps_per_exchange, "sweeps-per-exchange", "protocol.sweeps_per_exchange", "n_T",
     &Protocol::sweeps_per_exchange},
    {TuneKey::exchanges_per_measurement, "exchanges-per-measurement", "protocol.exchanges_per_measurement", "n_A",
     &Protocol::exchanges_per_measurement},
    {TuneKey::slots, "slots", "ladder.slots", "slots", nullptr},
}};

const KeyWords& words_of(TuneKey key) { return *std::ranges::find(words, key, &KeyWords::key); }

/// Sweeps of one step, n_T (n_C + n_M + n_B) times the repeats of tiles; at least 1.
double sweeps_per_step(const ProtocolChoice& choice, const SpinModel& model) {
  const Protocol& p = choice.protocol;
  const int clusters = p.kind == ProtocolKind::local ? 0 : p.cluster_sweeps;
  const int overrelaxation = model.is_discrete() ? 0 : p.overrelaxation;
  return static_cast<double>(p.sweeps_per_exchange) * p.tile_repeats *
         std::max(clusters + overrelaxation + p.heatbath, 1);
}

/// Why a key has no meaning for a configuration; empty if it has one.
std::string why_not(const Config& config, TuneKey key) {
  const Protocol& p = config.protocol;
  const bool exchanges = p.exchange != ExchangeSchedule::none;
  const bool counts_moves = key == TuneKey::overrelaxation || key == TuneKey::heatbath ||
                            key == TuneKey::cluster_sweeps || key == TuneKey::isoenergetic;
  if (counts_moves && !p.moves.empty()) return "protocol.moves says how often each move is made";
  switch (key) {
    case TuneKey::overrelaxation:
      return config.model.spins.is_discrete() ? "discrete spins have no over-relaxation" : "";
    case TuneKey::cluster_sweeps:
      return p.kind == ProtocolKind::local ? "protocol.kind = local has no cluster updates" : "";
    case TuneKey::isoenergetic:
      return facts_of(config.model.spins).isoenergetic && config.replicas.copies > 1
                 ? ""
                 : "isoenergetic moves are between two or four copies of ising";
    case TuneKey::sweeps_per_exchange:
      return exchanges ? "" : "there are no exchanges";
    case TuneKey::slots:
      if (!exchanges) return "without exchanges slots are independent of each other";
      return config.ladder.kind == LadderKind::list ? "ladder.kind = list names every temperature" : "";
    default:
      return "";
  }
}

std::vector<int> usual_values(const Config& config, const ProtocolChoice& base, TuneKey key) {
  const bool sweeps_alone = config.protocol.kind == ProtocolKind::local && base.protocol.overrelaxation == 0;
  const int n_A = base.protocol.exchanges_per_measurement;
  switch (key) {
    case TuneKey::overrelaxation:
      return config.protocol.kind == ProtocolKind::local ? std::vector{20, 10, 5, 3, 2, 1} : std::vector{0, 1, 5};
    case TuneKey::heatbath:
      return config.protocol.kind != ProtocolKind::local ? std::vector{0, 1, 2}
             : sweeps_alone                              ? std::vector{1, 2, 5}
                                                         : std::vector{1, 2};
    case TuneKey::cluster_sweeps:
      return {1, 2, 5};
    case TuneKey::isoenergetic:
      return {0, 1};
    case TuneKey::sweeps_per_exchange:
      return sweeps_alone ? std::vector<int>{} : std::vector{1, 2};  // else the same as n_B
    case TuneKey::exchanges_per_measurement:
      return {n_A / 2, 2 * n_A};
    default:
      return {static_cast<int>(std::lround(0.75 * base.slots)), static_cast<int>(std::lround(base.slots * 4.0 / 3.0))};
  }
}

}  // namespace

const std::vector<TuneKey>& tune_keys() {
  static const std::vector<TuneKey> keys = [] {
    std::vector<TuneKey> all;
    for (const KeyWords& one : words) all.push_back(one.key);
    return all;
  }();
  return keys;
}

std::string_view option_of(TuneKey key) { return words_of(key).option; }
std::string_view key_of(TuneKey key) { return words_of(key).name; }
std::string_view symbol_of(TuneKey key) { return words_of(key).symbol; }

int ProtocolChoice::at(TuneKey key) const {
  const auto member = words_of(key).member;
  return member == nullptr ? slots : protocol.*member;
}

void ProtocolChoice::set(TuneKey key, int value) {
  const auto member = words_of(key).member;
  (member == nullptr ? slots : protocol.*member) = value;
}

ProtocolChoice configured_choice(const Config& config, std::size_t size_index) {
  return {config.protocol, static_cast<int>(ladder_temperatures(config, size_index).size())};
}

Config with_choice(const Config& config, std::size_t size_index, const ProtocolChoice& choice) {
  Config changed = config;
  changed.protocol = choice.protocol;
  if (changed.protocol.isoenergetic == 0) changed.protocol.isoenergetic_T_max = 0.0;
  if (configured_choice(config, size_index).slots == choice.slots) return changed;
  std::vector<int> slots;
  for (std::size_t i = 0; i < config.model.L.size(); ++i) {
    slots.push_back(i == size_index ? choice.slots : configured_choice(config, i).slots);
  }
  if (std::ranges::adjacent_find(slots, std::ranges::not_equal_to()) == slots.end()) slots.resize(1);
  changed.ladder.slots = std::move(slots);
  return changed;
}

double sweeps_per_measurement(const ProtocolChoice& choice, const SpinModel& model) {
  return choice.protocol.exchanges_per_measurement * sweeps_per_step(choice, model);
}

ProtocolChoice varied(const ProtocolChoice& base, const SpinModel& model, const std::map<TuneKey, int>& values) {
  ProtocolChoice choice = base;
  double sweeps = sweeps_per_measurement(base, model);
  for (const auto& [key, value] : values) {
    if (key != TuneKey::exchanges_per_measurement) {
      choice.set(key, value);
    } else {
      sweeps *= static_cast<double>(value) / base.protocol.exchanges_per_measurement;
    }
  }
  choice.protocol.exchanges_per_measurement =
      static_cast<int>(std::max(std::lround(sweeps / sweeps_per_step(choice, model)), 1L));
  return choice;
}

std::string difference_text(const ProtocolChoice& base, const ProtocolChoice& choice, const SpinModel& model) {
  std::string text;
  std::map<TuneKey, int> others;
  for (const TuneKey key : tune_keys()) {
    if (choice.at(key) == base.at(key)) continue;
    if (key == TuneKey::exchanges_per_measurement) continue;
    others[key] = choice.at(key);
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", symbol_of(key), choice.at(key));
  }
  constexpr TuneKey n_A = TuneKey::exchanges_per_measurement;
  if (varied(base, model, others).at(n_A) != choice.at(n_A)) {
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", symbol_of(n_A), choice.at(n_A));
  }
  return text.empty() ? "as configured" : text;
}

std::vector<TuneAxis> tune_axes(const Config& config, std::size_t size_index,
                                const std::map<TuneKey, std::vector<int>>& given) {
  const ProtocolChoice base = configured_choice(config, size_index);
  std::vector<TuneAxis> axes;
  for (const TuneKey key : tune_keys()) {
    const auto found = given.find(key);
    const bool asked = found != given.end();
    if (!asked && !given.empty()) continue;
    if (const std::string reason = why_not(config, key); !reason.empty()) {
      if (!asked) continue;
      throw InputError(InputFault::conflict, fmt::format("--{}", option_of(key)),
                       fmt::format("--{} cannot be used here ({}). Leave the option out.", option_of(key), reason));
    }
    TuneAxis axis{key, {}};
    for (const int value : asked ? found->second : usual_values(config, base, key)) {
      if (value == base.at(key) || std::ranges::find(axis.values, value) != axis.values.end()) continue;
      try {
        if (key == TuneKey::exchanges_per_measurement && value < 1) {
          throw InputError(InputFault::out_of_range, "protocol.exchanges_per_measurement",
                           "Measurements cannot follow each other without steps (n_A = 0). Use 1 or more.");
        }
        validate(with_choice(config, size_index, varied(base, config.model.spins, {{key, value}})));
        axis.values.push_back(value);
      } catch (const InputError&) {
        if (asked) throw;
      }
    }
    if (!axis.values.empty()) axes.push_back(std::move(axis));
  }
  return axes;
}

}}  // namespace glassworks::tools
