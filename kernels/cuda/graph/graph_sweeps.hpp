#pragma once

#include <cuda_runtime_api.h>

#include <optional>
#include <vector>

#include "kernels/cuda/cluster/round/cluster_batch.hpp"
#include "kernels/cuda/device_buffer.hpp"
#include "kernels/cuda/graph/graph_plan.hpp"
#include "kernels/rounds/moves.hpp"

namespace glassworks { inline namespace cuda {

/// `count` sweeps of one kind after each other. first: number of the first one among the local sweeps of a step.
struct GraphRun {
  bool local;
  int count;
  std::uint64_t first;
};

/// What the kernels for sweeps of graphs see beside the batch.
struct GraphJob {
  static constexpr int most_runs = 16;

  GraphShape shape;
  GraphPair* d_links;   ///< place of the neighbour << log_group, and the bits of J [task][link]
  std::uint32_t links;  ///< room for those of a task
  GraphPair* d_bonds;   ///< places of both sites << log_group [task][links / 2]
  /// DeviceGraph::site_terms with the bits of J for its number and the place << log_group for a site [task][word].
  std::uint32_t* d_terms;
  std::uint32_t term_words;  ///< room for those of a task; 0: there are none
  /// Of vectors floats [task][group][component][place][replica of the group], of others bytes
  /// [task][group][place][replica of the group].
  char* d_spins;
  std::uint64_t step, local_per_step;
  GraphRun runs[most_runs];  ///< of a launch
  int run_count;
  int colours;
  bool ends;      ///< with the last sweep of the step: vectors are brought to length 1
  bool energies;  ///< -E is added up then
};

/// Sweeps of heat bath and over-relaxation on graphs, on copies of the spins that stand by place and group.
class GraphSweeps {
 public:
  /// Takes a batch. moves: of its steps.
  void begin(const GraphPlan& plan, const Chain& chain, const ClusterBatch& batch, cudaStream_t stream);
  /// No sweeps until the next begin.
  void leave() { job_.reset(); }
  [[nodiscard]] bool active() const { return job_.has_value(); }

  /// The sweeps of step `step` of a round, and what ends them. energies: whether -E of every replica is added to
  /// energy_sum(step), which must be zero.
  void step(const ClusterBatch& batch, std::uint64_t step, bool energies, cudaStream_t stream);
  /// Brings the spins of the batch up to date.
  void finish(const ClusterBatch& batch, cudaStream_t stream);

  /// Bytes on the device for one realization.
  [[nodiscard]] static double bytes_per_task(const Chain& chain);

 private:
  std::optional<GraphJob> job_;
  std::vector<GraphRun> runs_;
  DeviceBuffer<GraphPair> links_, bonds_;
  DeviceBuffer<std::uint32_t> terms_;
  DeviceBuffer<uint4> spins_;
  bool ahead_ = false;  ///< the copies have made steps that the spins of the batch have not
};

}}  // namespace glassworks::cuda
