#include "kernels/models/multispin.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/models/activation.hpp"

namespace glassworks { inline namespace models {

std::vector<std::uint32_t> multispin_thresholds(MultispinRule rule, float beta, float modulus, int z, double along) {
  std::vector<std::uint32_t> threshold;
  for (int m = 0; m <= 2 * z; ++m) {
    const double x = 2.0 * static_cast<double>(beta) * static_cast<double>(modulus) * (z - m) +
                     2.0 * static_cast<double>(beta) * along;
    const double e = exact_exp_negative(std::fabs(x));
    const double stays = rule == MultispinRule::heat_bath ? (x >= 0.0 ? 1.0 : e) / (1.0 + e) : x > 0.0 ? 1.0 - e : 0.0;
    threshold.push_back(probability_threshold(stays));
  }
  return threshold;
}

std::vector<std::uint32_t> multispin_thresholds_in_field(MultispinRule rule, float beta, float modulus, int z,
                                                         float field) {
  std::vector<std::uint32_t> threshold = multispin_thresholds(rule, beta, modulus, z, static_cast<double>(field));
  const auto down = multispin_thresholds(rule, beta, modulus, z, -static_cast<double>(field));
  threshold.insert(threshold.end(), down.begin(), down.end());
  return threshold;
}

std::optional<float> single_field(const std::vector<float>& fields) {
  if (fields.empty()) return 0.0F;
  const bool equal = std::all_of(fields.begin(), fields.end(), [&](float H) { return H == fields.front(); });
  return equal ? std::optional(fields.front()) : std::nullopt;
}

std::optional<float> single_modulus(const std::vector<float>& couplings) {
  float modulus = 0.0F;
  for (const float J : couplings) {
    const float here = std::fabs(J);
    if (here == 0.0F || here == modulus) continue;
    if (modulus != 0.0F) return {};
    modulus = here;
  }
  return modulus;
}

}}  // namespace glassworks::models
