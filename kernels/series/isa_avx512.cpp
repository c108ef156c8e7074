#if defined(__x86_64__)

#include <immintrin.h>

#include "kernels/series/make_lag_kernels.hpp"

namespace glassworks { inline namespace series {
namespace {

struct SeriesAvx512 {
  static constexpr const char* name = "avx512";
  static constexpr int width = 32;
  static constexpr std::size_t words = 8;
  using Short = __m512i;
  using Int = __m512i;
  using Long = __m512i;

  static Short load(const std::int16_t* p) { return _mm512_loadu_si512(p); }
  static void store(std::int16_t* p, Short a) { _mm512_storeu_si512(p, a); }
  static Short one() { return _mm512_set1_epi16(1); }
  static Short add(Short a, Short b) { return _mm512_add_epi16(a, b); }
  static Short rounded_product(Short a, Short b) { return _mm512_mulhrs_epi16(a, b); }
  static Int zero_int() { return _mm512_setzero_si512(); }
  static Int multiply_add(Short a, Short b) { return _mm512_madd_epi16(a, b); }
  static Int add_int(Int a, Int b) { return _mm512_add_epi32(a, b); }
  static Long zero_long() { return _mm512_setzero_si512(); }
  static Long add_long(Long sum, Int a) {
    const __m512i low = _mm512_cvtepi32_epi64(_mm512_castsi512_si256(a));
    const __m512i high = _mm512_cvtepi32_epi64(_mm512_extracti64x4_epi64(a, 1));
    return _mm512_add_epi64(sum, _mm512_add_epi64(low, high));
  }
  static std::int64_t total(Long sum) { return _mm512_reduce_add_epi64(sum); }
  static void add_columns(std::int32_t* columns, Short a) {
    const __m512i low = _mm512_cvtepi16_epi32(_mm512_castsi512_si256(a));
    const __m512i high = _mm512_cvtepi16_epi32(_mm512_extracti64x4_epi64(a, 1));
    _mm512_storeu_si512(columns, _mm512_add_epi32(_mm512_loadu_si512(columns), low));
    _mm512_storeu_si512(columns + 16, _mm512_add_epi32(_mm512_loadu_si512(columns + 16), high));
  }
  static std::int64_t different(const std::uint64_t* a, const std::uint64_t* b, std::size_t n) {
    __m512i even = _mm512_setzero_si512(), odd = even;
    const auto count = [&](std::size_t i) {
      return _mm512_popcnt_epi64(_mm512_xor_si512(_mm512_loadu_si512(a + i), _mm512_loadu_si512(b + i)));
    };
    std::size_t i = 0;
    for (; i + 16 <= n; i += 16) {
      even = _mm512_add_epi64(even, count(i));
      odd = _mm512_add_epi64(odd, count(i + 8));
    }
    if (i < n) even = _mm512_add_epi64(even, count(i));
    return total(_mm512_add_epi64(even, odd));
  }
  static BitCounts masked(const std::uint64_t* a, const std::uint64_t* b, const std::uint64_t* mask_a,
                          const std::uint64_t* mask_b, std::size_t n) {
    __m512i terms = _mm512_setzero_si512(), different = terms, both = terms;
    for (std::size_t i = 0; i < n; i += 8) {
      const __m512i mask = _mm512_and_si512(_mm512_loadu_si512(mask_a + i), _mm512_loadu_si512(mask_b + i));
      const __m512i u = _mm512_loadu_si512(a + i), v = _mm512_loadu_si512(b + i);
      terms = _mm512_add_epi64(terms, _mm512_popcnt_epi64(mask));
      different = _mm512_add_epi64(different, _mm512_popcnt_epi64(_mm512_and_si512(_mm512_xor_si512(u, v), mask)));
      both = _mm512_add_epi64(both, _mm512_popcnt_epi64(_mm512_and_si512(_mm512_and_si512(u, v), mask)));
    }
    return {total(terms), total(different), total(both)};
  }
};

}  // namespace

const LagKernels& avx512_lag_kernels() { return lag_kernels_of<SeriesAvx512>; }

}}  // namespace glassworks::series

#endif
