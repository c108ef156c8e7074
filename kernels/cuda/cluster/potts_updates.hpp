#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <span>

#include "kernels/core/random.hpp"
#include "kernels/cuda/cluster/device_labelling.hpp"
#include "kernels/cuda/device_buffer.hpp"

namespace glassworks { inline namespace cuda {

/// Swendsen-Wang updates of one q-state Potts model with J = 1 on a square lattice, on the current device, in the parts
/// of Weigel, PRE 84, 036709 (2011): bond activation, labelling by any method, flips. They compare labellings in whole
/// updates; campaigns use the kernels of round/. The bits are those of kernels/models/README.md for replica 0 of
/// realization 0, whatever the method.
class PottsUpdates {
 public:
  /// L  edge, even; q  2 to 256 states
  PottsUpdates(int L, int q, float beta);

  [[nodiscard]] const Graph& graph() const { return graph_; }
  /// states[site] < q.
  void set_states(std::span<const std::uint8_t> states);
  void get_states(std::span<std::uint8_t> states) const;
  /// That of the next updates.
  void set_beta(float beta);

  /// Starts update number `sweep`; `labelling` is one of graph(). Stages: "activation", those of the labelling, "flip".
  void enqueue(DeviceLabelling& labelling, const PhiloxKey& key, std::uint64_t sweep, cudaStream_t stream,
               const StageMark& mark);

 private:
  Graph graph_;
  std::uint32_t q_, threshold_ = 0;
  DeviceBuffer<std::uint8_t> states_;
  DeviceBuffer<std::uint32_t> bonds_, new_states_;  ///< four new states to a word
  DeviceBuffer<Site> labels_;
};

}}  // namespace glassworks::cuda
