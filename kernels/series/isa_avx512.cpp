#if defined(__x86_64__)

#include <immintrin.h>

#include "kernels/series/make_lag_kernels.hpp"

namespace glassworks { inline namespace series {
namespace {

struct SeriesAvx512 {
  static constexpr const char* name = "avx512";
  static constexpr int width = 32;
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
  static __m512i counts(const __m512i& v) { return _mm512_popcnt_epi64(v); }
  static std::int64_t different(const BitRun& run) {
    __m512i even = _mm512_setzero_si512(), odd = even;
    const std::size_t whole = run.bytes / 64 * 64;
    const __mmask64 rest = (std::uint64_t{1} << (run.bytes - whole)) - 1;
    for (int y = 0; y < run.rows; ++y) {
      const std::uint8_t *a = run.a + y * run.stride, *b = run.b + y * run.stride;
      const auto count = [&](std::size_t i) {
        return counts(_mm512_xor_si512(_mm512_loadu_si512(a + i), _mm512_loadu_si512(b + i)));
      };
      std::size_t i = 0;
      for (; i + 128 <= whole; i += 128) {
        even = _mm512_add_epi64(even, count(i));
        odd = _mm512_add_epi64(odd, count(i + 64));
      }
      if (i < whole) even = _mm512_add_epi64(even, count(i));
      if (rest != 0) {
        const __m512i u = _mm512_maskz_loadu_epi8(rest, a + whole), v = _mm512_maskz_loadu_epi8(rest, b + whole);
        odd = _mm512_add_epi64(odd, counts(_mm512_xor_si512(u, v)));
      }
    }
    return total(_mm512_add_epi64(even, odd));
  }
  static BitCounts masked(const BitRun& run) {
    __m512i terms = _mm512_setzero_si512(), different = terms, both = terms;
    for (int y = 0; y < run.rows; ++y) {
      const std::ptrdiff_t row = y * run.stride;
      for (std::size_t i = 0; i < run.bytes; i += 64) {
        const __mmask64 part = run.bytes - i >= 64 ? ~__mmask64{0} : (std::uint64_t{1} << (run.bytes - i)) - 1;
        const auto at = [&](const std::uint8_t* p) { return _mm512_maskz_loadu_epi8(part, p + row + i); };
        const __m512i mask = _mm512_and_si512(at(run.mask_a), at(run.mask_b)), u = at(run.a), v = at(run.b);
        terms = _mm512_add_epi64(terms, counts(mask));
        different = _mm512_add_epi64(different, counts(_mm512_and_si512(_mm512_xor_si512(u, v), mask)));
        both = _mm512_add_epi64(both, counts(_mm512_and_si512(_mm512_and_si512(u, v), mask)));
      }
    }
    return {total(terms), total(different), total(both)};
  }
};

}  // namespace

const LagKernels& avx512_lag_kernels() { return lag_kernels_of<SeriesAvx512>; }

}}  // namespace glassworks::series

#endif
