#pragma once

#if defined(__CUDACC__)
#include <curand_kernel.h>
#endif

#include "kernels/core/random.hpp"

namespace glassworks { inline namespace cuda {

/// The key with which general kernels, and rare draws of others, get their words: random_block(CurandKey(keys), ...)
/// calls cuRAND on the device and gives the words of the other keys. Sweeps of specialised kernels draw with
/// PhiloxRoundKeys, which take no registers.
struct CurandKey {
  std::uint32_t k0, k1;

  /// The keys of the first round are the key itself.
  GLASSWORKS_HD explicit CurandKey(const PhiloxRoundKeys& keys) : k0(keys.k0[0]), k1(keys.k1[0]) {}
};

/// Philox4x32-10 by cuRAND. In place.
GLASSWORKS_HD void philox4x32_10(std::uint32_t counter[4], const CurandKey& key) {
#if defined(__CUDA_ARCH__)
  const uint4 words =
      curand_Philox4x32_10(make_uint4(counter[0], counter[1], counter[2], counter[3]), make_uint2(key.k0, key.k1));
  counter[0] = words.x;
  counter[1] = words.y;
  counter[2] = words.z;
  counter[3] = words.w;
#else
  philox4x32_10(counter, PhiloxKey{key.k0, key.k1});
#endif
}

}}  // namespace glassworks::cuda
