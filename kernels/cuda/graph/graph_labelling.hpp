#pragma once

#include <memory>

#include "kernels/cuda/cluster/tile_labelling.hpp"
#include "kernels/cuda/device_batch.hpp"

namespace glassworks { inline namespace cuda {

/// Labels the clusters of a batch of graphs: d_bonds[system][(N_b + 31)/32], d_labels[system][site]. As many systems
/// belong to each realization, in the order of the realizations. Needs no memory.
[[nodiscard]] std::unique_ptr<TileLabelling> make_graph_labelling(const DeviceBatch& batch);

}}  // namespace glassworks::cuda
