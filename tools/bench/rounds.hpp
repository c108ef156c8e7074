#pragma once

#include <vector>

#include "tools/bench/updates.hpp"

namespace glassworks { inline namespace tools {

constexpr int bench_slots = 32;

/// Whole rounds of a batch of 2 x threads realizations.
struct ThreadResult {
  int L = 0, threads = 0, batch = 0;
  Spread update;          ///< ns per spin update of the machine
  double speed_up = 0.0;  ///< over one thread
};

/// A whole round of one realization on one thread against its sweeps alone.
struct ShareResult {
  int L = 0, copies = 0, measurements = 0;
  Spread round, sweeps;  ///< ns per spin update

  /// Part of the round that exchanges, measurements, loading and storing take.
  [[nodiscard]] double overhead() const { return 1.0 - sweeps.median / round.median; }
};

/// Thread counts 1, 2, 4, ... and the largest one.
[[nodiscard]] std::vector<int> thread_counts(int largest);

/// Memory of all batches of bench_threads, which are held together [bytes].
[[nodiscard]] double bytes_of_threads(const BenchOptions& options, int L);

/// n_M = 10, n_B = 1, n_A = 10, 32 slots at T = 0.2 to 1, with the best of the instruction sets chosen.
[[nodiscard]] std::vector<ThreadResult> bench_threads(const BenchOptions& options, int L);
[[nodiscard]] std::vector<ShareResult> bench_shares(const BenchOptions& options, int L);

}}  // namespace glassworks::tools
