#include "analysis/series/correlation_integrals.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/basics/value_format.hpp"

namespace glassworks { inline namespace analysis {
namespace {

/// The shape is fitted from r_c divided by this on: at smaller r other terms matter.
constexpr std::size_t points_before_shape = 8;
constexpr double errors_above_noise = 3.0;
constexpr double errors_of_bumps = 6.0;  // noise of neighbouring r is common: it makes bumps of several errors

/// Gregory's correction of third order at r = 0, where r^k C(r) is zero: f(1)/6 - f(2)/24.
void add_end_correction(std::span<const double> values, CorrelationIntegrals& sums) {
  if (values.size() < 3) return;
  const double first = values[1] / 6.0, second = values[2] / 24.0;
  sums.I_1 += first - 2.0 * second;
  sums.I_2 += first - 4.0 * second;
  sums.I_3 += first - 8.0 * second;
}

/// Adds the sums of r^k C(r) over r >= first for k = 1, 2, 3. l is less than r_c, so they are short.
void add_tail(const CorrelationTail& tail, std::size_t first, CorrelationIntegrals& sums) {
  constexpr double negligible = 1e-16;
  for (auto r = static_cast<double>(first);; r += 1.0) {
    const double C = tail.at(r);
    sums.I_1 += r * C;
    sums.I_2 += r * r * C;
    sums.I_3 += r * r * r * C;
    if (!(r * r * r * C > negligible * std::fabs(sums.I_3))) return;
  }
}

}  // namespace

NoiseCut noise_cut(std::span<const Estimate> values) {
  NoiseCut cut;
  const auto is_noise = [](const Estimate& C) {
    return std::isnan(C.error) ? !(C.mean > 0.0) : C.mean < errors_above_noise * C.error || !(C.mean > 0.0);
  };
  cut.at = values.size();
  const auto is_bump = [](const Estimate& C, const Estimate& before) {
    return C.mean >= before.mean && C.mean < errors_of_bumps * C.error;
  };
  for (std::size_t r = 1; r < values.size() && !cut.found; ++r) {
    cut.found = is_noise(values[r]) || (r > 1 && is_bump(values[r], values[r - 1]));
    if (cut.found) cut.at = r;
  }
  const std::size_t first_of_shape = std::max<std::size_t>(cut.at / points_before_shape, 2);
  cut.shape = cut.at >= first_of_shape + least_for_shape ? TailShape::stretched : TailShape::exponential;
  cut.fit_from = cut.shape == TailShape::stretched ? first_of_shape : std::max<std::size_t>(cut.at / 2, 1);
  for (std::size_t r = cut.fit_from; r < cut.at; ++r) {
    const double relative = values[r].error > 0.0 ? values[r].mean / values[r].error : values[r].mean;
    cut.weights.push_back(relative * relative);
  }
  return cut;
}

NoiseCut value_cut(std::span<const Estimate> values, double least) {
  NoiseCut cut;
  cut.at = values.size();
  for (std::size_t r = 1; r < values.size() && !cut.found; ++r) {
    cut.found = !(values[r].mean >= least);
    if (cut.found) cut.at = r;
  }
  return cut;
}

double CorrelationIntegrals::xi_12() const { return I_1 > 0.0 && I_2 > 0.0 ? I_2 / I_1 : nan; }
double CorrelationIntegrals::xi_23() const { return I_2 > 0.0 && I_3 > 0.0 ? I_3 / I_2 : nan; }

CorrelationIntegrals plain_sums(std::span<const double> values, const NoiseCut& cut) {
  CorrelationIntegrals sums;
  if (cut.found && cut.at < least_cut) return {.I_1 = nan, .I_2 = nan, .I_3 = nan, .tail = nan};
  for (std::size_t k = 1; k < cut.at; ++k) {
    const auto r = static_cast<double>(k);
    sums.I_1 += r * values[k];
    sums.I_2 += r * r * values[k];
    sums.I_3 += r * r * r * values[k];
  }
  return sums;
}

CorrelationIntegrals integrate(std::span<const double> values, const NoiseCut& cut) {
  CorrelationIntegrals sums = plain_sums(values, cut);
  if (std::isnan(sums.I_1)) return sums;
  add_end_correction(values, sums);
  if (!cut.found) return sums;
  const double without = sums.xi_12();
  const auto fit = fit_tail(values.subspan(cut.fit_from), cut.weights, cut.fit_from, cut.shape);
  if (!fit || !(fit->length() < static_cast<double>(cut.at))) {
    sums.tail = nan;
    return sums;
  }
  add_tail(*fit, cut.at, sums);
  sums.tail = 1.0 - without / sums.xi_12();
  return sums;
}

}}  // namespace glassworks::analysis
