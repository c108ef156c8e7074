#include "kernels/models/multispin.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

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

CouplingCount count_couplings(const std::vector<float>& couplings) {
  const auto there = std::find_if(couplings.begin(), couplings.end(), [](float J) { return J != 0.0F; });
  if (there == couplings.end()) return {0.0F, std::ssize(couplings)};
  constexpr std::uint32_t without_sign = 0x7FFFFFFFU;
  const float modulus = std::fabs(*there);
  const auto wanted = std::bit_cast<std::uint32_t>(modulus);
  std::int64_t absent = 0;
  std::uint32_t others = 0;
  const auto count = [&](std::size_t first, auto size) {  // without a branch, in vectors where the size is a constant
    std::uint32_t zeros = 0, any = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const std::uint32_t here = std::bit_cast<std::uint32_t>(couplings[first + i]) & without_sign;
      const std::uint32_t is_there = (here | (0U - here)) >> 31;
      any |= (here ^ wanted) & (0U - is_there);
      zeros += 1U - is_there;
    }
    absent += zeros;
    others |= any;
  };
  constexpr std::integral_constant<std::size_t, 1024> at_once;
  std::size_t first = 0;
  for (; first + at_once <= couplings.size() && others == 0; first += at_once) count(first, at_once);
  if (others == 0) count(first, couplings.size() - first);
  if (others != 0) return {{}, std::count(couplings.begin(), couplings.end(), 0.0F)};
  return {modulus, absent};
}

std::optional<float> single_modulus(const std::vector<float>& couplings) { return count_couplings(couplings).modulus; }

}}  // namespace glassworks::models
