#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kernels/cuda/device_batch.hpp"
#include "kernels/models/vector_chain.hpp"

namespace glassworks { inline namespace cuda {

/// What one launch of the tile kernel has to do: the tiles of one colour.
struct TileWork {
  std::uint64_t step = 0;  ///< of the round
  int t = 0;               ///< repetition inside the step, 0 .. n_T - 1
  int colour = 0;
  int runs = 1;  ///< the replicas of a realization are worked on in so many runs, each by one block for a tile
};

/// A compiled tile kernel; see TileShape.
struct TileVariant {
  VectorChain chain;
  int T;
  int threads;                ///< of a block
  int items_per_block;        ///< replicas that a block works on at a time
  int shared_bytes;           ///< of a block
  const void* kernels[2][2];  ///< [without or with fields][one repetition or several]

  [[nodiscard]] std::string name() const;
};

/// All variants: the rows of kernel_sizes.cmake.
[[nodiscard]] std::vector<TileVariant> compiled_tile_sizes();

/// How a variant runs on a device.
struct TilePlan {
  const TileVariant* variant = nullptr;
  const void* kernel = nullptr;
  int blocks_per_multiprocessor = 0;
  int blocks = 0;  ///< that the device holds at once; 0: the kernel does not fit there

  /// Tiles that the device works on at once.
  [[nodiscard]] int item_capacity() const { return blocks * variant->items_per_block; }
  /// For people: kernel, blocks and registers.
  [[nodiscard]] std::string description() const;
};

/// Whether the double-checkerboard schedule of a chain has a compiled kernel: d = 3, tiles smaller than the lattice,
/// n_B > 0.
[[nodiscard]] bool tile_kernel_fits(const Chain& chain);

/// Plan for the current device. The chain fits.
[[nodiscard]] TilePlan plan_tile(const Chain& chain, bool with_fields);

/// How the tiles of one colour of a batch are shared out.
struct TileSchedule {
  std::int64_t groups = 0;  ///< tiles of one colour of all realizations
  int runs = 1;             ///< TileWork::runs
  double use = 0.0;         ///< expected share of the time in which the device is full
};

/// The number of runs that ends soonest: long ones load few couplings, short ones leave no places empty at the end.
[[nodiscard]] TileSchedule schedule_tiles(const TilePlan& plan, const Lattice& lattice, int tasks, int replicas);

/// All sweeps of step `step` of the round.
void launch_tile_sweeps(const TilePlan& plan, const DeviceBatch& batch, std::uint64_t step, cudaStream_t stream);

}}  // namespace glassworks::cuda
