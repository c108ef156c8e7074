#pragma once

#include <cstdint>

#include "kernels/core/math.hpp"

namespace glassworks { inline namespace models {

/// The heat bath of an Ising spin by an approximate exponential: equal to `exact::local_update` wherever it is sure.
///
/// That update keeps the sign of h if fma(u, e, u) < 1, with e = exp(-2 beta |h|) and u of the word. Here w takes the
/// place of 2^32 u. What this sum and the exact one differ by, as multiples of 2^32: 2e-6 at most where the
/// exponentials differ by less than 1.9e-6, 1.5e-7 for w, 1.2e-7 for two roundings. Closer to the border than 7.6e-6 is
/// unsure.
class IsingDecision {
 public:
  /// minus_two_beta: of exact::HeatBathTemperature
  GLASSWORKS_HD explicit IsingDecision(float minus_two_beta) : exponent_(exact::mul(minus_two_beta, 1.44269504F)) {}

  /// The new spin +-1. exp2: 2^x for x <= 0; distance: from the border between the two spins; h: +0 if it is 0
  template <class Exp2>
  [[nodiscard]] GLASSWORKS_HD float spin(float h, std::uint32_t word, const Exp2& exp2, float& distance) const {
    const float e = exp2(exact::mul(exact::abs(h), exponent_)), w = static_cast<float>(word);
    const float beyond = exact::sub(exact::fma(w, e, w), 4294967296.0F);
    distance = exact::abs(beyond);
    return exact::as_float((~exact::as_uint(exact::mul(h, beyond)) & 0x80000000U) | 0x3F800000U);
  }
  /// Whether a spin may differ from that of the exact update.
  [[nodiscard]] GLASSWORKS_HD static bool unsure(float distance) { return distance <= 32768.0F; }

 private:
  float exponent_;  ///< -2 beta / ln 2
};

}}  // namespace glassworks::models
