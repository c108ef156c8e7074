#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kernels/core/random.hpp"
#include "kernels/models/formulas.hpp"

/// What the device computes for exact_operations_test.cpp.
namespace glassworks::test {

/// How many floats of a range were gone through, and for how many the device's fast path differs from its exact one.
struct Exhaustive {
  std::uint64_t checked = 0, wrong = 0;
  std::uint32_t first_wrong = 0xFFFFFFFFU;  ///< bits of the smallest argument that fails
};

/// exact::reciprocal against __frcp_rn for every float in [2^-126, 2^125].
[[nodiscard]] Exhaustive check_reciprocal_on_device();
/// exact::sqrt against __fsqrt_rn for 0 and every float in [2^-100, 2^128).
[[nodiscard]] Exhaustive check_sqrt_on_device();

/// approximate_exp against 1 + expm1_negative for every float from -infinity to -0: wrong where they differ by 1.9e-6
/// or more.
[[nodiscard]] Exhaustive check_approximate_exp_on_device();

using PhiloxWords = std::array<std::uint32_t, 4>;

/// Philox of one counter on the device, by cuRAND, by both overloads of kernels/core/random.hpp, and as general kernels
/// draw it.
struct PhiloxOnDevice {
  PhiloxWords curand, key, round_keys, curand_key;
};
[[nodiscard]] std::vector<PhiloxOnDevice> philox_on_device(PhiloxKey key, const std::vector<PhiloxWords>& counters);

/// The functions of math.hpp and formulas.hpp at random arguments. To be compared by their bytes: -0 and 0 differ.
struct FormulaValues {
  float expm1, exp, log1p, uniform, sin, cos, reciprocal, sqrt;
  exact::Vector<3> random_spin, heat_bath, over_relax, over_relax_conserving, renormalized;
  std::int32_t rounded;
};

GLASSWORKS_HD FormulaValues evaluate_formulas(std::uint32_t index) {
  using namespace exact;
  const RandomBlock a = random_block(PhiloxKey{17, 4}, Stream::heat_bath, 0, 0, 0, index);
  const RandomBlock b = random_block(PhiloxKey{17, 4}, Stream::heat_bath, 1, 0, 0, index);
  const RandomBlock c = random_block(PhiloxKey{17, 4}, Stream::heat_bath, 2, 0, 0, index);
  // -2^-30 ... -2^7, log-uniform: expm1 and exp from no effect to complete underflow.
  const float x = as_float(0x80000000U | ((97U + a.word[0] % 37U) << 23) | (a.word[1] & 0x7FFFFFU));
  const float w = uniform<float>(a.word[2]);
  const SinCos<float> angle = uniform_sincos<float>(a.word[3]);
  const Vector<3> s = random_spin<float>(b.word[0], b.word[1]);
  // |h| from 2^-16 to 2^7, as sums of Gaussian couplings hardly ever leave it.
  const float length = as_float(((111U + b.word[2] % 23U) << 23) | (b.word[3] & 0x7FFFFFU));
  const Vector<3> n = random_spin<float>(c.word[0], c.word[1]);
  const Vector<3> h{{mul(length, n.c[0]), mul(length, n.c[1]), mul(length, n.c[2])}};
  const float beta = 0.5F + 19.5F * 0x1p-32F * static_cast<float>(c.word[2]);
  const HeatBathTemperature<float> t{mul(-2.0F, beta), -reciprocal(beta)};

  const float e = expm1_negative(x);
  FormulaValues v;
  v.expm1 = e;
  v.exp = exp_negative(x);
  v.log1p = log1p_negative(fma(w, e, 1.0F), mul(w, e));
  v.uniform = w;
  v.sin = angle.sin;
  v.cos = angle.cos;
  v.reciprocal = reciprocal(-x);
  v.sqrt = sqrt(-x);
  v.random_spin = s;
  v.heat_bath = heat_bath(h, t, c.word[3], a.word[3]);
  v.over_relax = over_relax(s, h);
  v.over_relax_conserving = over_relax_conserving(s, h);
  v.renormalized = renormalize(v.over_relax);
  v.rounded = round_to_int(mul(h.c[0], 0x1p20F));
  return v;
}

[[nodiscard]] std::vector<FormulaValues> formulas_on_device(std::uint32_t count);

}  // namespace glassworks::test
