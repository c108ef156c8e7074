#pragma once

#include <cmath>

#include "kernels/core/scalar.hpp"

namespace glassworks { inline namespace cuda {

/// 2^x, x <= 0, by the approximate instruction of the device; relative error 2^-22, 0 below 2^-126.
__device__ __forceinline__ float approximate_exp2(float x) {
#if defined(__CUDA_ARCH__)
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
#else
  return std::exp2(x);
#endif
}

/// exp(x), x <= 0, by the approximate instruction of the device, for decisions that fall back to the exact formula in
/// doubtful cases. Differs from 1 + expm1_negative(x) by less than 1.9e-6, which a test on the device checks for every
/// float.
__device__ __forceinline__ float approximate_exp(float x) {
  constexpr float log2_e = 1.44269504F;
  return approximate_exp2(exact::mul(log2_e, x));
}

/// A uniform number decides against the approximate probability if it is further from it than this: the difference of
/// the two, and the rounding of the sum.
constexpr float doubtful_probability = 2e-6F;

}}  // namespace glassworks::cuda
