#pragma once

#include "kernels/cpu/lanes/lanes.hpp"

namespace glassworks { inline namespace cpu {

/// IsingDecision for lanes, with a polynomial for the exponential.
///
/// u is the word over the end of its range, e = exp(-2 beta |h|). `below` is 1 - u - u e, which is positive where the
/// update keeps the sign of h. The exponential is off by less than 3e-6 of its value (2.6e-6 for the polynomial, the rest
/// for roundings), u e is at most 1/2 where `below` is near 0, and all else is off by less than 1e-6.
template <class F>
class LaneDecision {
 public:
  using Access = exact::Lanes<F>;
  /// Closer to the border than this is unsure.
  static constexpr float margin = 4.0e-6F;
  /// From where on exp(-2 beta |h|) counts as 2^-62.
  static constexpr float furthest = 62.0F;

  LaneDecision() = default;
  /// minus_two_beta: of exact::HeatBathTemperature
  GLASSWORKS_HD explicit LaneDecision(F minus_two_beta)
      : exponent_(exact::mul(minus_two_beta, F(1.44269504F))),
        largest_(exact::min(exact::mul(F(-furthest), exact::reciprocal(exponent_)), F(3.0e38F))) {}

  /// The new spin +-1. h: +0 if it is 0; nearest: the least distance from the border so far
  GLASSWORKS_HD F spin(F h, exact::Bits<F> word, F& nearest) const {
    const F size = exact::least_size(h, largest_), magic(12582912.0F);
    const F shifted = exact::multiply_add(size, exponent_, magic);
    const F r = exact::multiply_add(size, exponent_, exact::sub(magic, shifted));
    F p = exact::multiply_add(F(0.0095701019F), r, F(0.055917860F));
    p = exact::multiply_add(p, r, F(0.24024745F));
    p = exact::multiply_add(p, r, F(0.69312181F));
    p = exact::multiply_add(p, r, F(0.99999926F));
    const F e = exact::as_float(exact::as_uint(p) + exact::shift_left<23>(exact::as_uint(shifted)));
    const F u = Access::word_to_float(word);
    const F below = exact::subtract_product(u, e, exact::sub(F(Access::words_end), u));
    nearest = exact::least_size(below, nearest);
    return exact::copy_sign(F(1.0F), exact::mul(h, below));
  }
  /// Whether one of the spins may differ from that of the exact update.
  [[nodiscard]] GLASSWORKS_HD static bool unsure(F nearest) {
    return Access::any_at_most(nearest, F(margin * Access::words_end));
  }

 private:
  F exponent_, largest_;
};

}}  // namespace glassworks::cpu
