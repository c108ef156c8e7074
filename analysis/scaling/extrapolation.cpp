#include "analysis/scaling/extrapolation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <map>
#include <numeric>

#include "analysis/basics/value_format.hpp"
#include "analysis/linear/least_squares.hpp"
#include "analysis/linear/matrices.hpp"
#include "base/distributions.hpp"

namespace glassworks { inline namespace analysis {
namespace {

constexpr double smallest_theta = 0.2, largest_theta = 10.0;

struct PowerLaw {
  double T_c = nan, amplitude = nan, theta = nan, chi2 = nan;
};

/// Least squares in T_c and amplitude at each theta, and the best theta.
PowerLaw fit_power_law(const Eigen::VectorXd& log_L, const Eigen::VectorXd& T, const Eigen::MatrixXd& root) {
  const auto at = [&](double theta) -> PowerLaw {
    Eigen::MatrixXd basis(T.size(), 2);
    basis.col(0).setOnes();
    basis.col(1) = (-theta * (log_L.array() - log_L.minCoeff())).exp();
    const Eigen::MatrixXd weighted = product(root, basis);
    const Eigen::VectorXd whitened = root * T, solution = least_squares(weighted, whitened);
    return {solution[0], solution[1] * std::exp(theta * log_L.minCoeff()), theta,
            (weighted * solution - whitened).squaredNorm()};
  };
  // The cost may have several minima: the best interval of a coarse grid holds the lowest one.
  constexpr int steps = 40;
  const auto grid = [](int i) { return smallest_theta * std::pow(largest_theta / smallest_theta, i / double{steps}); };
  int best = 0;
  for (int i = 1; i <= steps; ++i) {
    if (at(grid(i)).chi2 < at(grid(best)).chi2) best = i;
  }
  const auto [theta, chi2] = boost::math::tools::brent_find_minima(
      [&](double x) { return at(x).chi2; }, grid(std::max(best - 1, 0)), grid(std::min(best + 1, steps)), 40);
  return at(theta);
}

void fit(Extrapolation& result) {
  const auto n = static_cast<Eigen::Index>(result.T_x.size());
  result.dof = static_cast<int>(n) - 3;
  if (n < 4) {
    result.problem = fmt::format(
        "{} crossings of pairs with one ratio of sizes do not determine T_{{c}}, amplitude and "
        "exponent of T_{{x}}(L) = T_{{c}} + A L^{{−θ}}; four are needed.",
        n);
    return;
  }
  Eigen::VectorXd log_L(n), T(n);
  Eigen::MatrixXd covariance(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto a = static_cast<std::size_t>(i);
    log_L[i] = std::log(result.sizes[a]);
    T[i] = result.T_x[a].value;
    for (Eigen::Index j = 0; j < n; ++j) {
      covariance(i, j) = result.T_x[a].covariance(result.T_x[static_cast<std::size_t>(j)]);
    }
  }
  const Cholesky cholesky(covariance);
  if (!covariance.allFinite() || !cholesky.positive()) {
    result.problem = "The covariance of the crossing temperatures cannot be inverted (too few realizations).";
    return;
  }
  const Eigen::MatrixXd root = cholesky.whitened(Eigen::MatrixXd::Identity(n, n));
  const PowerLaw whole = fit_power_law(log_L, T, root);
  result.chi2 = whole.chi2;
  result.p_value = chi_squared_tail(result.dof, whole.chi2);
  SampledNumber* const numbers[] = {&result.T_c, &result.amplitude, &result.theta};
  const double values[] = {whole.T_c, whole.amplitude, whole.theta};
  std::map<int, SampledNumber::Part> sizes;
  for (const SampledNumber& x : result.T_x) {
    for (const SampledNumber::Part& part : x.parts) sizes.try_emplace(part.L, part);
  }
  for (std::size_t k = 0; k < 3; ++k) {
    numbers[k]->value = values[k];
    for (const auto& [L, part] : sizes) numbers[k]->parts.push_back(part);
  }
  std::size_t index = 0;
  for (const auto& [L, part] : sizes) {
    for (std::size_t s = 0; s < part.samples.size(); ++s) {
      for (Eigen::Index i = 0; i < n; ++i) T[i] = result.T_x[static_cast<std::size_t>(i)].with_sample(L, s);
      const PowerLaw refit = T.allFinite() ? fit_power_law(log_L, T, root) : PowerLaw{};
      const double refitted[] = {refit.T_c, refit.amplitude, refit.theta};
      for (std::size_t k = 0; k < 3; ++k) numbers[k]->parts[index].samples[s] = refitted[k];
    }
    ++index;
  }
  if (whole.theta < 1.01 * smallest_theta || whole.theta > 0.99 * largest_theta) {
    result.problem = fmt::format(
        "The crossing temperatures do not determine the exponent of T_{{x}}(L) = T_{{c}} + A L^{{−θ}}: "
        "the fit runs to θ = {:.2g}.",
        whole.theta);
  }
}

}  // namespace

std::vector<Extrapolation> extrapolate(std::span<const PairCrossings> pairs) {
  std::map<std::pair<int, int>, Extrapolation> by_ratio;  // reduced fraction L'/L
  for (const PairCrossings& pair : pairs) {
    const Crossing* crossing = pair.best();
    if (crossing == nullptr) continue;
    const int divisor = std::gcd(pair.L_large, pair.L_small);
    Extrapolation& entry = by_ratio[{pair.L_large / divisor, pair.L_small / divisor}];
    entry.ratio = static_cast<double>(pair.L_large) / pair.L_small;
    entry.sizes.push_back(pair.L_small);
    entry.T_x.push_back(crossing->T);
  }
  std::vector<Extrapolation> result;
  for (auto& [ratio, entry] : by_ratio) {
    if (entry.sizes.size() < 2) continue;
    fit(entry);
    result.push_back(std::move(entry));
  }
  std::ranges::stable_sort(result, std::ranges::greater{}, [](const Extrapolation& e) { return e.sizes.size(); });
  return result;
}

}}  // namespace glassworks::analysis
