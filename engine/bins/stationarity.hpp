#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "kernels/rounds/chain_observables.hpp"

namespace glassworks { inline namespace engine {

/// Round means of an observable [round][slot].
using RoundMeans = std::vector<std::vector<double>>;

/// Two neighbouring logarithmic bins of one observable at one slot: bin k minus bin k + 1, where bin 0 is the last half
/// of the rounds, bin 1 the quarter before, bin 2 the eighth before.
struct BinComparison {
  std::string observable;
  int slot = 0, bin = 0;
  double difference = 0.0, error = 0.0;
  double deviation = 0.0;  ///< |difference| / error; 0 for 0/0, infinite where only the error is 0 or one is no number
};

/// RoundMeans with the name of the observable.
struct NamedMeans {
  std::string observable;
  RoundMeans means;
};

/// Copies of one realization are independent runs: a quantity of theirs must have one average. Copy 1 is compared with
/// each other one, over the last half of the rounds.
struct CopyTest {
  bool possible = false;  ///< needs two copies and 8 rounds
  double limit = 0.0;     ///< largest deviation that chance explains
  BinComparison worst;    ///< `bin` is the other copy, from 2
  std::size_t comparisons = 0;
  [[nodiscard]] bool agrees() const { return !possible || worst.deviation <= limit; }
};

/// Log-binning test of one realization: whether its observables, energy and |q|^2 of heisenberg, stand still over its
/// last three logarithmic bins.
struct LogBinningTest {
  bool possible = false;                   ///< needs at least 8 rounds
  int batch_rounds = 0, batches = 0;       ///< batches in the last half that give the error
  double limit = 0.0;                      ///< largest deviation that chance explains
  std::vector<BinComparison> comparisons;  ///< by observable, slot and bin
  std::size_t observables = 1;             ///< that were compared

  /// The comparison of largest deviation; there is one if the test was possible.
  [[nodiscard]] const BinComparison& worst() const;
  /// Possible, and no deviation beyond the limit.
  [[nodiscard]] bool agrees() const;
};

/// Probability that a realization that stands still fails the test, all its comparisons together, if batches are
/// independent and normal.
constexpr double log_binning_false_alarm = 0.01;

/// Deviation that one of `comparisons` exceeds with probability log_binning_false_alarm / comparisons (Bonferroni,
/// two-sided): a quantile of Student's t with batches - 2 degrees of freedom, batches >= 3.
[[nodiscard]] double deviation_limit(std::size_t comparisons, int batches);

/// Compares the bins [n/2, n), [n/4, n/2) and [n/8, n/4) of n rounds, each with the next. A bin of m rounds has the
/// error s sqrt(b/m), where s^2 is the variance of the means of batches of b rounds in the last half about their
/// regression line: correlations up to b rounds are part of it, a drift is not. With independent normal batches a
/// deviation follows Student's t exactly.
///
/// batch_rounds  wanted length b of a batch; shorter where the last half would not hold 8 of them, at least one round
[[nodiscard]] LogBinningTest log_binning(std::span<const NamedMeans> observables, double batch_rounds);

/// Compares the means of copies over the last half of the rounds, with the batches and the false-alarm probability of a
/// log-binning test of the same rounds: of the differences of two copies round by round, so that what moves both does
/// not count.
///
/// copies  means of a quantity, one entry for each copy
[[nodiscard]] CopyTest compare_copies(std::span<const NamedMeans> copies, const LogBinningTest& log_binning);

/// Length of a batch in units of tau: the error of a batch mean then lacks 13 % at most.
constexpr double batch_in_tau = 4.0;

/// Rounds of batches where tau is not known: as long as the history allows.
constexpr double longest_batches = std::numeric_limits<double>::infinity();

/// Bins of a history: the means of its round r [slot][observable].
using BinOfRound = std::function<std::span<const double>(std::size_t round)>;

/// The tests that a history must pass beside being long: those that chance fails with a stated probability.
struct StationarityTests {
  LogBinningTest log_binning;
  CopyTest copies;  ///< of the energy
};

/// Tests `rounds` rounds, at least one, as a rule asks (ConvergenceConfig::rule).
[[nodiscard]] StationarityTests test_stationarity(std::size_t rounds, const BinOfRound& bin, int slots,
                                                  const ChainObservables& observables, int rule, double batch_rounds);

/// Probability that a history in equilibrium fails log-binning, or the comparison of its copies, any number of
/// comparisons together: 1 % where rounds are independent. Batches of four tau lack part of the error, and those of
/// short histories are shorter still. Bounds of what AR(1) histories show (tests/engine/stationarity_test.cpp).
///
/// length  of the history [tau]
/// tau     [rounds], half a round where they are independent
[[nodiscard]] double false_alarm_of_log_binning(double length, double tau);
[[nodiscard]] double false_alarm_of_copies(double length, double tau);

}}  // namespace glassworks::engine
