#include <fmt/format.h>

#include <algorithm>

#include "engine/loading/config_validate.hpp"

namespace glassworks { inline namespace engine {
namespace {

void validate_temperature(const char* key, double T) {
  if (T >= lowest_temperature && T <= highest_temperature) return;
  const char* const reason = T > 0.0 ? "out of range" : "not a positive temperature";
  const char* const also = T > 0.0 ? ", or scale couplings, fields and temperatures together" : "";
  throw InputError(InputFault::out_of_range, key,
                   fmt::format("{} = {} is {} ({:g} to {:g}). Choose a temperature in this range{}.", key, T, reason,
                               lowest_temperature, highest_temperature, also));
}

void validate_list(const LadderConfig& ladder) {
  const std::size_t n = ladder.temperatures.size();
  if (n == 0)
    throw InputError(InputFault::missing, "ladder.temperatures",
                     "ladder.temperatures is missing (ladder.kind = list needs it). Add the temperatures.");
  if (n > static_cast<std::size_t>(max_slots)) {
    throw InputError(InputFault::too_large, "ladder.temperatures",
                     fmt::format("ladder.temperatures holds {} entries (at most {}). Shorten the list.", n, max_slots));
  }
  if (ladder.T_min != 0.0 || ladder.T_max != 0.0) {
    throw InputError(
        InputFault::conflict, "ladder.T_min, ladder.T_max",
        "ladder.T_min and ladder.T_max are given without use (ladder.kind is list). Remove them, or the list "
        "of temperatures.");
  }
  for (std::size_t i = 0; i < n; ++i) {
    const double T = ladder.temperatures[i];
    validate_temperature("ladder.temperatures", T);
    if (i > 0 && !(ladder.temperatures[i - 1] < T)) {
      throw InputError(
          InputFault::malformed, "ladder.temperatures",
          fmt::format("ladder.temperatures is not ascending ({} comes before {}). Sort the list and remove "
                      "repeated entries.",
                      ladder.temperatures[i - 1], T));
    }
  }
  for (const int slots : ladder.slots) {
    if (slots == static_cast<int>(n)) continue;
    throw InputError(InputFault::conflict, "ladder.slots",
                     fmt::format("ladder.slots = {} contradicts the {} entries of ladder.temperatures (one slot each). "
                                 "Remove ladder.slots.",
                                 slots, n));
  }
}

void validate_range_ladder(const LadderConfig& ladder) {
  if (!ladder.temperatures.empty()) {
    throw InputError(
        InputFault::conflict, "ladder.temperatures",
        "ladder.temperatures is given without use (ladder.kind is not list). Remove it or set ladder.kind = "
        "list.");
  }
  validate_temperature("ladder.T_min", ladder.T_min);
  validate_temperature("ladder.T_max", ladder.T_max);
  if (ladder.T_min >= ladder.T_max) {
    throw InputError(
        InputFault::conflict, "ladder.T_min",
        fmt::format("ladder.T_min = {} is not below ladder.T_max = {} (the ladder ascends). Exchange them or "
                    "use ladder.temperatures for a single one.",
                    ladder.T_min, ladder.T_max));
  }
  if (ladder.slots.empty() && ladder.kind == LadderKind::linear) {
    throw InputError(InputFault::conflict, "ladder.slots",
                     "ladder.slots = auto does not fit ladder.kind = linear (the expected acceptance is flat on a "
                     "geometric ladder only). Give the number of slots or use geometric.");
  }
  for (const int slots : ladder.slots) {
    if (slots >= 2 && slots <= max_slots) continue;
    throw InputError(
        InputFault::out_of_range, "ladder.slots",
        fmt::format("ladder.slots = {} is out of range (2 to {}; one temperature alone is a list). Choose a "
                    "number of slots in this range, or auto.",
                    slots, max_slots));
  }
}

/// Pilots are the realizations 0, 1, ... in every campaign, so that all campaigns of a size get the same ladder.
void validate_adaptation(const Config& config) {
  const LadderConfig& ladder = config.ladder;
  if (ladder.adapt != LadderAdaptation::none && config.model.couplings == CouplingKind::files &&
      config.disorder.first_realization > 0) {
    throw InputError(
        InputFault::conflict, "ladder.adapt",
        fmt::format("ladder.adapt does not fit disorder.first = {} with model.couplings = files (the pilots that adapt "
                    "a ladder are the realizations from 0 on). Give the temperatures of the campaign that begins with "
                    "realization 0 as ladder.temperatures.",
                    config.disorder.first_realization));
  }
  if (ladder.adapt != LadderAdaptation::none && ladder.kind == LadderKind::list) {
    throw InputError(InputFault::conflict, "ladder.adapt",
                     "ladder.adapt does not fit ladder.kind = list (a list fixes all temperatures). Give T_min and "
                     "T_max instead, or leave ladder.adapt out.");
  }
}

void validate_isoenergetic(const Config& config) {
  const double T_max = config.protocol.isoenergetic_T_max;
  if (T_max == 0.0) return;
  constexpr auto key = "protocol.isoenergetic_T_max";
  if (config.protocol.isoenergetic == 0) {
    throw InputError(InputFault::conflict, key,
                     fmt::format("{} = {} is given without isoenergetic moves (it is their highest temperature). Set "
                                 "protocol.isoenergetic, or leave it out.",
                                 key, T_max));
  }
  for (std::size_t i = 0; i < config.model.L.size(); ++i) {
    if (make_chain(config, i).isoenergetic_slots() > 0) continue;
    throw InputError(InputFault::conflict, key,
                     fmt::format("{} = {} is below the lowest temperature of the ladder (no copies would make "
                                 "isoenergetic moves). Raise it, or leave it out for moves at all temperatures.",
                                 key, T_max));
  }
}

}  // namespace

void validate_ladder(const Config& config) {
  const LadderConfig& ladder = config.ladder;
  if (ladder.kind == LadderKind::list) {
    validate_list(ladder);
  } else {
    validate_range_ladder(ladder);
  }
  validate_adaptation(config);
  for (std::size_t i = 0; i < config.model.L.size(); ++i) {
    const std::vector<float> beta = make_chain(config, i).beta;
    const auto pair = std::adjacent_find(beta.begin(), beta.end(), [](float a, float b) { return !(a > b); });
    if (pair == beta.end()) continue;
    throw InputError(InputFault::out_of_range, "T",
                     fmt::format("The temperatures of the ladder are too close near T = {:.6g} (equal in single "
                                 "precision). Use fewer slots or a wider range.",
                                 1.0 / static_cast<double>(*pair)));
  }
  validate_isoenergetic(config);
}

}}  // namespace glassworks::engine
