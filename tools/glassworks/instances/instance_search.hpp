#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/stop_flag.hpp"
#include "engine/graphs/graph_file.hpp"
#include "kernels/rounds/backend.hpp"

namespace glassworks { inline namespace tools {

/// What is sought of the couplings of a file.
enum class InstanceGoal {
  lowest_energy,  ///< of H = - sum J_ij s_i s_j - sum H_i s_i
  maximum_cut,    ///< the numbers are weights w: J_ij = -w_ij, and the cut is (W - E)/2 with W = sum w_ij
};

/// How long independent runs search, and how many there are.
struct SearchEffort {
  int runs = 16;
  std::uint64_t sweeps = 1 << 20;  ///< of each run at most
  double seconds = 0.0;            ///< no round begins after them; 0: no limit
  std::uint64_t seed = 1;
};

/// What one run has met.
struct RunResult {
  double energy = 0.0;       ///< lowest
  std::uint64_t sweeps = 0;  ///< until it was met first, 0: by the descents from the first state
};

struct InstanceResult {
  std::int64_t sites = 0, bonds = 0;
  double energy = 0.0;  ///< lowest of all, with the constant of the file
  double cut = 0.0;     ///< of maximum_cut
  std::vector<RunResult> runs;
  std::uint64_t sweeps = 0;        ///< that each run made
  double seconds = 0.0;            ///< of all runs together
  std::vector<std::int8_t> spins;  ///< +-1 of the first state that had the energy [site]
  std::int64_t first = 0;          ///< number of site 0 in the file
  int slots = 0;
  double T_min = 0.0, T_max = 0.0;
  bool stopped = false;

  /// Runs whose lowest energy is that of all.
  [[nodiscard]] int met() const;
  /// Sweeps until a run has met the lowest energy with probability 0.99, if runs of the best length are repeated
  /// (Boettcher and others: min over t of t ln 0.01/ln(1 - p(t)), p(t) the share of runs that met it by t); infinite if
  /// none met it.
  [[nodiscard]] double sweeps_to_target() const;
  /// The same in seconds of all threads.
  [[nodiscard]] double seconds_to_target() const;
};

/// Lowest energy of Ising spins on a graph: independent runs of parallel tempering (heat bath, with isoenergetic moves
/// between two copies where sites have few neighbours), and descents from the coldest states after each round. Runs end
/// together: when all have met the same lowest energy and have gone on for as long again, or with the effort. A
/// pure function of the graph, the goal and the effort unless seconds end it.
///
/// progress  called after each round
[[nodiscard]] InstanceResult search_instance(const GivenGraph& graph, InstanceGoal goal, const SearchEffort& effort,
                                             Backend& backend, int threads, const StopFlag& stop,
                                             const std::function<void(const InstanceResult&)>& progress);

}}  // namespace glassworks::tools
