#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "analysis/statistics/history.hpp"
#include "db/database.hpp"
#include "engine/bins/stationarity.hpp"
#include "engine/config/config.hpp"

namespace glassworks { inline namespace analysis {

/// Whether slots exchange replicas or are independent chains.
enum class Slots { exchange_replicas, are_independent };
/// Shortest history that resolves tau [tau]: a window of six tau fits into half of it or, with exchanges, into half of
/// its last 7/8.
[[nodiscard]] double shortest_history(Slots slots);
/// Whether the slots of a ladder with this number of temperatures exchange replicas.
[[nodiscard]] Slots slots_of(const Config& config, std::size_t temperatures);

/// Results of a realization, at its last decision, in the tests that fail by chance with a known probability
/// (test_stationarity).
///
/// A history shorter than shortest_tested_history is not tested: it fails by chance too often, and needs more rounds
/// first. With given lengths nothing is tested.
constexpr double shortest_tested_history = 16.0;  ///< [tau]
[[nodiscard]] HistoryTests test_history(const Config& config, const ChainObservables& observables,
                                        const RealizationRow& row, std::span<const RoundRow> rounds, std::size_t slots);

/// The tests of all realizations of a size, whether averages use them or not.
struct FailedTests {
  struct Count {
    int failed = 0;
    double rate = 0.0;  ///< mean over the realizations of the probability that chance fails it
  };
  int taken = 0;  ///< realizations that took them
  Count log_binning, copies;
  int failing = 0;  ///< realizations that fail one of both

  void add(const HistoryTests& tests);
};

/// Probability that chance fails as many of `taken` realizations, or more: the tail of the binomial distribution. Where
/// realizations have different rates it is nearly exact far above their mean, and too large (Hoeffding 1956).
[[nodiscard]] double chance_of(const FailedTests::Count& count, int taken);
/// The largest number of failures that is not significant at this level.
[[nodiscard]] int failures_allowed(double rate, int taken, double level);

/// Scatter of the copies of all realizations of a size at one slot.
struct CopyScatter {
  std::size_t slot = 0;
  int pairs = 0;       ///< of copies, in realizations that took the tests
  double ratio = 0.0;  ///< mean of z^2 over the pairs; 1 where copies agree, infinite where they do not move and differ
  double factor = 1.0;  ///< correlation_factor of all pairs
};

/// Copies of one realization are independent runs of one system. For each pair of copies, 1 and 2, 3 and 4, ..., t is
/// the difference of their energies over the equilibrated part in units of its error, from eight batches whose
/// neighbours are correlated (correlation_factor of all pairs). z is the normal deviate that chance exceeds as rarely
/// as Student's t with seven degrees of freedom exceeds t, so that n pairs that agree have a sum of z^2 that follows
/// chi^2_n, however different their errors are. Left out are histories of less than 20 tau, pairs without errors and
/// differences, and slots with fewer than eight pairs.
[[nodiscard]] std::vector<CopyScatter> scatter_of_copies(std::span<const RealizationSummary> summaries,
                                                         std::size_t slots);

/// Part by which the variance of z may be too large: batches of little more than one tau are correlated with more than
/// their neighbours.
constexpr double copy_error_margin = 1.5;

/// sqrt(ratio) that chance exceeds with probability `p`, and the probability that it exceeds `ratio`; with
/// copy_error_margin.
[[nodiscard]] double copy_threshold(const CopyScatter& scatter, double p);
[[nodiscard]] double chance_of(const CopyScatter& scatter);

}}  // namespace glassworks::analysis
