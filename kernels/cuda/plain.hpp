#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/device_batch.hpp"

namespace glassworks::inline cuda {

/// Kernels for every chain, one thread per site, spins in device memory: the fallback where no faster kernel fits.

/// All sweeps of step `step` of the round.
void launch_plain_sweeps(const DeviceBatch& batch, std::uint64_t step, cudaStream_t stream);

/// Adds the energies after step `step` to energy_sum(step), which must be zero.
void launch_energies(const DeviceBatch& batch, std::uint64_t step, cudaStream_t stream);

/// The exchanges after step `step`, from energy_sum(step).
void launch_exchange(const DeviceBatch& batch, std::uint64_t step, cudaStream_t stream);

/// Brings all spins back to |s| = 1 and forms d_energy again; for protocols without a heat bath, before a measurement.
void launch_renormalize(const DeviceBatch& batch, std::uint64_t step, cudaStream_t stream);

}  // namespace glassworks::inline cuda
