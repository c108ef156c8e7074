#include "kernels/series/lag_kernels.hpp"

#include <vector>

namespace glassworks { inline namespace series {

std::span<const LagKernels* const> available_lag_kernels() {
  static const std::vector<const LagKernels*> kernels = [] {
    std::vector<const LagKernels*> k{&portable_lag_kernels()};
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt")) k.push_back(&avx2_lag_kernels());
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vpopcntdq")) {
      k.push_back(&avx512_lag_kernels());
    }
#endif
    return k;
  }();
  return kernels;
}

}}  // namespace glassworks::series
