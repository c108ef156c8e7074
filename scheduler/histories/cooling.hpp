#pragma once

#include <cstdint>
#include <span>

#include "kernels/make_backend.hpp"

namespace glassworks { inline namespace scheduler {

/// An initial state that is to be cooled.
struct CoolingTask {
  std::uint32_t realization = 0;
  const Disorder* disorder = nullptr;
  ChainState* state = nullptr;
};

/// Measurements' worth of steps (n_A each, without exchanges) that a cooling takes at every temperature of the ladder.
constexpr int cooling_measurements = 10;

/// Makes annealed starts of initial states where the chain has them (Start::annealed), else leaves these as they are:
/// each copy alone, from random spins, is simulated at the temperatures of the ladder one after the other, from the
/// highest down, and leaves its spins behind in the replica that begins in that slot. So all replicas of a copy begin
/// in the valley that one slow cooling has found.
///
/// The random numbers are those of chain.cooling_key with replica = copy and steps that count through all temperatures:
/// a pure function of (configuration, seed, history, realization), and the same bits with every backend.
///
/// Returns false if `control` asked to stop; states are then as they were, or partly cooled.
[[nodiscard]] bool cool(const Chain& chain, std::span<const CoolingTask> tasks, Backend& backend,
                        RoundControl& control);

}}  // namespace glassworks::scheduler
