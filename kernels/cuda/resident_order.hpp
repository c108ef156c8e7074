#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "kernels/cuda/device_batch.hpp"

namespace glassworks { inline namespace cuda {

/// Device memory in the order in which the resident and the ladder kernel read it.
///
/// Spins: SpinOrder::split.
/// Couplings: [task][slab][n / 4][thread][n % 4], n = number of a coupling among those of a thread:
///   n = 6 k + 3 d + m                   bond along x from site (2X + m - 1, 2Y + d) in plane k of the thread
///   n = 6 depth + 6 k + 3 d + m         bond along y from site (2X + d, 2Y + m - 1) in plane k
///   n = 12 depth + 4 k + q              bond along z from site q of plane k - 1

/// Splits the planes of all replicas of a batch, and joins them again. Where components are paired, d_spare_spins
/// gets what was in d_spins.
void split_planes(DeviceBatch& batch, SpinLayout layout, cudaStream_t stream);
void join_planes(DeviceBatch& batch, cudaStream_t stream);

/// Copies the spins of all replicas to other memory, in split planes, and back.
void arrange_spins(const float* d_natural, float* d_arranged, const DeviceBatch& batch, SpinLayout layout,
                   cudaStream_t stream);
void restore_spins(const float* d_arranged, float* d_natural, const DeviceBatch& batch, SpinLayout layout,
                   cudaStream_t stream);

/// Spins +-1 in split planes from the states (1 + s)/2 of all replicas of a batch, and back.
void split_states(const std::uint8_t* d_states, float* d_spins, const DeviceBatch& batch, cudaStream_t stream);
void join_states(const float* d_spins, std::uint8_t* d_states, const DeviceBatch& batch, cudaStream_t stream);

/// Threads whose couplings lie together: `slabs` blocks share a lattice, a thread has `depth` sites along z.
struct CouplingOrder {
  int L = 0, depth = 0, slabs = 1;

  /// Floats of the couplings of one task.
  [[nodiscard]] std::size_t count() const;
};
/// Fills d_arranged_couplings from d_couplings.
void arrange_couplings(const CouplingOrder& order, const DeviceBatch& batch, cudaStream_t stream);

}}  // namespace glassworks::cuda
