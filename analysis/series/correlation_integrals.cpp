#include "analysis/series/correlation_integrals.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/basics/value_format.hpp"

namespace glassworks { inline namespace analysis {
namespace {

constexpr double errors_above_noise = 3.0;
constexpr double errors_of_bumps = 6.0;  // noise of neighbouring r is common: it makes bumps of several errors

std::size_t first_of_tail(const NoiseCut& cut) { return std::max<std::size_t>(cut.at / 2, 1); }

/// ln C = a - r/l by least squares.
struct Exponential {
  double a = nan, l = nan;
};

Exponential fit_tail(std::span<const double> values, const NoiseCut& cut) {
  double n = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
  int points = 0;
  for (std::size_t k = 0; k < cut.weights.size(); ++k) {
    const double r = static_cast<double>(first_of_tail(cut) + k), C = values[first_of_tail(cut) + k];
    if (!(C > 0.0)) continue;
    const double w = cut.weights[k], log_C = std::log(C);
    n += w;
    x += w * r;
    y += w * log_C;
    xx += w * r * r;
    xy += w * r * log_C;
    ++points;
  }
  if (points < 2) return {};
  const double slope = (n * xy - x * y) / (n * xx - x * x);
  return {(y - slope * x) / n, -1.0 / slope};
}

/// The sums of r^k A exp(-r/l) over r >= first for k = 1, 2, 3, term by term: l is less than r_c, so they are short.
void add_tail(const Exponential& fit, std::size_t first, CorrelationIntegrals& sums) {
  const double ratio = std::exp(-1.0 / fit.l);
  double C = std::exp(fit.a - static_cast<double>(first) / fit.l);
  const double end = static_cast<double>(first) + 50.0 * fit.l;
  for (auto r = static_cast<double>(first); r < end; r += 1.0, C *= ratio) {
    sums.I_1 += r * C;
    sums.I_2 += r * r * C;
    sums.I_3 += r * r * r * C;
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
  for (std::size_t r = first_of_tail(cut); r < cut.at; ++r) {
    const double relative = values[r].error > 0.0 ? values[r].mean / values[r].error : values[r].mean;
    cut.weights.push_back(relative * relative);
  }
  return cut;
}

NoiseCut value_cut(std::span<const Estimate> values, double least) {
  NoiseCut cut{.at = values.size(), .found = false, .weights = {}};
  for (std::size_t r = 1; r < values.size() && !cut.found; ++r) {
    cut.found = !(values[r].mean >= least);
    if (cut.found) cut.at = r;
  }
  return cut;
}

double CorrelationIntegrals::xi_12() const { return I_1 > 0.0 && I_2 > 0.0 ? I_2 / I_1 : nan; }
double CorrelationIntegrals::xi_23() const { return I_2 > 0.0 && I_3 > 0.0 ? I_3 / I_2 : nan; }

CorrelationIntegrals integrate(std::span<const double> values, const NoiseCut& cut) {
  CorrelationIntegrals sums;
  if (cut.found && cut.at < least_cut) return {.I_1 = nan, .I_2 = nan, .I_3 = nan, .tail = nan};
  for (std::size_t k = 1; k < cut.at; ++k) {
    const auto r = static_cast<double>(k);
    sums.I_1 += r * values[k];
    sums.I_2 += r * r * values[k];
    sums.I_3 += r * r * r * values[k];
  }
  if (!cut.found) return sums;
  const double without = sums.xi_12();
  const Exponential fit = fit_tail(values, cut);
  if (!(fit.l > 0.0 && fit.l < static_cast<double>(cut.at))) {
    sums.tail = nan;
    return sums;
  }
  add_tail(fit, cut.at, sums);
  sums.tail = 1.0 - without / sums.xi_12();
  return sums;
}

}}  // namespace glassworks::analysis
