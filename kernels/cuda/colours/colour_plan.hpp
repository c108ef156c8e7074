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

/// Parts of `of_part` things that `count` of them fill.
[[nodiscard]] constexpr int parts_of(int count, int of_part) { return (count + of_part - 1) / of_part; }

/// What of a device decides how replicas are shared out.
struct ColourDevice {
  int places = 0;          ///< blocks that run at the same time
  std::int64_t cache = 0;  ///< bytes of the second-level cache
};

/// How the replicas of a batch are shared out to runs: a thread goes through the replicas of a run, for which it loads
/// its couplings once.
struct ColourRuns {
  int of_realization = 1;
  /// Runs that make all sweeps of a step before those after them begin, so that their spins stay in the second-level
  /// cache; 0: all.
  std::int64_t together = 0;
};

/// Replicas of a run, and runs of a realization.
constexpr int most_in_run = 64, most_runs = 255;

/// boxes: of a replica; bytes: of the spins of a replica; sweeps: of a step
[[nodiscard]] ColourRuns share_out_runs(const ColourDevice& device, std::int64_t boxes, std::int64_t bytes, int tasks,
                                        int replicas, int sweeps);

/// Whether there are such kernels for a chain: sweeps of unit vectors of 2 to 4 components, heat baths, Metropolis or
/// over-relaxation in any order, on cubes of the hypercubic lattice in d = 2 to 4 that are large enough, without tiles,
/// absent sites and anisotropy.
[[nodiscard]] bool colour_kernels_fit(const Chain& chain);

/// The box with the fewest idle threads and reads.
[[nodiscard]] ColourPlan plan_colours(const VectorChain& chain, const Lattice& lattice);

}}  // namespace glassworks::cuda
