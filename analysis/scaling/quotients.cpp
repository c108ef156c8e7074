#include "analysis/scaling/quotients.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/basics/value_format.hpp"
#include "analysis/scaling/local_polynomial.hpp"

namespace glassworks { inline namespace analysis {
namespace {

/// ln(large/small)/ln s, NaN if there is none.
double exponent(double small, double large, double s) {
  const double quotient = large / small;
  return quotient > 0.0 ? std::log(quotient) / std::log(s) : nan;
}

const ScalingCurve* find_size(std::span<const ScalingCurve> curves, int L) {
  const auto found = std::ranges::find(curves, L, &ScalingCurve::L);
  return found == curves.end() ? nullptr : &*found;
}

bool contains(const ScalingCurve& curve, double T) { return T >= curve.T[0] && T <= curve.T[curve.points() - 1]; }

/// 2 - eta at T_x; both susceptibilities must have been resampled as the ratios were.
SampledNumber chi_exponent(const ScalingCurve& small, const ScalingCurve& large, const SampledNumber& T_x) {
  if (!contains(small, T_x.value) || !contains(large, T_x.value)) return {};
  const std::vector<ScalingCurve> both = {small, large};
  return propagate(both, 1, [&](std::span<const Eigen::VectorXd> y, Replaced replaced) -> Eigen::VectorXd {
    const double T = T_x.with_sample(replaced.L, replaced.sample), s = static_cast<double>(large.L) / small.L;
    if (!std::isfinite(T)) return Eigen::VectorXd::Constant(1, nan);
    return Eigen::VectorXd::Constant(1, exponent(interpolation(small.T, T)(y[0]), interpolation(large.T, T)(y[1]), s));
  })[0];
}

}  // namespace

std::vector<Quotient> quotients(std::span<const ScalingCurve> ratios, std::span<const ScalingCurve> susceptibility,
                                std::span<const PairCrossings> pairs, double half_width) {
  std::vector<Quotient> result;
  for (const PairCrossings& pair : pairs) {
    const Crossing* crossing = pair.best();
    const ScalingCurve *small = find_size(ratios, pair.L_small), *large = find_size(ratios, pair.L_large);
    if (crossing == nullptr || small == nullptr || large == nullptr) continue;
    Quotient quotient{pair.L_small, pair.L_large, crossing->T, {}, {}, {}};
    const double width = half_width * crossing->T.value, s = static_cast<double>(pair.L_large) / pair.L_small;
    const PointRange near_small = points_near(small->T, crossing->T.value, width),
                     near_large = points_near(large->T, crossing->T.value, width);
    const std::vector<ScalingCurve> both = {*small, *large};
    quotient.inverse_nu =
        propagate(both, 1, [&](std::span<const Eigen::VectorXd> y, Replaced replaced) -> Eigen::VectorXd {
          const double T = crossing->T.with_sample(replaced.L, replaced.sample);
          if (!std::isfinite(T)) return Eigen::VectorXd::Constant(1, nan);
          return Eigen::VectorXd::Constant(1, exponent(local_derivative(small->T, near_small, T)(y[0]),
                                                       local_derivative(large->T, near_large, T)(y[1]), s));
        })[0];
    quotient.nu = transformed(quotient.inverse_nu, [](double x) { return 1.0 / x; });
    const ScalingCurve *chi_small = find_size(susceptibility, pair.L_small),
                       *chi_large = find_size(susceptibility, pair.L_large);
    if (chi_small != nullptr && chi_large != nullptr) {
      quotient.eta = transformed(chi_exponent(*chi_small, *chi_large, crossing->T), [](double x) { return 2.0 - x; });
    }
    result.push_back(std::move(quotient));
  }
  return result;
}

}}  // namespace glassworks::analysis
