#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernels/clusters/graph.hpp"
#include "kernels/clusters/labelling.hpp"

namespace glassworks { inline namespace cuda {

/// Called when all work of a stage has been started: "tiles", "borders", ... For measurements of time.
using StageMark = std::function<void(const char* stage)>;

/// Labels the components of one graph on the current device; keeps the device memory it needs.
class DeviceLabelling {
 public:
  virtual ~DeviceLabelling() = default;

  /// labels[i] = smallest site of the component of i. Asynchronous: the host does not wait. d_bonds: the words of a
  /// BondSet and one more that can be read; d_labels[sites].
  virtual void enqueue(const std::uint32_t* d_bonds, Site* d_labels, cudaStream_t stream, const StageMark& mark) = 0;
  void enqueue(const std::uint32_t* d_bonds, Site* d_labels, cudaStream_t stream) {
    enqueue(d_bonds, d_labels, stream, [](const char*) {});
  }

  /// Passes over the bonds that a labelling has needed on average, of methods that repeat them until no label changes,
  /// the last pass included; else 0. Waits for the device.
  [[nodiscard]] virtual double passes() const { return 0.0; }
};

/// Memory of a BondSet on the device, in words.
[[nodiscard]] inline std::size_t device_bond_words(const Graph& graph) {
  return static_cast<std::size_t>((graph.bond_indices() + 31) / 32) + 1;
}

/// A GPU method on the current device. Throws std::runtime_error where the method does not know the graph.
[[nodiscard]] std::unique_ptr<DeviceLabelling> make_device_labelling(const Graph& graph, LabellingMethod method);

[[nodiscard]] std::unique_ptr<DeviceLabelling> make_direct_labelling(const Graph& graph);
[[nodiscard]] std::unique_ptr<DeviceLabelling> make_equivalence_labelling(const Graph& graph);

constexpr int square_tile_edges[] = {4, 8, 16, 32, 64};  ///< of the methods of Weigel 2011
/// edge  of the tiles; 16 is the best of the paper. Throws std::invalid_argument for an edge that there is not.
[[nodiscard]] std::unique_ptr<DeviceLabelling> make_square_labelling(const Graph& graph, LabellingMethod method,
                                                                     int edge = 16);

}}  // namespace glassworks::cuda
