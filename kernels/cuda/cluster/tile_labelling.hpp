#pragma once

#include "kernels/cuda/cluster/device_labelling.hpp"

namespace glassworks {

/// Labelling by tiles of a shape; variant 0 is the preferred one of a lattice, nullptr: no such variant.
[[nodiscard]] std::unique_ptr<DeviceLabelling> make_tile_labelling(const Graph& graph, int variant);

}  // namespace glassworks
