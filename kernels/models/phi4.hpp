#pragma once

#include "kernels/models/unit_vectors.hpp"

namespace glassworks::exact {

/// Where |phi| = r of a phi4 site is proposed, given the field a = beta h.phi/r along its direction: the mode of its
/// weight p(r) ~ r^3 exp(a r - r^2 - lambda (r^2 - 1)^2), and the width of a logistic distribution around it.
struct RadialProposal {
  float mode, width, inverse_width;
};

/// The mode solves 3/r + a + b r - 4 lambda r^3 = 0. Four steps of r^2 <- the solution of the equation with a r held
/// (or, for a < 0 and b <= 0, with lambda r^2 held), then two of Newton's; exactness is not needed, because the
/// proposal does not depend on the old r. Width 0.6/sqrt(-(ln p)''): accepted in 74 to 94 % for every lambda and a >
/// -10.
GLASSWORKS_HD RadialProposal phi4_radial_proposal(float a, const Phi4Weight& w) {
  const bool held = a < 0.0F && w.b <= 0.0F;
  float r = a < 0.0F ? 1.0F : mul(0.25F, add(a, sqrt(fma(a, a, 24.0F))));
  for (int i = 0; i < 4; ++i) {
    if (held) {
      const float quadratic = sub(mul(w.four, mul(r, r)), w.b);
      r = mul(6.0F, reciprocal(sub(sqrt(fma(12.0F, quadratic, mul(a, a))), a)));
    } else {
      const float t = fma(a, r, 3.0F);
      const float root = sqrt(max(fma(w.sixteen, t, w.b_squared), 1.0e-20F));
      r = sqrt(w.b > 0.0F ? mul(add(w.b, root), w.inverse_eight) : mul(add(t, t), reciprocal(sub(root, w.b))));
    }
  }
  float curvature = 2.0F;
  for (int i = 0; i < 3; ++i) {
    const float inverse = reciprocal(r), square = mul(r, r);
    curvature = max(sub(fma(w.twelve, square, mul(mul(3.0F, inverse), inverse)), w.b), 2.0F);
    if (i == 2) break;
    const float slope = fma(sub(w.b, mul(w.four, square)), r, fma(3.0F, inverse, a));
    r = max(fma(slope, reciprocal(curvature), r), mul(0.5F, r));
  }
  const float deviation = sqrt(curvature);
  return {r, mul(0.6F, reciprocal(deviation)), mul(deviation, 1.66666663F)};
}

/// ln of the logistic density at distance z, up to a constant: -|z| - 2 ln(1 + exp(-|z|)).
GLASSWORKS_HD float log_logistic(float z) {
  const float e = exp_negative(-abs(z)), t = reciprocal(add(1.0F, e));
  return sub(mul(2.0F, log1p_negative(t, -mul(e, t))), abs(z));
}

/// ln(x/y) of positive numbers; at least -16.6.
GLASSWORKS_HD float log_ratio_below_one(float x, float y) {
  const float inverse = reciprocal(y);
  return log1p_negative(max(mul(x, inverse), 5.9604645e-8F), mul(sub(x, y), inverse));
}

/// What a local update of phi4 leaves.
struct Phi4Move {
  Vector<4> phi;
  bool accepted;   ///< the new |phi|
  bool too_large;  ///< phi^2 above Phi4Weight::limit
};

/// phi4 at finite lambda, weight exp(beta h.phi - phi^2 - lambda (phi^2 - 1)^2): first the heat bath of three
/// components on their sphere, which leaves |phi| (as for |phi| = 1), then |phi| along the new direction, proposed as
/// r' = mode + width ln(u/(1 - u)) (RadialProposal) and accepted with min(1, p(r') q(r)/(p(r) q(r'))), q the density of
/// the proposal. q has heavier tails than p, so no state is left for long; nothing in it depends on the old r.
///
/// Words 0, 1: direction; word 2: u; word 3: acceptance.
GLASSWORKS_HD Phi4Move phi4_update(const Vector<4>& phi, const Vector<4>& h, const LocalTemperature& temperature,
                                   const Phi4Weight& w, std::uint64_t sweep, const RandomBlock& block) {
  const Vector<4> turned = local_update<float>(phi, h, temperature, sweep, block.word[0], block.word[1]);
  const float r = sqrt(max(dot(turned, turned), 1.0e-30F)), inverse = reciprocal(r);
  const float a = mul(temperature.beta, mul(dot(h, turned), inverse));
  const RadialProposal q = phi4_radial_proposal(a, w);
  const float u = uniform<float>(block.word[2]), rest = sub(1.0F, u);
  const float z = sub(log1p_negative(u, -rest), log1p_negative(rest, -u));
  const float proposed = fma(q.width, z, q.mode);
  const float s = max(proposed, mul(1.0e-6F, r));  // so that all below is defined; not accepted if it is not `proposed`
  const float ratio = s < r ? log_ratio_below_one(s, r) : -log_ratio_below_one(r, s);
  const float excess = add(mul(sub(s, 1.0F), add(s, 1.0F)), mul(sub(r, 1.0F), add(r, 1.0F)));  // s^2 - 1 + r^2 - 1
  const float quartic = mul(fma(w.lambda, excess, 1.0F), add(s, r));
  float gain = fma(sub(s, r), sub(a, quartic), mul(3.0F, ratio));
  gain = add(gain, sub(log_logistic(mul(sub(r, q.mode), q.inverse_width)), log_logistic(z)));
  const bool accepted =
      proposed >= s && (gain >= 0.0F || uniform<float>(block.word[3]) < exp_negative(min(gain, 0.0F)));
  const float scale = accepted ? mul(s, inverse) : 1.0F;
  Phi4Move move;
  for (int k = 0; k < 4; ++k) move.phi.c[k] = mul(scale, turned.c[k]);
  move.accepted = accepted;
  move.too_large = dot(move.phi, move.phi) > w.limit;
  return move;
}

}  // namespace glassworks::exact

namespace glassworks::inline models {

/// phi4 at finite lambda: vectors of four components whose length varies. The model as a type; see for_model.hpp.
struct Phi4 : UnitVectors<4> {
  static constexpr bool has_fields = false, free_modulus = true;

  /// Takes a block of words for each site.
  GLASSWORKS_HD static exact::Phi4Move local_update(const Site& phi, const Neighbours& h, const SweepConstants& c,
                                                    const RandomBlock& block) {
    return exact::phi4_update(phi, h, c.temperature, c.phi4, c.sweep, block);
  }
};

}  // namespace glassworks::inline models
