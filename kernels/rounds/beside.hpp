#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/rounds/chain.hpp"

namespace glassworks { inline namespace rounds {

/// Where the numbers stand that a local update keeps beside the spins of a realization (ChainState::beside): widths of
/// proposals [slot], then reserves [replica][site], each where the update has them.
struct BesideLayout {
  explicit BesideLayout(const Chain& chain);

  std::int64_t widths = 0;    ///< slots, or 0
  std::int64_t reserves = 0;  ///< replicas x sites, or 0
  std::int64_t sites = 0;

  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(widths + reserves); }
  [[nodiscard]] bool has_reserves() const { return reserves > 0; }
  [[nodiscard]] std::int64_t reserves_of(std::int64_t replica) const { return widths + replica * sites; }
};

/// Widths of first_width, and reserves of 0, which belong to no state that has made a step.
[[nodiscard]] std::vector<std::int64_t> initial_beside(const Chain& chain);

/// What a round begins with: the numbers of the state, with reserves drawn before the first step.
///
/// Reserves are multiples of the quantum g in which the energy of a site changes (1 unit of the energy scale for
/// vectors), g k with probability (1 - exp(-beta g)) exp(-beta g k): k = floor(ln u / (-beta g)), in double.
/// Stream initial_spins, sweep 1, block = site, word 0.
[[nodiscard]] std::vector<std::int64_t> beside_at_start(const Chain& chain, const Disorder& disorder,
                                                        std::uint32_t realization, const ChainState& state);

/// Quantum of the changes of energy of single sites [units of the energy scale]; 0 where none changes.
[[nodiscard]] std::int64_t energy_quantum(const Chain& chain, const Disorder& disorder);

/// Whether `steps` steps are among those of the first `adaptation` measurements.
[[nodiscard]] GLASSWORKS_HD constexpr bool is_adapting(const Protocol& protocol, std::uint64_t steps) {
  return steps <= static_cast<std::uint64_t>(protocol.exchanges_per_measurement) *
                      static_cast<std::uint64_t>(protocol.adaptation);
}
/// Whether widths are adapted after the measurement that follows `steps` steps: a function of the configuration alone.
[[nodiscard]] bool adapts_after(const Chain& chain, std::uint64_t steps);

/// Moves that local sweeps of a step propose in a replica: of the sites that have spins.
[[nodiscard]] std::uint64_t proposals_of_step(const Chain& chain, const Disorder& disorder);

/// Adapts the width of every slot. accepted: of its replicas in the last step [slot]; proposed: in a replica
void adapt_widths(const Chain& chain, std::span<const std::uint64_t> accepted, std::uint64_t proposed,
                  std::vector<std::int64_t>& beside);

}}  // namespace glassworks::rounds
