#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/config/config.hpp"

namespace glassworks { inline namespace tools {

/// A figure, and ends between which it lies in nine of ten cases.
struct Ranged {
  double value = 0.0, low = 0.0, high = 0.0;

  Ranged& operator+=(const Ranged& other) {
    value += other.value;
    low += other.low;
    high += other.high;
    return *this;
  }
  [[nodiscard]] Ranged times(double factor) const { return {factor * value, factor * low, factor * high}; }
};

/// How long the history of a pilot is, and has to be.
struct PilotLength {
  double rounds = 0.0;    ///< simulated
  double expected = 0.0;  ///< in all, by the decision after them; `rounds` where it has ended
  double tau = 0.0;       ///< that decides on the length [measurements]; 0: no time decides
  bool ended = false;     ///< converged, or at max_rounds
  bool resolved = false;  ///< whether the history resolves tau
};

/// What words of multi-spin coding cost while realizations leave them.
struct WordCost {
  int lanes = 1;        ///< realizations of a word
  double shared = 0.0;  ///< share of the time of a full word that a word with a single realization takes
};

/// Rounds that a realization of a size needs, averaged over all of them, by pilots of this size. With words a
/// realization also pays for the rounds that its word goes on without it.
///
/// The value is the mean of the pilots. Its error is that of a log-normal distribution of their lengths, whose width
/// takes a width of 0.6 (a factor of 1.8 between realizations) for granted as if two pilots had shown it. A pilot that
/// has not ended needs at least the rounds to its next look, and at most twice what is expected. Where groups stop
/// together (convergence.group_share), pilots count as one group.
///
/// pilots        at least one
/// realizations  of the campaign; pilots are the first of them, and all of them together have no error
[[nodiscard]] Ranged mean_rounds(std::span<const PilotLength> pilots, const ConvergenceConfig& config, int realizations,
                                 const WordCost& words = {});

/// The pilots of a size.
struct PilotedSize {
  int L = 0;
  int measurements = 1;  ///< of a round
  std::vector<PilotLength> pilots;
};

/// tau ~ L^exponent.
struct Growth {
  double exponent = 0.0, low = 0.0, high = 0.0;
  std::vector<int> sizes;  ///< that it was fitted to; empty: it is assumed
};

/// From the mean tau of sizes of pilots: a line through its logarithm, of which each size counts as much as it has
/// pilots. The ends are 3/4 and 3/2 of the exponent, or further apart by what the sizes scatter about the line. With
/// fewer than two sizes an exponent of 4 is assumed, 2 to 8.
[[nodiscard]] Growth growth_of_tau(std::span<const PilotedSize> sizes);

/// The same as mean_rounds for a size without pilots: the lengths of another size, each with its tau grown by
/// (L/L_0)^exponent, at the looks that follow. What a pilot needed beyond min_rounds grows as its tau.
///
/// from          largest size with pilots
/// measurements  of a round of size L
[[nodiscard]] Ranged extrapolated_rounds(const PilotedSize& from, const Growth& growth, int L, int measurements,
                                         const ConvergenceConfig& config, int realizations, const WordCost& words = {});

}}  // namespace glassworks::tools
