#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "kernels/rounds/backend.hpp"
#include "kernels/rounds/round_teams.hpp"

namespace glassworks { inline namespace rounds {

/// The replicas of one realization in the layout of a backend: what moves them, measures them and stores their spins.
/// The course of a round, the exchanges and the record are the same for all (round_driver.hpp).
///
/// Every member of the team calls step and measure, which may contain barriers; all members meet before and after each
/// call. `state` has the slots of the replicas; its spins are empty.
class Replicas {
 public:
  virtual ~Replicas() = default;

  /// All updates of step state.steps. observe: a measurement follows.
  virtual void step(const ChainState& state, bool observe, int member, Team& team) = 0;
  /// Fixed-point energies after a step that a measurement or an exchange follows [replica]; after others they may be
  /// old ones. Called by one member, after all have left the step.
  [[nodiscard]] virtual std::span<const std::int64_t> energies() = 0;
  /// Adds measurement m = 0, 1, ... of the round to the means and samples of the record.
  virtual void measure(int m, const ChainState& state, RoundRecord& record, int member, Team& team) = 0;
  /// Throws if a sum of the round went beyond its range; one call when all rounds of the batch are done.
  virtual void check(const RoundRecord& record) const { (void)record; }
  /// Puts the spins in place; `state` has those from before the round, to be written over.
  virtual void store(ChainState& state) = 0;
};

}}  // namespace glassworks::rounds
