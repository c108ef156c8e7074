#pragma once

#include <cstdint>
#include <span>

#include "engine/config/config.hpp"
#include "kernels/make_backend.hpp"
#include "kernels/rounds/course.hpp"

namespace glassworks { inline namespace scheduler {

/// A history that is to begin.
struct Beginning {
  std::uint32_t realization = 0;
  const Disorder* disorder = nullptr;
  ChainState* state = nullptr;  ///< out
};

/// Measurements' worth of steps (n_A each) that an annealing takes at every temperature of the ladder.
constexpr int annealing_measurements = 10;

/// The course of an annealing: the temperatures of the ladder one after the other, from the highest down, measured
/// every n_A steps, with a reference time at the end of each.
[[nodiscard]] Course annealing_course(const Chain& chain);

/// The chain that goes along it: one slot, whose replicas are the copies; its random numbers are those of
/// chain.cooling_key.
[[nodiscard]] Chain annealing_chain(const Chain& chain);

/// Makes the states that histories begin with, whatever the start of their chain is: the one place that does so.
///
/// random, ordered  initial_state of the kernels
/// annealed         each copy alone, from random spins, goes along annealing_course and leaves its spins behind in the
///                  replica that begins in the slot of each temperature. So all replicas of a copy begin in the valley
///                  that one slow annealing has found.
/// stored           the spins of campaign.start_from; temperature walk and steps begin anew
///
/// A start is a pure function of (configuration, seed, history, realization), and the same bits with every backend.
/// Returns false if `control` asked to stop; states are then partly made.
/// Throws InputError or FileError where a stored start is missing, has changed, or does not fit.
[[nodiscard]] bool make_starts(const Config& config, const Chain& chain, std::span<const Beginning> histories,
                               Backend& backend, RoundControl& control);

}}  // namespace glassworks::scheduler
