#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/cuda/device_batch.hpp"
#include "kernels/cuda/small_divisor.hpp"
#include "kernels/models/copy_levels.hpp"

namespace glassworks { inline namespace cuda {

/// A batch whose copies are lanes of words (CopyAddress): what its kernels see. A site has 128 bits for each group of
/// copies, 16 bytes; bit 1 is a spin -1. Plain values and device pointers.
struct CopyJob {
  DeviceBatch common;
  int groups = 0;              ///< of 128 copies
  int sweeps = 0;              ///< of a step
  int rows = 0;                ///< of the lattice, along x
  std::uint32_t blocks = 0;    ///< multispin_blocks: quads of four sites of one colour in two rows
  SmallDivisor quads_of_row;   ///< of two rows
  SmallDivisor rows_of_layer;  ///< from one coordinate of the last axis to the next
  MultispinRule rule = MultispinRule::metropolis;
  const CopyLevels* d_levels = nullptr;        ///< [slot]
  const int* d_row_neighbour = nullptr;        ///< at +axis, -axis of all axes but x [row][axis - 1][2]
  const std::uint8_t* d_row_parity = nullptr;  ///< of the coordinates but x [row]
  std::uint8_t* d_negative = nullptr;  ///< J < 0, bits 2 axis (forward) and 2 axis + 1 [task][colour][row][x / 2]
  uint4* d_spins = nullptr;            ///< [task][group][slot][colour][row][x / 2]

  [[nodiscard]] GLASSWORKS_HD std::int64_t places() const { return common.sites() / 2; }
  [[nodiscard]] GLASSWORKS_HD int lattices() const { return common.tasks * groups * common.slots; }
};

/// Couplings of the tasks as bits.
void pack_copy_couplings(const CopyJob& job, cudaStream_t stream);
/// Before a round: bytes of the tasks to words. After it: back.
void pack_copies(const CopyJob& job, cudaStream_t stream);
void unpack_copies(const CopyJob& job, cudaStream_t stream);
/// Half-sweep number `half` of step `step` of the round, of all replicas.
void launch_copy_half_sweep(const CopyJob& job, std::uint64_t step, int half, cudaStream_t stream);

}}  // namespace glassworks::cuda
