#pragma once

#include <cstddef>
#include <string>

#include "kernels/models/vector_chain.hpp"
#include "kernels/rounds/chain.hpp"

namespace glassworks { inline namespace cuda {

/// How the kernels for half-sweeps of one colour share out a lattice. A cell is the 2 x 2 sites at (2X, 2Y, z, w); two
/// of them have one colour and share a block of random words. One thread has a cell, one block a box of cells, so that
/// most neighbours of its spins are read by it alone.
struct ColourPlan {
  VectorChain chain{};
  int x = 0, y = 0, z = 0;  ///< cells of a box along each axis; z = 1 in d = 2

  [[nodiscard]] int threads() const { return (x * y * z + 31) / 32 * 32; }
  /// Floats of the ordered spins of a realization.
  [[nodiscard]] static std::size_t spins(const Chain& chain);
  /// For people.
  [[nodiscard]] std::string description() const;
  [[nodiscard]] static std::string name(const VectorChain& chain);
};

/// Whether there are such kernels for a chain: sweeps of unit vectors of 2 to 4 components, heat baths, Metropolis or
/// over-relaxation in any order, on cubes of the hypercubic lattice in d = 2 to 4 that are large enough, without tiles,
/// absent sites and anisotropy.
[[nodiscard]] bool colour_kernels_fit(const Chain& chain);

/// The box with the fewest idle threads and reads.
[[nodiscard]] ColourPlan plan_colours(const VectorChain& chain, const Lattice& lattice);

}}  // namespace glassworks::cuda
