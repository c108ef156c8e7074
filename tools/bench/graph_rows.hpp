#pragma once

#include <string>
#include <vector>

#include "tools/bench/updates.hpp"

namespace glassworks { inline namespace tools {

/// Updates on a graph of 4096 sites with six neighbours each, 16 replicas, on one core; ns per spin update.
struct GraphResult {
  std::string graph;  ///< "random-regular z=6", "cubic as a graph"
  std::string model, update;
  InstructionSet isa = InstructionSet::portable;
  Spread ours;     ///< whole rounds with one measurement
  Spread lattice;  ///< the same of the cubic lattice by its own kernels; count 0 where the graph is another one

  [[nodiscard]] double ratio() const { return lattice.count > 0 ? ours.median / lattice.median : 0.0; }
};

[[nodiscard]] std::vector<GraphResult> bench_graphs(const BenchOptions& options);

}}  // namespace glassworks::tools
