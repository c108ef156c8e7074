#include "tools/bench/fma.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace glassworks { inline namespace tools {
namespace {

#if defined(__x86_64__)
/// Chains that are in flight together: enough for two pipes of latency 5, few enough for 16 registers.
constexpr int chains = 12;
constexpr long long rounds = FmaLoop::instructions / chains;

// The empty asm keeps every accumulator in a register and the compiler from seeing through the loop.
#define GLASSWORKS_TWELVE(x) x(0) x(1) x(2) x(3) x(4) x(5) x(6) x(7) x(8) x(9) x(10) x(11)

__attribute__((target("avx2,fma"))) void avx2_loop() {
  const __m256 factor = _mm256_set1_ps(0.5F), term = _mm256_set1_ps(1.0F);
#define GLASSWORKS_STEP(i) __m256 s##i = term;
  GLASSWORKS_TWELVE(GLASSWORKS_STEP)
#undef GLASSWORKS_STEP
  for (long long r = 0; r < rounds; ++r) {
#define GLASSWORKS_STEP(i)                    \
  s##i = _mm256_fmadd_ps(s##i, factor, term); \
  asm volatile("" : "+x"(s##i));
    GLASSWORKS_TWELVE(GLASSWORKS_STEP)
#undef GLASSWORKS_STEP
  }
  _mm256_zeroupper();  // GCC adds it by itself from -O2 on
}

__attribute__((target("avx512f"))) void avx512_loop() {
  const __m512 factor = _mm512_set1_ps(0.5F), term = _mm512_set1_ps(1.0F);
#define GLASSWORKS_STEP(i) __m512 s##i = term;
  GLASSWORKS_TWELVE(GLASSWORKS_STEP)
#undef GLASSWORKS_STEP
  for (long long r = 0; r < rounds; ++r) {
#define GLASSWORKS_STEP(i)                    \
  s##i = _mm512_fmadd_ps(s##i, factor, term); \
  asm volatile("" : "+v"(s##i));
    GLASSWORKS_TWELVE(GLASSWORKS_STEP)
#undef GLASSWORKS_STEP
  }
  _mm256_zeroupper();  // GCC adds it by itself from -O2 on
}
#endif

}  // namespace

FmaLoop fma_loop(InstructionSet isa) {
#if defined(__x86_64__)
  if (isa == InstructionSet::avx512) return {16, avx512_loop};
  if (isa == InstructionSet::avx2) return {8, avx2_loop};
#endif
  (void)isa;
  return {1, {}};
}

}}  // namespace glassworks::tools
