#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "kernels/rounds/chain.hpp"
#include "kernels/rounds/round_control.hpp"

namespace glassworks { inline namespace series {
class SeriesMeasurer;
}}  // namespace glassworks::series

namespace glassworks { inline namespace rounds {

/// A realization that a backend is to hold, with its state. The disorder outlives the batch.
struct HeldTask {
  std::uint32_t realization = 0;
  const Disorder* disorder = nullptr;
  ChainState state;
};

/// What a step is exposed to.
struct Conditions {
  std::vector<float> beta;  ///< 1/T of each slot [slot]
  float field = 1.0F;       ///< factor of all site fields of the disorder, -1 to 1

  bool operator==(const Conditions&) const = default;
};

/// How long a round is: `measurements` times `steps` steps and a measurement, or `steps` steps alone.
struct RoundLength {
  int steps = 1, measurements = 1;

  [[nodiscard]] std::uint64_t total() const {
    return static_cast<std::uint64_t>(steps) * static_cast<std::uint64_t>(measurements > 0 ? measurements : 1);
  }
};

/// Gives a chain without samples these conditions and this length of a round.
void set_round(Chain& chain, const Conditions& conditions, RoundLength length);
/// A field of a realization times a factor; never -0.
[[nodiscard]] inline float scaled_field(float field, float factor) { return factor * field + 0.0F; }
/// All fields of a realization times a factor. Throws std::runtime_error where it has none, unless the factor is 1.
[[nodiscard]] std::vector<float> scaled_fields(const Disorder& disorder, float factor);

/// XXH3-128 in the canonical order of its bytes.
using StateDigest = std::array<std::byte, 16>;

/// Realizations of one chain that a backend simulates round after round, or piece by piece of a course. Their states
/// stay where it works: between rounds nothing but records and digests crosses to the host. The backend outlives it,
/// and a backend holds one batch at a time.
class HeldBatch {
 public:
  virtual ~HeldBatch() = default;

  /// Runs the next round of every task and fills its record [task]. If the round is abandoned or throws, states and
  /// records are unchanged.
  virtual RoundOutcome run_round(std::span<RoundRecord> records, RoundControl& control) = 0;

  /// Conditions and length of the rounds from now on; those of the chain, until then. Of a chain without samples.
  virtual void set_conditions(const Conditions& conditions, RoundLength length) = 0;

  /// The state of a task after the last finished round.
  [[nodiscard]] virtual ChainState state(std::size_t task) const = 0;
  /// The same where it lies in the memory of the host; else null.
  [[nodiscard]] virtual const ChainState* state_in_memory(std::size_t task) const {
    (void)task;
    return nullptr;
  }
  /// Digests of all states (db/FORMAT.md), made where they lie [task]; empty where the host has to make them.
  [[nodiscard]] virtual std::vector<StateDigest> digests() const { return {}; }
  /// Seconds of its rounds that went into measurements of a course, so far; 0 where they are parts of the rounds.
  [[nodiscard]] virtual double measuring_seconds() const { return 0.0; }
  /// Measures courses where the states lie; null where the host has to.
  [[nodiscard]] virtual SeriesMeasurer* series_measurer() { return nullptr; }
};

}}  // namespace glassworks::rounds
