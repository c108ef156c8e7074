#pragma once

#include "kernels/core/lattice.hpp"
#include "kernels/cuda/cluster/device_labelling.hpp"

namespace glassworks { inline namespace cuda {

/// Labelling by tiles of one lattice or of many equal ones.
class TileLabelling : public DeviceLabelling {
 public:
  using DeviceLabelling::enqueue;
  /// The first `systems` lattices: d_bonds[system][direction][(N + 31)/32] and one word more, d_labels[system][site].
  virtual void enqueue_systems(const std::uint32_t* d_bonds, unsigned systems, Site* d_labels, cudaStream_t stream) = 0;
};

/// Variant 0 is the preferred shape of the tiles of a graph; nullptr: no such variant.
[[nodiscard]] std::unique_ptr<TileLabelling> make_tile_labelling(const Graph& graph, int variant);

/// For up to `systems` periodic lattices at a time.
[[nodiscard]] std::unique_ptr<TileLabelling> make_tile_labelling(const Lattice& lattice, unsigned systems);
/// Bytes of device memory that this takes for each of them.
[[nodiscard]] double tile_labelling_bytes(const Lattice& lattice);

}}  // namespace glassworks::cuda
