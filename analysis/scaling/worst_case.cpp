#include "analysis/scaling/worst_case.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

namespace glassworks { inline namespace analysis {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

enum class Case { lowest, highest, without };
constexpr std::array extremes{Case::lowest, Case::highest};

/// Shifts of one observable of one size against temperature.
class Shift {
 public:
  Shift(std::span<const ConvergenceEffects> effects, int L, const std::string& observable) {
    for (const ConvergenceEffects& size : effects) {
      if (size.L != L) continue;
      for (const ConvergenceEffect& effect : size.effects) {
        if (effect.observable == observable) effect_ = &effect;
      }
    }
  }

  /// Whether some of its realizations have not converged.
  [[nodiscard]] bool exists() const { return effect_ != nullptr && !effect_->temperatures.empty(); }

  /// Linear between the temperatures of the ladder.
  [[nodiscard]] double at(double T, Case which) const {
    const std::vector<double>& grid = effect_->temperatures;
    const auto right = std::clamp<std::ptrdiff_t>(std::ranges::upper_bound(grid, T) - grid.begin(), 1,
                                                  std::max<std::ptrdiff_t>(std::ssize(grid) - 1, 1));
    const auto b = static_cast<std::size_t>(right), a = b - 1;
    if (grid.size() == 1) return of_slot(0, which);
    const double part = std::clamp((T - grid[a]) / (grid[b] - grid[a]), 0.0, 1.0);
    return (1.0 - part) * of_slot(a, which) + part * of_slot(b, which);
  }

 private:
  [[nodiscard]] double of_slot(std::size_t t, Case which) const {
    const double all = effect_->all[t].mean;
    switch (which) {
      case Case::lowest:
        return effect_->lowest[t] - all;
      case Case::highest:
        return effect_->highest[t] - all;
      case Case::without:
        return effect_->converged[t].mean - all;
    }
    return 0.0;
  }

  const ConvergenceEffect* effect_ = nullptr;
};

/// The points of a fit, those of one size moved; `logarithms`: they are logarithms of what moves.
std::vector<ScalingCurve> moved(std::vector<ScalingCurve> points, int L, const Shift& shift, Case which,
                                bool logarithms = false) {
  for (ScalingCurve& curve : points) {
    if (curve.L != L) continue;
    for (Eigen::Index i = 0; i < curve.points(); ++i) {
      const double by = shift.at(curve.T[i], which);
      curve.y[i] = logarithms ? std::log(std::exp(curve.y[i]) + by) : curve.y[i] + by;
    }
  }
  return points;
}

/// The same fit of moved points.
ScalingFit refit(const std::vector<ScalingCurve>& points, const ScalingFit& fit) {
  ScalingFitOptions options = fit.options;
  options.resample = false;
  const bool finite = std::ranges::all_of(points, [](const ScalingCurve& curve) { return curve.y.allFinite(); });
  if (!finite) {
    ScalingFit none;
    none.problem = "A point has no value.";
    return none;
  }
  return fit_scaling(points, options, &fit);
}

/// Shifts of a number by the cases of one size.
struct Moves {
  double low = 0.0, high = 0.0, without = 0.0;

