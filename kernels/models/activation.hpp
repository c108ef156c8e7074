#pragma once

#include <cstdint>

#include "kernels/core/math.hpp"

/// Probability that a bond is active, p = 1 - exp(min(0, -x)), and the decision by a random word.
namespace glassworks { inline namespace models {

/// exp(-x), x >= 0, in double operations that IEEE 754 defines: the same bits on every platform. Relative error below
/// 1e-15; x above 700 counts as 700. For the host.
[[nodiscard]] double exact_exp_negative(double x);

/// p as a threshold: a word w activates if w < threshold = floor(p 2^32). 0 <= p; p = 1 gives 2^32 - 1.
[[nodiscard]] std::uint32_t probability_threshold(double p);

/// Threshold of a satisfied bond of discrete spins where all couplings have the modulus `coupling`:
/// p = 1 - exp(-factor beta |J|), factor = 2 for ising, 1 for potts. Error of p below 2^-32.
[[nodiscard]] std::uint32_t bond_threshold(double factor, float beta, float coupling);

}}  // namespace glassworks::models

namespace glassworks::exact {

/// p = 1 - exp(min(0, exponent)): probability that a bond with the weight exp(exponent) of being broken is active.
///
/// Discrete spins with couplings of different moduli: exponent = satisfied_exponent where the bond is satisfied, else
/// the bond is not active. on, phi4: exponent = reflected_exponent.
template <class F>
GLASSWORKS_HD F active_probability(F exponent) {
  return negative(expm1_negative(min(exponent, F(0.0F))));
}
GLASSWORKS_HD bool is_active(float exponent, std::uint32_t word) {
  return uniform<float>(word) < active_probability(exponent);
}
/// The same for lanes: all bits of a word set where the bond is active, else none.
template <class F>
GLASSWORKS_HD Bits<F> active_flags(F exponent, Bits<F> word) {
  const F all = as_float(Bits<F>(0xFFFFFFFFU)), none(0.0F);
  return as_uint(select_less(uniform<F>(word), active_probability(exponent), all, none));
}

/// -2 beta |J| (ising, minus_factor_beta = -2 beta) or -beta |J| (potts, -beta).
template <class F>
GLASSWORKS_HD F satisfied_exponent(F minus_factor_beta, F coupling) {
  return mul(minus_factor_beta, abs(coupling));
}

/// -2 beta J (r.s_i)(r.s_j) from the projections on the direction r.
template <class F>
GLASSWORKS_HD F reflected_exponent(F minus_two_beta, F coupling, F projection_i, F projection_j) {
  return mul(mul(minus_two_beta, coupling), mul(projection_i, projection_j));
}

/// Whether J favours the two states: ising s = 2 state - 1; potts needs J >= 0.
GLASSWORKS_HD bool is_satisfied(float coupling, std::uint8_t a, std::uint8_t b) {
  return (a == b) == !(coupling < 0.0F);
}

}  // namespace glassworks::exact
