#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/device_batch.hpp"

namespace glassworks { inline namespace cuda {

/// The end of a heisenberg step, for chains without a whole-step kernel: energies. The exchanges below serve every
/// model.

/// Adds the energies after step `step` to energy_sum(step), which must be zero.
void launch_energies(const DeviceBatch& batch, std::uint64_t step, cudaStream_t stream);

/// The exchanges after step `step`, from energy_sum(step).
void launch_exchange(const DeviceBatch& batch, std::uint64_t step, cudaStream_t stream);

/// Before a step of a round for which nothing has been ordered: what every replica does next, by its slot.
void launch_first_orders(const DeviceBatch& batch, std::uint64_t step, cudaStream_t stream);

/// Forms d_energy again, of spins that were brought back to |s| = 1 after step `step`.
void launch_energies_again(const DeviceBatch& batch, std::uint64_t step, cudaStream_t stream);

}}  // namespace glassworks::cuda
