#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace glassworks { inline namespace cuda {

/// A number by which threads divide: exact for n `value` < 2^32.
struct SmallDivisor {
  unsigned value = 1, inverse = 0;

  SmallDivisor() = default;
  explicit SmallDivisor(int divisor)
      : value(static_cast<unsigned>(divisor)),
        inverse(static_cast<unsigned>(((std::uint64_t{1} << 32) + value - 1) / value)) {}
#if defined(__CUDACC__)
  /// Quotient; the rest stays.
  [[nodiscard]] __device__ __forceinline__ int divide(unsigned& number) const {
    const unsigned quotient = value == 1 ? number : __umulhi(number, inverse);
    number -= quotient * value;
    return static_cast<int>(quotient);
  }
#endif
};

}}  // namespace glassworks::cuda
