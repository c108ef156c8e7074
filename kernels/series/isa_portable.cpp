#include "kernels/series/make_lag_kernels.hpp"

namespace glassworks { inline namespace series {
namespace {

/// Eight numbers at once, in plain code that compilers turn into vectors of 128 bits.
struct SeriesPortable {
  static constexpr const char* name = "portable";
  static constexpr int width = 8;
  struct Short {
    std::int16_t v[8];
  };
  struct Int {
    std::int32_t v[4];
  };
  using Long = std::int64_t;

  static Short load(const std::int16_t* p) {
    Short s;
    std::copy_n(p, 8, s.v);
    return s;
  }
  static void store(std::int16_t* p, const Short& s) { std::copy_n(s.v, 8, p); }
  static Short one() { return {{1, 1, 1, 1, 1, 1, 1, 1}}; }
  static Short add(const Short& a, const Short& b) {
    Short s;
    for (int i = 0; i < 8; ++i) s.v[i] = static_cast<std::int16_t>(a.v[i] + b.v[i]);
    return s;
  }
  static Short rounded_product(const Short& a, const Short& b) {
    Short s;
    for (int i = 0; i < 8; ++i) s.v[i] = static_cast<std::int16_t>(series::rounded_product(a.v[i], b.v[i]));
    return s;
  }
  static Int zero_int() { return {}; }
  static Int multiply_add(const Short& a, const Short& b) {
    Int s;
    for (int i = 0; i < 4; ++i) s.v[i] = a.v[2 * i] * b.v[2 * i] + a.v[2 * i + 1] * b.v[2 * i + 1];
    return s;
  }
  static Int add_int(const Int& a, const Int& b) {
    Int s;
    for (int i = 0; i < 4; ++i) s.v[i] = a.v[i] + b.v[i];
    return s;
  }
  static Long zero_long() { return 0; }
  static Long add_long(Long sum, const Int& a) {
    for (const std::int32_t v : a.v) sum += v;
    return sum;
  }
  static std::int64_t total(Long sum) { return sum; }
  static void add_columns(std::int32_t* columns, const Short& a) {
    for (int i = 0; i < 8; ++i) columns[i] += a.v[i];
  }
  static std::int64_t different(const BitRun& run) {
    std::int64_t count = 0;
    for (int y = 0; y < run.rows; ++y) count += different_in_rest(run, y * run.stride, 0);
    return count;
  }
  static BitCounts masked(const BitRun& run) {
    BitCounts counts;
    for (int y = 0; y < run.rows; ++y) counts.add(masked_in_rest(run, y * run.stride, 0));
    return counts;
  }
};

}  // namespace

const LagKernels& portable_lag_kernels() { return lag_kernels_of<SeriesPortable>; }

}}  // namespace glassworks::series