  void add(double move) {
    if (std::isnan(move)) {
      low = -infinity;
      high = infinity;
    } else {
      low = std::min(low, move);
      high = std::max(high, move);
    }
  }
};

/// Adds the shifts of one size.
void widen(CriticalNumber& number, const Moves& moves) {
  if (!number.known()) return;
  if (!number.worst.known()) {
    number.worst = {number.number.value, number.number.value};
    number.without = number.number.value;
  }
  number.worst.low += moves.low;
  number.worst.high += moves.high;
  number.without += moves.without;
}

/// T_c and 1/nu with one size moved.
struct Moved {
  double T_c = std::numeric_limits<double>::quiet_NaN(), inverse_nu = T_c;
};

/// Whether a T_c lies within the temperatures of a fit.
bool is_inside_data(double T_c, const std::vector<ScalingCurve>& points) {
  return std::ranges::any_of(
      points, [T_c](const ScalingCurve& curve) { return T_c >= curve.T[0] && T_c <= curve.T[curve.points() - 1]; });
}

Moved moved_ratio(const Scan& scan, int L, const Shift& shift, Case which) {
  const ScalingFit fit = refit(moved(scan.points, L, shift, which), scan.best);
  return fit.ok() && is_inside_data(fit.T_c(), scan.points) ? Moved{fit.T_c(), fit.inverse_nu()} : Moved{};
}

double moved_eta(const Scan& scan, int L, const Shift& shift, Case which, const Moved& ratio) {
  ScalingFit fit = scan.best;
  fit.options.T_c->value = ratio.T_c;
  fit.options.inverse_nu->value = ratio.inverse_nu;
  if (!std::isfinite(ratio.T_c)) return std::numeric_limits<double>::quiet_NaN();
  const ScalingFit again = refit(shift.exists() ? moved(scan.points, L, shift, which, true) : scan.points, fit);
  const SampledNumber* exponent = again.ok() ? again.find("2 - eta") : nullptr;
  return exponent == nullptr ? std::numeric_limits<double>::quiet_NaN() : 2.0 - exponent->value;
}

void widen_by_size(ObservableScaling& scaling, std::span<const ConvergenceEffects> effects, int L) {
  const Shift ratio(effects, L, scaling.observable), chi(effects, L, scaling.susceptibility);
  if (!ratio.exists()) return;
  const ScalingFit& fit = *scaling.fit();
  const Scan& scan = &fit == &scaling.correlated.best ? scaling.correlated : scaling.uncorrelated;
  const Scan& chi_scan = scaling.susceptibility_scan;
  CriticalClaim& claim = scaling.claim;
  Moves T_c, nu, eta;
  for (const Case which : extremes) {
    const Moved there = moved_ratio(scan, L, ratio, which);
    T_c.add(there.T_c - fit.T_c());
    nu.add(1.0 / there.inverse_nu - 1.0 / fit.inverse_nu());
    for (const Case of_chi : extremes) {
      if (chi_scan.chosen) eta.add(moved_eta(chi_scan, L, chi, of_chi, there) - claim.eta.number.value);
    }
  }
  const Moved without = moved_ratio(scan, L, ratio, Case::without);
  T_c.without = without.T_c - fit.T_c();
  nu.without = 1.0 / without.inverse_nu - 1.0 / fit.inverse_nu();
  if (chi_scan.chosen) eta.without = moved_eta(chi_scan, L, chi, Case::without, without) - claim.eta.number.value;
  widen(claim.T_c, T_c);
  widen(claim.nu, nu);
  widen(claim.eta, eta);
}

void widen_crossing(const PairCrossings& pair, const Shift& small, const Shift& large, Crossing& crossing) {
  const double T = crossing.T.value;
  const auto by = [&](const Shift& shift, Case which) { return shift.exists() ? shift.at(T, which) : 0.0; };
  const auto place = [&](Case of_small, Case of_large) {
    const double T_x = T - (by(large, of_large) - by(small, of_small)) / crossing.slope;
    return T_x >= pair.from && T_x <= pair.to ? T_x : std::numeric_limits<double>::quiet_NaN();
  };
  for (const Case of_small : extremes) {
    for (const Case of_large : extremes) {
      const double T_x = place(of_small, of_large);
      if (std::isnan(T_x)) {
        crossing.worst = {-infinity, infinity};
      } else {
        crossing.worst.add(T_x);
      }
    }
  }
  crossing.without = place(Case::without, Case::without);
}

}  // namespace

void add_worst_cases(ScalingResult& scaling, std::span<const ConvergenceEffects> effects) {
  for (ObservableScaling& one : scaling.observables) {
    if (const ScalingFit* fit = one.fit()) {
      for (const int L : fit->sizes) widen_by_size(one, effects, L);
      const Scan& scan = fit == &one.correlated.best ? one.correlated : one.uncorrelated;
      ValueRange& worst = one.claim.T_c.worst;
      const bool leaves = !is_inside_data(worst.low, scan.points) || !is_inside_data(worst.high, scan.points);
      if (worst.known() && leaves) worst = {-infinity, infinity};
    }
    for (PairCrossings& pair : one.pairs) {
      const Shift small(effects, pair.L_small, one.observable), large(effects, pair.L_large, one.observable);
      if (!small.exists() && !large.exists()) continue;
      for (Crossing& crossing : pair.crossings) {
        if (crossing.established) widen_crossing(pair, small, large, crossing);
      }
    }
  }
}

}}  // namespace glassworks::analysis
