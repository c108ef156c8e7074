#pragma once

#include <memory>

#include "kernels/cuda/cluster/tile_labelling.hpp"

namespace glassworks { inline namespace cuda {

/// Labels the clusters of a batch of equal lattices of any kind and shape, by the bonds that their sites own:
/// d_bonds[system][bond of a site][(N + 31)/32], d_labels[system][site]. Needs no memory.
[[nodiscard]] std::unique_ptr<TileLabelling> make_lattice_labelling(const Lattice& lattice);

}}  // namespace glassworks::cuda
