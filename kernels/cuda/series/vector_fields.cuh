#pragma once

#include <cstdint>

#include "kernels/core/fixed_point.hpp"
#include "kernels/models/site_array.hpp"
#include "kernels/series/lag_kernels.hpp"
#include "kernels/series/series_pairs.hpp"
#include "kernels/series/vector_sums.hpp"

/// The fields of a course of vectors on a device, rounded as on the host. field: of a copy or of a pair.
///
/// Of lags:    product(load(copy, x), load(copy, y)), 32 bits; of_pairs: what is summed is g_a g_b of pairs of copies,
///             else g itself
/// Of planes:  columns, and add(item, x, sums [column])
namespace glassworks { inline namespace cuda {

/// n components of 16 bits, in one word.
template <int n>
struct PackedSpin;
template <>
struct PackedSpin<2> {
  using Word = short2;
  Word v;
  [[nodiscard]] __device__ static PackedSpin of(const short (&s)[2]) { return {make_short2(s[0], s[1])}; }
  __device__ void unpack(short (&s)[2]) const {
    s[0] = v.x;
    s[1] = v.y;
  }
};
template <int n>
struct FourComponents {
  static_assert(n == 3 || n == 4);
  using Word = short4;
  Word v;
  __device__ void unpack(short (&s)[n]) const {
    s[0] = v.x;
    s[1] = v.y;
    s[2] = v.z;
    if constexpr (n > 3) s[3] = v.w;
  }
};
template <>
struct PackedSpin<3> : FourComponents<3> {
  [[nodiscard]] __device__ static PackedSpin of(const short (&s)[3]) { return {{make_short4(s[0], s[1], s[2], 0)}}; }
};
template <>
struct PackedSpin<4> : FourComponents<4> {
  [[nodiscard]] __device__ static PackedSpin of(const short (&s)[4]) { return {{make_short4(s[0], s[1], s[2], s[3])}}; }
};

/// sum over the components of rounded products.
template <int n>
[[nodiscard]] __device__ __forceinline__ int scalar_product(const PackedSpin<n>& a, const PackedSpin<n>& b) {
  short s[n], t[n];
  a.unpack(s);
  b.unpack(t);
  int sum = 0;
#pragma unroll
  for (int k = 0; k < n; ++k) sum += rounded_product(s[k], t[k]);
  return sum;
}

/// g = s_x.s_{x+r} of the copies.
template <int n>
struct SpinLags {
  static constexpr bool of_pairs = true;
  const PackedSpin<n>* spins;  ///< [copy][site]
  unsigned sites;
  [[nodiscard]] __device__ __forceinline__ PackedSpin<n> load(int copy, unsigned x) const {
    return spins[static_cast<std::size_t>(copy) * sites + x];
  }
  [[nodiscard]] __device__ __forceinline__ static int product(const PackedSpin<n>& a, const PackedSpin<n>& b) {
    return scalar_product(a, b);
  }
};

/// (s_x.s_{x+r})(t_w) (s_x.s_{x+r})(t).
template <int n>
struct TwoTimeLags {
  static constexpr bool of_pairs = false;
  const PackedSpin<n>*now, *then;  ///< [copy][site]
  unsigned sites;
  struct Site {
    PackedSpin<n> now, then;
  };
  [[nodiscard]] __device__ __forceinline__ Site load(int copy, unsigned x) const {
    const std::size_t i = static_cast<std::size_t>(copy) * sites + x;
    return {now[i], then[i]};
  }
  [[nodiscard]] __device__ __forceinline__ static int product(const Site& a, const Site& b) {
    return scalar_product(a.now, b.now) * scalar_product(a.then, b.then);
  }
};

/// kappa_x kappa_{x+r} of the copies.
struct ChiralLags {
  static constexpr bool of_pairs = true;
  const std::int16_t* kappa;  ///< [copy][site]
  unsigned sites;
  [[nodiscard]] __device__ __forceinline__ std::int16_t load(int copy, unsigned x) const {
    return kappa[static_cast<std::size_t>(copy) * sites + x];
  }
  [[nodiscard]] __device__ __forceinline__ static int product(std::int16_t a, std::int16_t b) {
    return rounded_product(a, b);
  }
};

/// c_x c_{x+r} of the copies.
struct CorrelationLags {
  static constexpr bool of_pairs = false;
  const std::int16_t* c;  ///< [copy][site]
  unsigned sites;
  [[nodiscard]] __device__ __forceinline__ std::int16_t load(int copy, unsigned x) const {
    return c[static_cast<std::size_t>(copy) * sites + x];
  }
  [[nodiscard]] __device__ __forceinline__ static int product(std::int16_t a, std::int16_t b) { return int{a} * b; }
};

/// The components of a copy.
template <int n>
struct MagnetizationPlanes {
  static constexpr int columns = n;
  const float* spins;  ///< of the first copy [component][site]
  std::size_t stride;  ///< from copy to copy
  unsigned sites;
  __device__ __forceinline__ void add(unsigned copy, unsigned x, long long (&sum)[n]) const {
    constexpr FixedScale fine{magnetization_exponent};
#pragma unroll
    for (int k = 0; k < n; ++k) {
      sum[k] += to_fixed(spins[copy * stride + static_cast<std::size_t>(k) * sites + x], fine.multiplier());
    }
  }
};

/// q^{mu nu} of a pair [mu][nu].
template <int n>
struct OverlapPlanes {
  static constexpr int columns = n * n;
  const PackedSpin<n>* spins;  ///< [copy][site]
  const SeriesPair* pairs;
  unsigned sites;
  __device__ __forceinline__ void add(unsigned pair, unsigned x, long long (&sum)[n * n]) const {
    short s[n], t[n];
    spins[static_cast<std::size_t>(pairs[pair].a) * sites + x].unpack(s);
    spins[static_cast<std::size_t>(pairs[pair].b) * sites + x].unpack(t);
#pragma unroll
    for (int k = 0; k < n * n; ++k) sum[k] += rounded_product(s[k / n], t[k % n]);
  }
};

/// kappa^(a) kappa^(b) of a pair.
struct ChiralPlanes {
  static constexpr int columns = 1;
  const std::int16_t* kappa;  ///< [copy][site]
  const SeriesPair* pairs;
  unsigned sites;
  __device__ __forceinline__ void add(unsigned pair, unsigned x, long long (&sum)[1]) const {
    sum[0] += rounded_product(kappa[static_cast<std::size_t>(pairs[pair].a) * sites + x],
                              kappa[static_cast<std::size_t>(pairs[pair].b) * sites + x]);
  }
};

/// c of a copy.
struct CorrelationPlanes {
  static constexpr int columns = 1;
  const std::int16_t* c;  ///< [copy][site]
  unsigned sites;
  __device__ __forceinline__ void add(unsigned copy, unsigned x, long long (&sum)[1]) const {
    sum[0] += c[static_cast<std::size_t>(copy) * sites + x];
  }
};

}}  // namespace glassworks::cuda
