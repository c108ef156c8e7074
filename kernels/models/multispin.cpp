#include "kernels/models/multispin.hpp"

#include <cmath>

#include "kernels/models/activation.hpp"

namespace glassworks::inline models {

std::vector<std::uint32_t> multispin_thresholds(MultispinRule rule, float beta, float modulus, int z) {
  std::vector<std::uint32_t> threshold;
  for (int m = 0; m <= 2 * z; ++m) {
    const double x = 2.0 * static_cast<double>(beta) * static_cast<double>(modulus) * (z - m);
    const double e = exact_exp_negative(std::fabs(x));
    const double stays = rule == MultispinRule::heat_bath ? (x >= 0.0 ? 1.0 : e) / (1.0 + e) : x > 0.0 ? 1.0 - e : 0.0;
    threshold.push_back(probability_threshold(stays));
  }
  return threshold;
}

float single_modulus(const std::vector<float>& couplings) {
  float modulus = 0.0F;
  for (const float J : couplings) {
    const float here = std::fabs(J);
    if (here == 0.0F || here == modulus) continue;
    if (modulus != 0.0F) return 0.0F;
    modulus = here;
  }
  return modulus;
}

}  // namespace glassworks::inline models
