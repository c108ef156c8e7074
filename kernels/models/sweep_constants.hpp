#pragma once

#include <cstdint>

#include "kernels/models/formulas.hpp"
#include "kernels/models/spin_model.hpp"

namespace glassworks::exact {

/// What the local updates need of an inverse temperature, all in float.
struct LocalTemperature : HeatBathTemperature<float> {
  float beta;

  LocalTemperature() = default;
  GLASSWORKS_HD explicit LocalTemperature(float b)
      : HeatBathTemperature<float>{mul(-2.0F, b), -reciprocal(b)}, beta(b) {}
};

/// Constants of the local update of phi4 at finite lambda, made on the host.
struct Phi4Weight {
  float lambda;
  float b, b_squared;           ///< b = 4 lambda - 2
  float four, twelve, sixteen;  ///< times lambda
  float inverse_eight;          ///< 1/(8 lambda); used where b > 0
  float limit;                  ///< of phi^2: what the sums of a measurement have room for

  Phi4Weight() = default;
  Phi4Weight(double l, double largest_square)
      : lambda(static_cast<float>(l)),
        b(static_cast<float>(4.0 * l - 2.0)),
        b_squared(b * b),
        four(4.0F * lambda),
        twelve(12.0F * lambda),
        sixteen(16.0F * lambda),
        inverse_eight(l > 0.0 ? static_cast<float>(1.0 / (8.0 * l)) : 0.0F),
        limit(static_cast<float>(largest_square)) {}
};

}  // namespace glassworks::exact

namespace glassworks { inline namespace models {

/// What the local updates of all sites in a sweep have in common.
struct SweepConstants {
  exact::LocalTemperature temperature;
  std::uint64_t sweep;     ///< its number, which the update of four components looks at
  SpinModel model;         ///< its numbers
  exact::Phi4Weight phi4;  ///< of phi4
};

}}  // namespace glassworks::models
