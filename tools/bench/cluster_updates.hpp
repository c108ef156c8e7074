#pragma once

#include <string>
#include <vector>

#include "kernels/make_backend.hpp"
#include "tools/bench/timing.hpp"

namespace glassworks { inline namespace tools {

struct ClusterBenchOptions {
  std::vector<int> sizes{256, 1024};
  std::vector<InstructionSet> sets;
  int repeats = 7;
  double seconds = 0.5;  ///< at least, of one timed piece
};

/// Swendsen-Wang of the 2D Ising model at beta_c on one thread; ns per spin and sweep.
struct ClusterResult {
  int L = 0;
  InstructionSet isa = InstructionSet::portable;
  Spread sweeps;    ///< rounds of 100 sweeps and one measurement
  Spread measured;  ///< rounds of 20 sweeps, each with a measurement
  Spread plain;     ///< serial union-find over sites, in turn with the others

  [[nodiscard]] double ratio() const { return plain.median / sweeps.median; }
};

/// All instruction sets of one size. Throws std::runtime_error if the plain code ends in another state.
[[nodiscard]] std::vector<ClusterResult> bench_cluster(const ClusterBenchOptions& options, int L);

[[nodiscard]] std::string cluster_header(const ClusterBenchOptions& options);
[[nodiscard]] std::string cluster_table(const std::vector<ClusterResult>& results);
[[nodiscard]] std::string cluster_json(const ClusterBenchOptions& options, const std::vector<ClusterResult>& results);

}}  // namespace glassworks::tools
