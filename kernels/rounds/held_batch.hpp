#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "kernels/rounds/chain.hpp"
#include "kernels/rounds/round_control.hpp"

namespace glassworks { inline namespace rounds {

/// A realization that a backend is to hold, with its state. The disorder outlives the batch.
struct HeldTask {
  std::uint32_t realization = 0;
  const Disorder* disorder = nullptr;
  ChainState state;
};

/// XXH3-128 in the canonical order of its bytes.
using StateDigest = std::array<std::byte, 16>;

/// Realizations of one chain that a backend simulates round after round. Their states stay where it works: between
/// rounds nothing but records and digests crosses to the host. The backend and the chain outlive it, and a backend
/// holds one batch at a time.
class HeldBatch {
 public:
  virtual ~HeldBatch() = default;

  /// The next round of every task, and its record [task]. Abandoned, or after an exception of run_round alone: states
  /// are those before it, and records are untouched.
  virtual RoundOutcome run_round(std::span<RoundRecord> records, RoundControl& control) = 0;

  /// The state of a task after the last finished round.
  [[nodiscard]] virtual ChainState state(std::size_t task) const = 0;
  /// The same where it lies in the memory of the host; else null.
  [[nodiscard]] virtual const ChainState* state_in_memory(std::size_t task) const {
    (void)task;
    return nullptr;
  }
  /// Digests of all states (db/FORMAT.md), made where they lie [task]; empty where the host has to make them.
  [[nodiscard]] virtual std::vector<StateDigest> digests() const { return {}; }
};

}}  // namespace glassworks::rounds
