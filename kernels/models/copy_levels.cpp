#include "kernels/models/copy_levels.hpp"

#include "kernels/core/addresses.hpp"
#include "kernels/models/activation.hpp"

namespace glassworks { inline namespace models {
namespace {

constexpr double largest_of_marks = 0.0605;  // 32 marks of a quad

/// -ln(1 - p), p <= largest_of_marks: the same bits on every platform.
double negative_log1p(double p) {
  double sum = 0.0;
  for (int n = 20; n >= 1; --n) sum = p * (1.0 / n + sum);
  return sum;
}

/// threshold[m] = 2^32 P(n <= m) of a Poisson number n, as far as it is below 2^32. returns how many
int poisson_thresholds(double mean, int most, std::uint32_t* threshold) {
  double term = exact_exp_negative(mean), sum = term;
  int count = 0;
  while (count < most && sum < 1.0 - 0x1p-33) {
    threshold[count++] = probability_threshold(sum);
    term *= mean / count;
    sum += term;
  }
  return count;
}

}  // namespace

CopyLevels copy_levels(MultispinRule rule, float beta, float modulus, int z) {
  CopyLevels all;
  all.levels = z / 2;
  double mean[CopyLevels::most_levels + 1] = {};
  for (int k = 0; k < all.levels; ++k) {
    const double x = 4.0 * static_cast<double>(beta) * static_cast<double>(modulus) * (k + 1),
                 e = exact_exp_negative(x);
    const double p = rule == MultispinRule::heat_bath ? 2.0 * e / (1.0 + e) : e;
    if (k == 0) all.marks = p <= largest_of_marks;
    all.probability[k] = probability_threshold(p);
    if (all.marks) mean[k] = CopyAddress::places * negative_log1p(p);
  }
  if (!all.marks) return all;
  all.more_count = poisson_thresholds(mean[0] - mean[1], CopyLevels::most_marks, all.more);
  all.more_higher_count = poisson_thresholds(mean[1], CopyLevels::most_higher, all.more_higher);
  for (int k = 2; k < all.levels && mean[1] > 0.0; ++k) all.higher[k] = probability_threshold(mean[k] / mean[1]);
  return all;
}

}}  // namespace glassworks::models
