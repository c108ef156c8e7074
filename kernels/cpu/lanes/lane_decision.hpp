#pragma once

#include "kernels/cpu/lanes/lanes.hpp"

namespace glassworks::exact {

/// IsingDecision for lanes, with a polynomial for the exponential.
///
/// u is the word over the end of its range, e = exp(-2 beta |h|). `below` is 1 - u - u e, which is positive where the
/// update keeps the sign of h. The exponential is off by less than 3e-6 of its value (2.6e-6 for the polynomial, the
/// rest for roundings), u e is at most 1/2 where `below` is near 0, and all else is off by less than 1e-6.
template <class F>
class LaneDecision {
 public:
  using Access = Lanes<F>;
  /// Closer to the border than this is unsure.
  static constexpr float margin = 4.0e-6F;
  /// From where on exp(-2 beta |h|) counts as 2^-62.
  static constexpr float furthest = 62.0F;

  LaneDecision() = default;
  /// minus_two_beta: of HeatBathTemperature, from -2e38 to 0
  GLASSWORKS_HD explicit LaneDecision(F minus_two_beta)
      : exponent_(mul(minus_two_beta, F(1.44269504F))),
        largest_(min(mul(F(-furthest), reciprocal(exponent_)), F(3.0e38F))) {}

  /// The new spin +-1. h: +0 if it is 0; nearest: the least distance from the border so far
  GLASSWORKS_HD F spin(F h, Bits<F> word, F& nearest) const {
    const F size = least_size(h, largest_), magic(12582912.0F);
    const F shifted = multiply_add(size, exponent_, magic);
    const F r = multiply_add(size, exponent_, sub(magic, shifted));
    F p = multiply_add(F(0.0095701019F), r, F(0.055917860F));
    p = multiply_add(p, r, F(0.24024745F));
    p = multiply_add(p, r, F(0.69312181F));
    p = multiply_add(p, r, F(0.99999926F));
    const F e = as_float(as_uint(p) + shift_left<23>(as_uint(shifted)));
    const F u = Access::word_to_float(word);
    const F below = subtract_product(u, e, sub(F(Access::words_end), u));
    nearest = least_size(below, nearest);
    return copy_sign(F(1.0F), mul(h, below));
  }
  /// Whether one of the spins may differ from that of the exact update.
  [[nodiscard]] GLASSWORKS_HD static bool unsure(F nearest) {
    return Access::any_at_most(nearest, F(margin * Access::words_end));
  }

 private:
  F exponent_, largest_;
};

}  // namespace glassworks::exact
