#pragma once

#include "kernels/cuda/exchange.cuh"

namespace glassworks { inline namespace cuda {

/// The exchange of a copy, by one warp of a block. Not inlined: it is rare, and its registers and code would
/// weigh on the sweeps.
static __device__ __noinline__ void exchange_copy(const DeviceBatch& b, int task, int copy, unsigned step) {
  WarpExchange<const PhiloxRoundKeys&> exchange(b, task, copy, step);
  exchange.collect_reports();
  exchange.run();
  if (threadIdx.x % 32 == 0) b.d_arrived[task * b.copies + copy] = 0;
  exchange.give_orders();
}

}}  // namespace glassworks::cuda
