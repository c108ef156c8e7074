#if defined(__x86_64__)

#include <immintrin.h>

#include "kernels/series/make_lag_kernels.hpp"

namespace glassworks { inline namespace series {
namespace {

struct SeriesAvx2 {
  static constexpr const char* name = "avx2";
  static constexpr int width = 16;
  using Short = __m256i;
  using Int = __m256i;
  using Long = __m256i;

  static Short load(const std::int16_t* p) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)); }
  static void store(std::int16_t* p, Short a) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), a); }
  static Short one() { return _mm256_set1_epi16(1); }
  static Short add(Short a, Short b) { return _mm256_add_epi16(a, b); }
  static Short rounded_product(Short a, Short b) { return _mm256_mulhrs_epi16(a, b); }
  static Int zero_int() { return _mm256_setzero_si256(); }
  static Int multiply_add(Short a, Short b) { return _mm256_madd_epi16(a, b); }
  static Int add_int(Int a, Int b) { return _mm256_add_epi32(a, b); }
  static Long zero_long() { return _mm256_setzero_si256(); }
  static Long add_long(Long sum, Int a) {
    const __m256i low = _mm256_cvtepi32_epi64(_mm256_castsi256_si128(a));
    const __m256i high = _mm256_cvtepi32_epi64(_mm256_extracti128_si256(a, 1));
    return _mm256_add_epi64(sum, _mm256_add_epi64(low, high));
  }
  static std::int64_t total(Long sum) {
    alignas(32) std::int64_t v[4];
    _mm256_store_si256(reinterpret_cast<__m256i*>(v), sum);
    return v[0] + v[1] + v[2] + v[3];
  }
  static void add_columns(std::int32_t* columns, Short a) {
    auto* const to = reinterpret_cast<__m256i*>(columns);
    const __m256i low = _mm256_cvtepi16_epi32(_mm256_castsi256_si128(a));
    const __m256i high = _mm256_cvtepi16_epi32(_mm256_extracti128_si256(a, 1));
    _mm256_storeu_si256(to, _mm256_add_epi32(_mm256_loadu_si256(to), low));
    _mm256_storeu_si256(to + 1, _mm256_add_epi32(_mm256_loadu_si256(to + 1), high));
  }

  static __m256i load_bytes(const std::uint8_t* p) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)); }
  /// Bits of each word. Source: Mula, Kurz & Lemire, Comput. J. 61, 111 (2018).
  static __m256i counts(__m256i v) {
    const __m256i table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,  //
                                           0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i nibble = _mm256_set1_epi8(0x0F);
    const __m256i low = _mm256_and_si256(v, nibble), high = _mm256_and_si256(_mm256_srli_epi16(v, 4), nibble);
    const __m256i bytes = _mm256_add_epi8(_mm256_shuffle_epi8(table, low), _mm256_shuffle_epi8(table, high));
    return _mm256_sad_epu8(bytes, _mm256_setzero_si256());
  }
  /// a + b + c = 2 carry + sum in each bit; sum is put in a.
  static __m256i carry(__m256i& a, __m256i b, __m256i c) {
    const __m256i both = _mm256_xor_si256(a, b),
                  carried = _mm256_or_si256(_mm256_and_si256(a, b), _mm256_and_si256(both, c));
    a = _mm256_xor_si256(both, c);
    return carried;
  }
  static std::int64_t different(const BitRun& run) {
    __m256i sum = _mm256_setzero_si256(), ones = sum, twos = sum, fours = sum, eights = sum;
    std::int64_t rest = 0;
    for (int y = 0; y < run.rows; ++y) {
      const std::uint8_t *a = run.a + y * run.stride, *b = run.b + y * run.stride;
      const auto x = [&](std::size_t i) { return _mm256_xor_si256(load_bytes(a + i), load_bytes(b + i)); };
      std::size_t i = 0;
      for (; i + 256 <= run.bytes; i += 256) {  // counts one vector for eight
        const __m256i two_a = carry(ones, x(i), x(i + 32)), two_b = carry(ones, x(i + 64), x(i + 96));
        const __m256i four_a = carry(twos, two_a, two_b);
        const __m256i two_c = carry(ones, x(i + 128), x(i + 160)), two_d = carry(ones, x(i + 192), x(i + 224));
        const __m256i four_b = carry(twos, two_c, two_d);
        eights = _mm256_add_epi64(eights, counts(carry(fours, four_a, four_b)));
      }
      for (; i + 32 <= run.bytes; i += 32) sum = _mm256_add_epi64(sum, counts(x(i)));
      rest += different_in_rest(run, y * run.stride, i);
    }
    sum = _mm256_add_epi64(sum, _mm256_slli_epi64(eights, 3));
    sum = _mm256_add_epi64(sum, _mm256_slli_epi64(counts(fours), 2));
    sum = _mm256_add_epi64(sum, _mm256_slli_epi64(counts(twos), 1));
    return total(_mm256_add_epi64(sum, counts(ones))) + rest;
  }
  static BitCounts masked(const BitRun& run) {
    __m256i terms = _mm256_setzero_si256(), different = terms, both = terms;
    BitCounts rest;
    for (int y = 0; y < run.rows; ++y) {
      const std::ptrdiff_t row = y * run.stride;
      std::size_t i = 0;
      for (; i + 32 <= run.bytes; i += 32) {
        const auto at = [&](const std::uint8_t* p) { return load_bytes(p + row + i); };
        const __m256i mask = _mm256_and_si256(at(run.mask_a), at(run.mask_b)), u = at(run.a), v = at(run.b);
        terms = _mm256_add_epi64(terms, counts(mask));
        different = _mm256_add_epi64(different, counts(_mm256_and_si256(_mm256_xor_si256(u, v), mask)));
        both = _mm256_add_epi64(both, counts(_mm256_and_si256(_mm256_and_si256(u, v), mask)));
      }
      rest.add(masked_in_rest(run, row, i));
    }
    rest.add({total(terms), total(different), total(both)});
    return rest;
  }
};

}  // namespace

const LagKernels& avx2_lag_kernels() { return lag_kernels_of<SeriesAvx2>; }

}}  // namespace glassworks::series

#endif
