#pragma once

#if defined(__x86_64__)
#include <immintrin.h>

#include <algorithm>
#include <cstdint>
#endif

namespace glassworks { inline namespace tools {

#if defined(__x86_64__)
/// Clears bits 128 and up of all vector registers. Code for SSE and calls of libm, which mix both kinds of
/// instructions, take up to ten times as long while one of them is not 0.
[[gnu::target("avx")]] inline void clear_vector_registers() {
  if (__builtin_cpu_supports("avx") != 0) _mm256_zeroupper();
}

/// Whether bits 128 and up of a register that SSE can see (0 to 15) are not all 0: then code for AVX has ended without
/// vzeroupper.
inline bool vector_registers_in_use() {
#define GLASSWORKS_STORE(name, n) "vmovups %%" name #n ", 64*" #n "(%0)\n"
#define GLASSWORKS_STORE_4(name, a, b, c, d) \
  GLASSWORKS_STORE(name, a) GLASSWORKS_STORE(name, b) GLASSWORKS_STORE(name, c) GLASSWORKS_STORE(name, d)
#define GLASSWORKS_STORE_16(name)      \
  GLASSWORKS_STORE_4(name, 0, 1, 2, 3) \
  GLASSWORKS_STORE_4(name, 4, 5, 6, 7) GLASSWORKS_STORE_4(name, 8, 9, 10, 11) GLASSWORKS_STORE_4(name, 12, 13, 14, 15)
  std::uint64_t stored[16][8] = {};
  if (__builtin_cpu_supports("avx512f") != 0) {
    asm volatile(GLASSWORKS_STORE_16("zmm") : : "r"(stored) : "memory");
  } else if (__builtin_cpu_supports("avx") != 0) {
    asm volatile(GLASSWORKS_STORE_16("ymm") : : "r"(stored) : "memory");
  }
#undef GLASSWORKS_STORE_16
#undef GLASSWORKS_STORE_4
#undef GLASSWORKS_STORE
  return std::ranges::any_of(stored, [](const auto& words) {
    return std::any_of(words + 2, words + 8, [](std::uint64_t word) { return word != 0; });
  });
}
#else
inline void clear_vector_registers() {}
inline bool vector_registers_in_use() { return false; }
#endif

}}  // namespace glassworks::tools
