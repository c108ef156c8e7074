#pragma once

#include "kernels/models/unit_vectors.hpp"

namespace glassworks::exact {

/// The one of two values that a < b chooses, which a plain float alone computes then.
template <class Then, class Else>
GLASSWORKS_HD float choose_less(float a, float b, const Then& then, const Else& otherwise) {
  return a < b ? then() : otherwise();
}
template <class F, class Then, class Else>
GLASSWORKS_HD F choose_less(F a, F b, const Then& then, const Else& otherwise) {
  return select_less(a, b, then(), otherwise());
}

/// Where |phi| = r of a phi4 site is proposed, given the field a = beta h.phi/r along its direction: the mode of its
/// weight p(r) ~ r^3 exp(a r - r^2 - lambda (r^2 - 1)^2), and the width of a logistic distribution around it.
template <class F>
struct RadialProposal {
  F mode, width, inverse_width;
};

/// The mode solves 3/r + a + b r - 4 lambda r^3 = 0. Four steps of r^2 <- the solution of the equation with a r held
/// (or, for a < 0 and b <= 0, with lambda r^2 held), then two of Newton's; exactness is not needed, because the
/// proposal does not depend on the old r. Width 0.6/sqrt(-(ln p)''): accepted in 74 to 94 % for every lambda and a >
/// -10.
template <class F>
GLASSWORKS_HD RadialProposal<F> phi4_radial_proposal(F a, const Phi4Weight& w) {
  const F zero(0.0F), b(w.b);
  F r = choose_less(
      a, zero, [] { return F(1.0F); }, [&] { return mul(F(0.25F), add(a, sqrt(fma(a, a, F(24.0F))))); });
  const auto with_quartic_held = [&] {
    const F quadratic = sub(mul(F(w.four), mul(r, r)), b);
    return mul(F(6.0F), reciprocal(sub(sqrt(fma(F(12.0F), quadratic, mul(a, a))), a)));
  };
  const auto with_linear_held = [&] {
    const F t = fma(a, r, F(3.0F));
    const F root = sqrt(max(fma(F(w.sixteen), t, F(w.b_squared)), F(1.0e-20F)));
    return sqrt(w.b > 0.0F ? mul(add(b, root), F(w.inverse_eight)) : mul(add(t, t), reciprocal(sub(root, b))));
  };
  for (int i = 0; i < 4; ++i) {
    r = w.b > 0.0F ? with_linear_held() : choose_less(a, zero, with_quartic_held, with_linear_held);
  }
  F curvature(2.0F);
  for (int i = 0; i < 3; ++i) {
    const F inverse = reciprocal(r), square = mul(r, r);
    curvature = max(sub(fma(F(w.twelve), square, mul(mul(F(3.0F), inverse), inverse)), b), F(2.0F));
    if (i == 2) break;
    const F slope = fma(sub(b, mul(F(w.four), square)), r, fma(F(3.0F), inverse, a));
    r = max(fma(slope, reciprocal(curvature), r), mul(F(0.5F), r));
  }
  const F deviation = sqrt(curvature);
  return {r, mul(F(0.6F), reciprocal(deviation)), mul(deviation, F(1.66666663F))};
}

/// ln of the logistic density at distance z, up to a constant: -|z| - 2 ln(1 + exp(-|z|)).
template <class F>
GLASSWORKS_HD F log_logistic(F z) {
  const F e = exp_negative(negative(abs(z))), t = reciprocal(add(F(1.0F), e));
  return sub(mul(F(2.0F), log1p_negative(t, negative(mul(e, t)))), abs(z));
}

/// ln(x/y) of positive numbers; at least -16.6.
template <class F>
GLASSWORKS_HD F log_ratio_below_one(F x, F y) {
  const F inverse = reciprocal(y);
  return log1p_negative(max(mul(x, inverse), F(5.9604645e-8F)), mul(sub(x, y), inverse));
}

/// What a local update of phi4 leaves.
template <class F>
struct Phi4Proposal {
  Vector<4, F> phi;
  F accepted;  ///< 1 where the new |phi| was accepted, else 0
};

/// phi4 at finite lambda, weight exp(beta h.phi - phi^2 - lambda (phi^2 - 1)^2): first the heat bath of three
/// components on their sphere, which leaves |phi| (as for |phi| = 1), then |phi| along the new direction, proposed as
/// r' = mode + width ln(u/(1 - u)) (RadialProposal) and accepted with min(1, p(r') q(r)/(p(r) q(r'))), q the density of
/// the proposal. q has heavier tails than p, so no state is left for long; nothing in it depends on the old r.
///
/// Words 0, 1: direction; word 2: u; word 3: acceptance.
template <class F>
GLASSWORKS_HD Phi4Proposal<F> phi4_propose(const Vector<4, F>& phi, const Vector<4, F>& h,
                                           const HeatBathTemperature<F>& temperature, F beta, const Phi4Weight& w,
                                           std::uint64_t sweep, const Bits<F>* word) {
  const F zero(0.0F), one(1.0F);
  const Vector<4, F> turned = local_update<F>(phi, h, temperature, sweep, word[0], word[1]);
  const F r = sqrt(max(dot(turned, turned), F(1.0e-30F))), inverse = reciprocal(r);
  const F a = mul(beta, mul(dot(h, turned), inverse));
  const RadialProposal<F> q = phi4_radial_proposal(a, w);
  const F u = uniform<F>(word[2]), rest = sub(one, u);
  const F z = sub(log1p_negative(u, negative(rest)), log1p_negative(rest, negative(u)));
  const F proposed = fma(q.width, z, q.mode);
  const F s = max(proposed, mul(F(1.0e-6F), r));  // so that all below is defined; not accepted if it is not `proposed`
  const F size = log_ratio_below_one(min(r, s), max(s, r)), ratio = select_less(s, r, size, negative(size));
  const F excess = add(mul(sub(s, one), add(s, one)), mul(sub(r, one), add(r, one)));  // s^2 - 1 + r^2 - 1
  const F quartic = mul(fma(F(w.lambda), excess, one), add(s, r));
  F gain = fma(sub(s, r), sub(a, quartic), mul(F(3.0F), ratio));
  gain = add(gain, sub(log_logistic(mul(sub(r, q.mode), q.inverse_width)), log_logistic(z)));
  const F passed = select_less(uniform<F>(word[3]), exp_negative(min(gain, zero)), one, zero);
  const F accepted = select_less(proposed, s, zero, passed);
  const F scale = select_less(zero, accepted, mul(s, inverse), one);
  Phi4Proposal<F> move;
  GLASSWORKS_UNROLL
  for (int k = 0; k < 4; ++k) move.phi.c[k] = mul(scale, turned.c[k]);
  move.accepted = accepted;
  return move;
}

/// phi4_propose of one site.
struct Phi4Move {
  Vector<4> phi;
  bool accepted;   ///< the new |phi|
  bool too_large;  ///< phi^2 above Phi4Weight::limit
};
GLASSWORKS_HD Phi4Move phi4_update(const Vector<4>& phi, const Vector<4>& h, const LocalTemperature& temperature,
                                   const Phi4Weight& w, std::uint64_t sweep, const RandomBlock& block) {
  const Phi4Proposal<float> move = phi4_propose<float>(phi, h, temperature, temperature.beta, w, sweep, block.word);
  return {move.phi, move.accepted > 0.0F, dot(move.phi, move.phi) > w.limit};
}

}  // namespace glassworks::exact

namespace glassworks { inline namespace models {

/// phi4 at finite lambda: vectors of four components whose length varies. The model as a type; see model_type.hpp.
struct Phi4 : UnitVectors<4> {
  static constexpr bool has_fields = false, may_lack_sites = false, free_modulus = true;

  /// Takes a block of words for each site.
  GLASSWORKS_HD static exact::Phi4Move local_update(const Site& phi, const Neighbours& h, const SweepConstants& c,
                                                    const RandomBlock& block) {
    return exact::phi4_update(phi, h, c.temperature, c.phi4, c.sweep, block);
  }
};

}}  // namespace glassworks::models
