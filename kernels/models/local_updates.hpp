#pragma once

#include <cstdint>

#include "kernels/models/formulas.hpp"

/// Single-spin updates of the models ising, potts, on and phi4, for host and device. Each leaves the conditional
/// distribution of its spin, given the neighbours, invariant; see README.md for where their random words come from.
namespace glassworks::exact {

/// What the local updates need of an inverse temperature, all in float.
struct LocalTemperature : HeatBathTemperature<float> {
  float beta;

  LocalTemperature() = default;
  GLASSWORKS_HD explicit LocalTemperature(float b)
      : HeatBathTemperature<float>{mul(-2.0F, b), -reciprocal(b)}, beta(b) {}
};

/// Heat bath of ising in the field h = sum_j J_ij s_j: the spin follows h (up for h = 0) with p = 1/(1 + exp(-2 beta
/// |h|)). Returns the state (1 + s)/2.
GLASSWORKS_HD std::uint8_t ising_heat_bath(float h, float minus_two_beta, std::uint32_t word) {
  const float e = exp_negative(mul(minus_two_beta, abs(h)));
  const float u = uniform<float>(word);
  const bool follows = fma(u, e, u) < 1.0F;
  return static_cast<std::uint8_t>(follows == !(h < 0.0F));
}

/// Bonds of a site of potts: H_k = sum of J over the neighbours in state k, added in the order x+, x-, y+, ...
struct PottsNeighbours {
  int count;  ///< 2 d
  std::uint8_t sigma[8];
  float J[8];

  [[nodiscard]] GLASSWORKS_HD float field(int k) const {
    float h = 0.0F;
    for (int j = 0; j < count; ++j) h = sigma[j] == k ? add(h, J[j]) : h;
    return h;
  }
};

/// Heat bath of potts: state k with weight exp(beta (H_k - max H)), the first one whose running sum exceeds u times the
/// total.
GLASSWORKS_HD std::uint8_t potts_heat_bath(const PottsNeighbours& neighbours, int q, float beta, std::uint32_t word) {
  float largest = neighbours.field(0);
  for (int k = 1; k < q; ++k) largest = max(largest, neighbours.field(k));
  float total = 0.0F;
  for (int k = 0; k < q; ++k) total = add(total, exp_negative(mul(beta, sub(neighbours.field(k), largest))));
  const float target = mul(uniform<float>(word), total);
  float running = 0.0F;
  for (int k = 0; k + 1 < q; ++k) {
    running = add(running, exp_negative(mul(beta, sub(neighbours.field(k), largest))));
    if (running > target) return static_cast<std::uint8_t>(k);
  }
  return static_cast<std::uint8_t>(q - 1);
}

/// ising as a vector of one component, s = +-1: ising_heat_bath.
template <class F>
GLASSWORKS_HD Vector<1, F> local_update(const Vector<1, F>& s, const Vector<1, F>& h, const HeatBathTemperature<F>& t,
                                        std::uint64_t sweep, Bits<F> word0, Bits<F> word1) {
  (void)s;
  (void)sweep;
  (void)word1;
  const F e = exp_negative(mul(t.minus_two_beta, abs(h.c[0])));
  const F u = uniform<F>(word0);
  const F along = select_less(h.c[0], F(0.0F), F(-1.0F), F(1.0F));
  return {{select_less(fma(u, e, u), F(1.0F), along, flip_sign(along, Bits<F>(0x80000000U)))}};
}

/// on, n = 2: one trial of the rejection sampler for exp(x cos), x = beta |h| (wrapped Cauchy envelope, accepted in 66
/// to 100 %). A rejected trial keeps the spin; whether it is rejected does not depend on the old spin, so the update is
/// reversible. Source: Best & Fisher, Appl. Stat. 28, 152 (1979).
template <class F>
GLASSWORKS_HD Vector<2, F> local_update(const Vector<2, F>& s, const Vector<2, F>& h, const HeatBathTemperature<F>& t,
                                        std::uint64_t sweep, Bits<F> word0, Bits<F> word1) {
  (void)sweep;
  const F a = max(abs(h.c[0]), F(1.0e-15F));  // h = 0 counts as a tiny field along x
  const F norm = sqrt(fma(h.c[1], h.c[1], mul(a, a)));
  const F scale = reciprocal(norm);
  const F e0 = mul(copy_sign(a, h.c[0]), scale), e1 = mul(h.c[1], scale);
  const F twice_x = flip_sign(mul(t.minus_two_beta, norm), Bits<F>(0x80000000U));
  const F tau = add(F(1.0F), sqrt(fma(twice_x, twice_x, F(1.0F))));
  const SinCos<F> angle = uniform_sincos<F>(word0);
  const F ratio = mul(fma(tau, angle.cos, twice_x), reciprocal(fma(twice_x, angle.cos, tau)));
  const F cosine = max(min(ratio, F(1.0F)), F(-1.0F));
  const F c = mul(F(0.5F), fnma(twice_x, cosine, tau));
  const F u = uniform<F>(word1), bound = mul(mul(c, F(2.71828183F)), exp_negative(flip_sign(c, Bits<F>(0x80000000U))));
  const F sine = copy_sign(sqrt(mul(sub(F(1.0F), cosine), add(F(1.0F), cosine))), angle.sin);
  const F x = fnma(sine, e1, mul(cosine, e0)), y = fma(sine, e0, mul(cosine, e1));
  return {{select_less(u, bound, x, s.c[0]), select_less(u, bound, y, s.c[1])}};
}

/// on, n = 3: the heat bath of heisenberg.
template <class F>
GLASSWORKS_HD Vector<3, F> local_update(const Vector<3, F>& s, const Vector<3, F>& h, const HeatBathTemperature<F>& t,
                                        std::uint64_t sweep, Bits<F> word0, Bits<F> word1) {
  (void)s;
  (void)sweep;
  return heat_bath<F>(h, t, word0, word1);
}

/// on, n = 4, and phi4 at lambda = infinity: heat bath of three components on their sphere of radius rho, exact and
/// without rejections, because the conditional weight is that of a heisenberg spin at beta rho. Component sweep mod 4
/// stays.
template <class F>
GLASSWORKS_HD Vector<4, F> local_update(const Vector<4, F>& s, const Vector<4, F>& h, const HeatBathTemperature<F>& t,
                                        std::uint64_t sweep, Bits<F> word0, Bits<F> word1) {
  const unsigned fixed = static_cast<unsigned>(sweep) & 3U;
  const auto without = [fixed](const Vector<4, F>& a) {
    return Vector<3, F>{{fixed == 0 ? a.c[1] : a.c[0], fixed <= 1 ? a.c[2] : a.c[1], fixed <= 2 ? a.c[3] : a.c[2]}};
  };
  const Vector<3, F> part = without(s), field = without(h);
  const F rho = sqrt(max(dot(part, part), F(1.0e-30F)));
  const HeatBathTemperature<F> scaled{mul(t.minus_two_beta, rho), mul(t.minus_inverse_beta, reciprocal(rho))};
  const Vector<3, F> v = heat_bath<F>(field, scaled, word0, word1);
  const F a = mul(rho, v.c[0]), b = mul(rho, v.c[1]), c = mul(rho, v.c[2]);
  return {{fixed == 0 ? s.c[0] : a, fixed == 1 ? s.c[1] : (fixed == 0 ? a : b),
           fixed == 2 ? s.c[2] : (fixed <= 1 ? b : c), fixed == 3 ? s.c[3] : c}};
}

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
