#pragma once

#include <cstdint>

#include "kernels/cluster/vector_spin.hpp"

/// Single-spin updates of the models ising, potts, on and phi4, for host and device. Each leaves the conditional
/// distribution of its spin, given the neighbours, invariant; see README.md for where their random words come from.
namespace glassworks::exact {

/// What the local updates need of an inverse temperature, all in float.
struct LocalTemperature {
  float beta, minus_two_beta, minus_inverse_beta;

  LocalTemperature() = default;
  GLASSWORKS_HD explicit LocalTemperature(float b)
      : beta(b), minus_two_beta(mul(-2.0F, b)), minus_inverse_beta(-reciprocal(b)) {}
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

/// on, n = 2: one trial of the rejection sampler for exp(x cos), x = beta |h| (wrapped Cauchy envelope, accepted in 66
/// to 100 %). A rejected trial keeps the spin; whether it is rejected does not depend on the old spin, so the update is
/// reversible. Source: Best & Fisher, Appl. Stat. 28, 152 (1979).
GLASSWORKS_HD VectorN<2> local_update(const VectorN<2>& s, const VectorN<2>& h, const LocalTemperature& t,
                                      std::uint64_t sweep, std::uint32_t word0, std::uint32_t word1) {
  (void)sweep;
  const float a = max(abs(h.c[0]), 1.0e-15F);  // h = 0 counts as a tiny field along x
  const float norm = sqrt(fma(h.c[1], h.c[1], mul(a, a)));
  const float scale = reciprocal(norm);
  const float e0 = mul(copy_sign(a, h.c[0]), scale), e1 = mul(h.c[1], scale);
  const float twice_x = -mul(t.minus_two_beta, norm);
  const float tau = add(1.0F, sqrt(fma(twice_x, twice_x, 1.0F)));
  const SinCos<float> angle = uniform_sincos<float>(word0);
  const float ratio = mul(fma(tau, angle.cos, twice_x), reciprocal(fma(twice_x, angle.cos, tau)));
  const float cosine = max(min(ratio, 1.0F), -1.0F);
  const float c = mul(0.5F, fnma(twice_x, cosine, tau));
  const bool accepted = uniform<float>(word1) < mul(mul(c, 2.71828183F), exp_negative(-c));
  const float sine = copy_sign(sqrt(mul(sub(1.0F, cosine), add(1.0F, cosine))), angle.sin);
  const float x = fnma(sine, e1, mul(cosine, e0)), y = fma(sine, e0, mul(cosine, e1));
  return {{accepted ? x : s.c[0], accepted ? y : s.c[1]}};
}

/// on, n = 3: the heat bath of heisenberg.
GLASSWORKS_HD VectorN<3> local_update(const VectorN<3>& s, const VectorN<3>& h, const LocalTemperature& t,
                                      std::uint64_t sweep, std::uint32_t word0, std::uint32_t word1) {
  (void)s;
  (void)sweep;
  const Vector3<float> v =
      heat_bath<float>({h.c[0], h.c[1], h.c[2]}, {t.minus_two_beta, t.minus_inverse_beta}, word0, word1);
  return {{v.x, v.y, v.z}};
}

/// on, n = 4, and phi4 at lambda = infinity: heat bath of three components on their sphere of radius rho, exact and
/// without rejections, because the conditional weight is that of a heisenberg spin at beta rho. Component sweep mod 4
/// stays.
GLASSWORKS_HD VectorN<4> local_update(const VectorN<4>& s, const VectorN<4>& h, const LocalTemperature& t,
                                      std::uint64_t sweep, std::uint32_t word0, std::uint32_t word1) {
  const int fixed = static_cast<int>(sweep & 3U);
  const int i = fixed == 0 ? 1 : 0, j = fixed <= 1 ? 2 : 1, k = fixed <= 2 ? 3 : 2;
  const Vector3<float> part{s.c[i], s.c[j], s.c[k]}, field{h.c[i], h.c[j], h.c[k]};
  const float rho = sqrt(max(dot(part, part), 1.0e-30F));
  const HeatBathTemperature<float> scaled{mul(t.minus_two_beta, rho), mul(t.minus_inverse_beta, reciprocal(rho))};
  const Vector3<float> v = heat_bath<float>(field, scaled, word0, word1);
  VectorN<4> result = s;
  result.c[i] = mul(rho, v.x);
  result.c[j] = mul(rho, v.y);
  result.c[k] = mul(rho, v.z);
  return result;
}

/// Constants of the local update of phi4 at finite lambda, made on the host.
struct Phi4Weight {
  float lambda, inverse_alpha, half_inverse_alpha;
  float quadratic;  ///< 1 - 2 lambda - alpha

  Phi4Weight() = default;
  /// alpha = 1 + lambda/(1 + lambda): the Gaussian of the proposal is exact at lambda = 0 and centred on |phi| = 1 as
  /// lambda grows.
  explicit Phi4Weight(double l) : lambda(static_cast<float>(l)) {
    const auto alpha = static_cast<float>(1.0 + l / (1.0 + l));
    inverse_alpha = 1.0F / alpha;
    half_inverse_alpha = 0.5F * inverse_alpha;
    quadratic = static_cast<float>(1.0 - 2.0 * l - static_cast<double>(alpha));
  }
};

/// phi4 at finite lambda, weight exp(beta h.phi - phi^2 - lambda (phi^2 - 1)^2): phi' from the Gaussian
/// exp(-alpha (phi' - beta h/(2 alpha))^2), accepted with min(1, exp(-D (lambda (phi'^2 + phi^2) + 1 - 2 lambda -
/// alpha))), D = phi'^2 - phi^2. lambda = 0: a heat bath, always accepted.
///
/// Words 0, 1 give components 0, 1 (radius, angle), words 2, 3 components 2, 3; the acceptance takes the low bits that
/// these leave unused.
GLASSWORKS_HD VectorN<4> phi4_update(const VectorN<4>& phi, const VectorN<4>& h, float beta, const Phi4Weight& weight,
                                     const RandomBlock& block) {
  const float shift = mul(beta, weight.half_inverse_alpha);
  VectorN<4> proposal;
  for (int pair = 0; pair < 2; ++pair) {
    const float u = uniform<float>(block.word[2 * pair]);
    const float radius = sqrt(mul(-log1p_negative(u, sub(u, 1.0F)), weight.inverse_alpha));
    const SinCos<float> angle = uniform_sincos<float>(block.word[2 * pair + 1]);
    proposal.c[2 * pair] = fma(shift, h.c[2 * pair], mul(radius, angle.cos));
    proposal.c[2 * pair + 1] = fma(shift, h.c[2 * pair + 1], mul(radius, angle.sin));
  }
  const std::uint32_t coin = (block.word[0] & 0x1FFU) | ((block.word[2] & 0x1FFU) << 9) |
                             ((block.word[1] & 0x7FU) << 18) | ((block.word[3] & 0x7FU) << 25);
  const float before = dot(phi, phi), after = dot(proposal, proposal);
  const float cost = mul(sub(after, before), fma(weight.lambda, add(after, before), weight.quadratic));
  const bool accepted = cost <= 0.0F || uniform<float>(coin) < exp_negative(-cost);
  for (int k = 0; k < 4; ++k) proposal.c[k] = accepted ? proposal.c[k] : phi.c[k];
  return proposal;
}

}  // namespace glassworks::exact
