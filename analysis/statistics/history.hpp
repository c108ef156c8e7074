#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/basics/columns.hpp"
#include "analysis/statistics/batch_mean.hpp"
#include "db/database.hpp"

namespace glassworks { inline namespace analysis {

/// Rounds [first, last) of a history.
struct RoundRange {
  std::uint32_t first = 0, last = 0;
  bool operator==(const RoundRange&) const = default;
};

/// What every average is taken over: rounds [equilibration, n) as the last decision about the realization judged, or
/// the last half, [n/2, n), where nothing was judged (0) or nothing would be left. n = 1: the one round.
[[nodiscard]] RoundRange equilibrated_part(std::uint32_t rounds, std::uint32_t equilibration);

/// Logarithmic bins, the last first: [n/2, n), [n/4, n/2), [n/8, n/4), ... down to round 0, with rounded-down halves.
[[nodiscard]] std::vector<RoundRange> logarithmic_bins(std::uint32_t rounds);

/// Length of the blocks of rounds whose means are taken as independent, and the tau that it was chosen by [rounds].
/// rounds = 0: no blocks; tau = 0: unknown.
struct RunBlocking {
  std::uint32_t rounds = 0;
  double tau = 0.0;
};

/// Whole blocks at the end of the equilibrated part: how many, their mean, and the sum of their squared deviations.
struct RunBlocks {
  std::uint32_t blocks = 0;
  double mean = 0.0, squares = 0.0;
};

/// Results of the stopping tests for the history of a realization, see test_history.
struct HistoryTests {
  bool taken = false;   ///< whether it was long enough, 16 tau, to take them
  double length = 0.0;  ///< at the last look [tau]
  bool log_binning_failed = false, copies_failed = false;
  double log_binning_rate = 0.0, copies_rate = 0.0;  ///< probability that chance fails it, of a history of this length
};

/// What is kept of the history of one realization.
struct RealizationSummary {
  RealizationKey key;
  std::uint32_t rounds = 0;
  std::uint64_t round_trips = 0;  ///< of all replicas in all rounds
  std::vector<double> mean;       ///< over the equilibrated part [slot][column of Columns]
  /// Means of the energy (0) and of the squared order parameter at k = 0 (1) in each logarithmic bin
  /// [bin][slot][quantity].
  std::vector<std::vector<double>> log_bin;
  /// The same of the order parameter at k_min, mean over its directions (0), and of |q_c|^2 at k = 0 (1); 0 where a
  /// model has no chirality [bin][slot][quantity].
  std::vector<std::vector<double>> further_bin = {};
  std::vector<RunBlocks> blocks;  ///< of the same quantities [slot][quantity]; empty unless asked for
  /// Energy of copy 1 less that of copy 2, 3 less 4, ... over the equilibrated part, in batches [slot][pair]
  std::vector<BatchMean> copies = {};
  HistoryTests tests = {};  ///< not made by summarize
};

/// Quantities of the logarithmic bins: the second is the order parameter of Columns, the overlap or the magnetization.
enum class LogBinQuantity { energy, overlap };
constexpr std::size_t log_bin_quantities = 2;

/// Quantities of further_bin.
constexpr std::size_t further_quantities = 2;

/// Reduces the whole history of a realization, at least one round. Each round has the same weight.
/// Throws std::runtime_error where a round has another shape than the campaign or holds a value that is not finite.
///
/// equilibration  rounds at the start that averages leave out, from the judgement of the realization; 0: not judged
/// block_rounds   length of the blocks; 0: none are wanted
[[nodiscard]] RealizationSummary summarize(RealizationKey key, std::span<const RoundRow> rounds, const Columns& columns,
                                           std::size_t slots, std::uint32_t equilibration = 0,
                                           std::uint32_t block_rounds = 0);

}}  // namespace glassworks::analysis
