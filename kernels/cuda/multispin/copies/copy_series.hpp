#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <cstdint>

#include "kernels/cuda/multispin/copies/copy_job.hpp"

namespace glassworks { inline namespace cuda {

/// Fields of one slot of a realization: at every site a bit for each copy, bit 1 is f = -1. Bits beyond the copies are
/// 0. [group][site], sites in their natural order
using CopyField = uint4*;

/// Bits of the copies of all groups [group].
struct CopyMask {
  static constexpr int most_groups = 4;
  uint4 of_group[most_groups] = {};

  [[nodiscard]] std::uint32_t* words() { return &of_group[0].x; }
};

/// The slot that is measured.
struct CopySlot {
  int task = 0, slot = 0;
  CopyMask copies;
};

/// s.
void launch_spins_of_slot(const CopyJob& job, const CopySlot& slot, CopyField d_spins, cudaStream_t stream);
/// Overlaps of copy a with copy (a + distance) mod copies, in bit a of the mask.
void launch_ring_overlaps(const CopyJob& job, const uint4* d_spins, int distance, const CopyMask& mask,
                          CopyField d_overlaps, cudaStream_t stream);
/// Overlaps with kept spins. d_kept: KeptSpins::bits
void launch_kept_overlaps(const CopyJob& job, const CopySlot& slot, const uint4* d_spins, const std::uint64_t* d_kept,
                          CopyField d_overlaps, cudaStream_t stream);

/// Directions of displacements; r = 1 .. L/2 along each of them.
struct CopyDirections {
  static constexpr int most = 16;
  int count = 0;
  std::array<std::array<signed char, Lattice::max_dim>, most> step{};
};
/// Adds, for each displacement, how many f(x) and f(x + d) of all sites and copies differ.
///
/// d_different  [direction][r - 1]
void launch_lag_counts(const CopyJob& job, const uint4* d_field, const CopyDirections& directions,
                       unsigned long long* d_different, cudaStream_t stream);
/// How many f of a copy are -1 in each plane of equal coordinate.
///
/// d_counts  [copy, a multiple of 128][axis][coordinate]
void launch_plane_counts(const CopyJob& job, const uint4* d_field, std::uint32_t* d_counts, cudaStream_t stream);
/// Adds how many bonds of a copy are not satisfied [copy, a multiple of 128].
void launch_broken_bonds(const CopyJob& job, const CopySlot& slot, const uint4* d_spins, unsigned long long* d_broken,
                         cudaStream_t stream);

}}  // namespace glassworks::cuda
