#pragma once

#include <string>

#include "kernels/cuda/cuda_choices.hpp"
#include "kernels/cuda/device_batch.hpp"
#include "kernels/rounds/chain.hpp"

namespace glassworks { inline namespace cuda {

/// How the kernels for sweeps of graphs may share a batch. A group is up to 32 replicas of a realization, a power of
/// two, whose spins stand side by side at each site: they share what is loaded of the graph and the couplings.
struct GraphPlan {
  enum class Spins { of_batch, shared, device };  ///< of_batch: where the batch is faster
  Spins spins = Spins::device;
  int log_group = 0;        ///< of a group in shared memory, the largest that can be taken
  int replicas = 0;         ///< log2 of the largest group that has that many
  bool prescribed = false;  ///< no smaller one

  [[nodiscard]] std::string description() const;
};

/// What the plan comes to for the graphs of a batch.
struct GraphShape {
  bool resident;
  unsigned log_group;
  unsigned groups;          ///< of a realization
  unsigned threads;         ///< of a block
  std::size_t group_bytes;  ///< of the spins of a group, a multiple of 16
};

/// Whether these kernels can sweep a chain: heat bath and over-relaxation on graphs, nothing else in a step.
[[nodiscard]] bool graph_sweeps_fit(const Chain& chain);

/// On the current device. choices: a kernel named "graph R=8" has groups of 8 in shared memory, "graph memory" keeps
/// the spins in the memory of the device, "plain" leaves all to the plain kernels (false).
[[nodiscard]] bool plan_graph_sweeps(const Chain& chain, const CudaChoices& choices, GraphPlan& plan);

/// Spins in the memory of the device, or in shared memory where that is faster: then the shape that keeps most threads
/// busy; among equals the one with the largest groups.
[[nodiscard]] GraphShape choose_graph_shape(const GraphPlan& plan, const Chain& chain, const DeviceBatch& batch);

}}  // namespace glassworks::cuda
