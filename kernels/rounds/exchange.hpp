#pragma once

#include <cstdint>

#include "kernels/core/math.hpp"
#include "kernels/rounds/chain.hpp"

namespace glassworks { inline namespace rounds {

/// Parallel tempering between slots t and t+1: accepted with p = min[1, exp((beta_{t+1} - beta_t)(E_{t+1} - E_t))].
///
/// energy_low, energy_high  fixed-point energies of the configurations at slots t and t+1
/// unit                     value of one fixed-point step [J]
/// The difference of energies is exact; beta is the float that the heat bath uses.
[[nodiscard]] GLASSWORKS_HD bool exchange_accepted(float beta_low, float beta_high, std::int64_t energy_low,
                                                   std::int64_t energy_high, double unit, std::uint32_t random_word) {
  const double difference = static_cast<double>(energy_high - energy_low) * unit;
  const double exponent = (static_cast<double>(beta_high) - static_cast<double>(beta_low)) * difference;
  if (exponent >= 0.0) return true;
  const float x = exponent < -87.0 ? -87.0F : static_cast<float>(exponent);
  return exact::uniform<float>(random_word) < exact::exp_negative(x);
}

/// First pair and stride of the exchanges of a step: sequential 0, 1, 2, ...; even-odd alternates with the step; none
/// begins beyond every ladder.
struct ExchangePairs {
  int first, stride;
};
[[nodiscard]] GLASSWORKS_HD ExchangePairs exchange_pairs(ExchangeSchedule schedule, std::uint64_t step) {
  if (schedule == ExchangeSchedule::sequential) return {0, 1};
  if (schedule == ExchangeSchedule::none) return {1 << 30, 1};
  return {static_cast<int>(step & 1U), 2};
}

/// Whether exchanges move replicas to other slots: a step that is not measured then needs their energies.
[[nodiscard]] inline bool exchanges_move_replicas(const Chain& chain) {
  return chain.protocol.exchange != ExchangeSchedule::none && chain.slots() > 1;
}

/// Exchanges of a pair that exchange_pairs tries in steps [first, first + steps), one copy.
[[nodiscard]] constexpr std::uint64_t exchange_attempts(ExchangeSchedule schedule, int pair, std::uint64_t first,
                                                        std::uint64_t steps) {
  if (schedule == ExchangeSchedule::none) return 0;
  if (schedule == ExchangeSchedule::sequential) return steps;
  const std::uint64_t offset = (first + static_cast<std::uint64_t>(pair)) & 1U;  // steps until the pair is first tried
  return steps > offset ? (steps - offset + 1) / 2 : 0;
}

/// Heading of a replica that now stands in `slot`, and whether it has just completed a round trip.
struct Heading {
  std::int8_t heading;
  bool round_trip;
};
[[nodiscard]] GLASSWORKS_HD Heading next_heading(std::int8_t heading, int slot, int slots) {
  if (slots > 1 && slot == 0) return {1, heading == -1};
  if (slots > 1 && slot == slots - 1 && heading == 1) return {-1, false};
  return {heading, false};
}

/// Exchanges of all copies of one realization after step `step`, and the walk that follows from them.
///
/// energy    fixed-point energy of every replica [replica]
/// state     slot, heading and round trips are updated
/// record    attempts and acceptances are counted
/// replica_at  scratch [slots]
/// Random words: stream exchange, word 0 of (realization, copy * slots, step, pair).
void exchange_replicas(const Chain& chain, std::uint32_t realization, std::uint64_t step, const std::int64_t* energy,
                       double energy_unit, ChainState& state, RoundRecord& record, int* replica_at);

}}  // namespace glassworks::rounds
