#include "engine/checkpoint/checkpoint_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace glassworks { inline namespace engine {

namespace {

/// |s|^2: far beyond what rounding does in 10^9 sweeps.
constexpr float smallest_square = 0.5F, largest_square = 1.5F;

std::string walk_fault(const ChainState& state, const CheckpointIdentity& identity) {
  const auto slots = static_cast<std::size_t>(identity.slots);
  std::vector<bool> taken;
  for (std::size_t r = 0; r < state.slot.size(); ++r) {
    if (r % slots == 0) taken.assign(slots, false);
    const std::size_t slot = state.slot[r];
    if (slot >= slots) return fmt::format("replica {} is in slot {} of {}", r, slot, slots);
    if (taken[slot]) return fmt::format("two replicas of copy {} are in slot {}", r / slots, slot);
    taken[slot] = true;
    if (state.heading[r] < -1 || state.heading[r] > 1) {
      return fmt::format("the heading of replica {} is {}", r, static_cast<int>(state.heading[r]));
    }
    if (state.round_trips[r] > state.steps) {
      return fmt::format("replica {} has made {} round trips in {} exchanges", r, state.round_trips[r], state.steps);
    }
  }
  return {};
}

std::string vector_fault(const ChainState& state, const CheckpointIdentity& identity) {
  const auto sites = static_cast<std::size_t>(identity.sites());
  const auto components = static_cast<std::size_t>(identity.components);
  std::vector<float> square(sites);
  for (std::size_t r = 0; r * components * sites < state.spins.size(); ++r) {
    const std::span<const float> spins = std::span(state.spins).subspan(r * components * sites, components * sites);
    std::fill(square.begin(), square.end(), 0.0F);
    for (std::size_t c = 0; c < components; ++c) {
      for (std::size_t i = 0; i < sites; ++i) {
        if (!std::isfinite(spins[c * sites + i])) return fmt::format("a spin of replica {} is not finite", r);
        square[i] += spins[c * sites + i] * spins[c * sites + i];
      }
    }
    if (!identity.unit_vectors) continue;
    for (const float s : square) {
      if ((s >= smallest_square && s <= largest_square) || (s == 0.0F && identity.may_be_absent)) continue;
      return fmt::format("a spin of replica {} has length {:.3g} instead of 1", r, std::sqrt(s));
    }
  }
  return {};
}

}  // namespace

/// In floating point, which no number from a file overflows.
std::uint64_t state_bytes(const CheckpointIdentity& identity) {
  if (identity.dim < 1 || identity.dim > 4 || identity.L < 1 || identity.copies < 1 || identity.slots < 1 ||
      identity.components < 0) {
    return 0;
  }
  const double replicas = static_cast<double>(identity.copies) * identity.slots;
  const double site = identity.components == 0 ? 1.0 : 4.0 * identity.components;
  const double beside = 8.0 * (static_cast<double>(identity.widths) + static_cast<double>(identity.reserves));
  const double kept_spins = identity.components == 0 ? 0.0 : replicas * site * identity.sites();
  const double kept = static_cast<double>(identity.references.size()) *
                      (24.0 + 8.0 * static_cast<double>(identity.kept_words) + kept_spins);
  const double bytes = replicas * (7.0 + site * identity.sites()) + beside + kept;
  return bytes < 0x1p50 ? static_cast<std::uint64_t>(bytes) : 0;
}

std::string impossible_value(const ChainState& state, const CheckpointIdentity& identity) {
  if (identity.steps != 0 && state.steps != identity.steps) {
    return fmt::format("it has made {} exchanges instead of {}", state.steps, identity.steps);
  }
  if (std::string fault = walk_fault(state, identity); !fault.empty()) return fault;
  if (identity.states > 0) {
    const auto wrong = std::find_if(state.states.begin(), state.states.end(), [&](std::uint8_t sigma) {
      return sigma >= identity.states && sigma != identity.absent_state;
    });
    if (wrong != state.states.end()) {
      return fmt::format("a spin is in state {}; there are {}", static_cast<int>(*wrong), identity.states);
    }
  }
  const auto widths = std::span(state.beside).first(std::min<std::size_t>(identity.widths, state.beside.size()));
  const auto possible = [](std::int64_t width) { return width >= smallest_width && width <= largest_width; };
  if (!std::ranges::all_of(widths, possible)) return "a width of proposals is out of its range";
  const auto reserves = std::span(state.beside).subspan(widths.size());
  if (std::ranges::any_of(reserves, [](std::int64_t energy) { return energy < 0; })) return "a reserve is negative";
  return vector_fault(state, identity);
}

}}  // namespace glassworks::engine
