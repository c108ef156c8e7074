#pragma once

#include <array>
#include <string_view>
#include <vector>

namespace glassworks { inline namespace engine {

enum class LadderKind { geometric, linear, list };
enum class LadderAdaptation { none, rejection, feedback };

struct LadderConfig {
  LadderKind kind = LadderKind::geometric;
  double T_min = 0.0, T_max = 0.0;
  std::vector<int> slots;  ///< empty: auto; one entry: for all sizes; else one per size
  std::vector<double> temperatures;
  std::vector<double> kappas;  ///< as given for phi4; load_config turns them into temperatures and leaves this empty
  LadderAdaptation adapt = LadderAdaptation::none;
  int pilots = 8;         ///< realizations 0 .. pilots - 1 of each size, which the ladder is adapted with
  int adapt_rounds = 12;  ///< of the pilots, before the ladder is frozen
};

constexpr auto enum_names(LadderKind) { return std::to_array<std::string_view>({"geometric", "linear", "list"}); }
constexpr auto enum_names(LadderAdaptation) {
  return std::to_array<std::string_view>({"none", "rejection", "feedback"});
}

/// Rows of the keys ladder.*; see KeyRows.
template <class Rows>
void ladder_keys(const Rows& rows) {
  const auto has_ends = [](const auto& config) { return config.ladder.kind != LadderKind::list; };
  const auto lacks_list = [](const auto& config) {
    return config.ladder.kind == LadderKind::list && config.ladder.temperatures.empty();
  };
  const auto never = [](const auto&) { return false; };

  rows.choice("ladder.kind", &LadderConfig::kind, "spacing of the temperatures")
      .with_default("geometric; list if temperatures are given");
  rows.value("ladder.T_min", "0.001 to 1e9", &LadderConfig::T_min, "lowest temperature")
      .required_if(has_ends)
      .with_default("required unless list");
  rows.value("ladder.T_max", "0.001 to 1e9", &LadderConfig::T_max, "highest temperature")
      .required_if(has_ends)
      .with_default("required unless list");
  rows.per_size_or_auto(
      "ladder.slots", "auto, a number, or one per L", &LadderConfig::slots,
      "temperatures between T_min and T_max, 2 to 1024; auto (geometric only): expected acceptance 0.3",
      "Give a number of slots, one per size, or auto.");
  rows.value("ladder.temperatures", "list, ascending", &LadderConfig::temperatures, "all temperatures of kind list")
      .required_if(lacks_list);
  rows.value("ladder.kappas", "list", &LadderConfig::kappas, "of phi4, instead of temperatures: T = 1/(2 kappa)")
      .only_of(never);
  rows.choice("ladder.adapt", &LadderConfig::adapt,
              "places the temperatures between T_min and T_max by pilot rounds: equal rejection, or feedback");
  rows.number("ladder.pilots", {1, 4096}, &LadderConfig::pilots, "realizations of each size that adapt its ladder");
  rows.number("ladder.adapt_rounds", {2, 1000}, &LadderConfig::adapt_rounds,
              "rounds of the pilots before the ladder is frozen");
}

}}  // namespace glassworks::engine
