#include "analysis/scaling/crossing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>

#include "analysis/basics/value_format.hpp"
#include "analysis/linear/least_squares.hpp"
#include "analysis/scaling/local_polynomial.hpp"

namespace glassworks { inline namespace analysis {
namespace {

constexpr double significant = 1.96;  // two-sided 95 %

/// `candidate` if it is nearer to `target` than `nearest`, which may be NaN.
double nearer(double nearest, double candidate, double target) {
  return std::abs(nearest - target) <= std::abs(candidate - target) ? nearest : candidate;
}

/// The difference d(T) = y_large(T) - y_small(T) on all temperatures of both curves that lie in the range of both.
class Difference {
 public:
  Difference(const ScalingCurve& small, const ScalingCurve& large) : small_(small), large_(large) {
    const double from = std::max(small.T[0], large.T[0]);
    const double to = std::min(small.T[small.points() - 1], large.T[large.points() - 1]);
    for (const Eigen::VectorXd* T : {&small.T, &large.T}) {
      std::ranges::copy_if(*T, std::back_inserter(grid_), [&](double t) { return t >= from && t <= to; });
    }
    std::ranges::sort(grid_);
    grid_.erase(std::ranges::unique(grid_).begin(), grid_.end());
    for (const double t : grid_) {
      at_small_.push_back(interpolation(small.T, t));
      at_large_.push_back(interpolation(large.T, t));
    }
  }

  [[nodiscard]] const std::vector<double>& grid() const { return grid_; }

  [[nodiscard]] std::vector<double> values(const Eigen::VectorXd& y_small, const Eigen::VectorXd& y_large) const {
    std::vector<double> d(grid_.size());
    for (std::size_t i = 0; i < d.size(); ++i) d[i] = at_large_[i](y_large) - at_small_[i](y_small);
    return d;
  }

  /// Standard errors of d.
  [[nodiscard]] std::vector<double> errors() const {
    std::vector<double> result(grid_.size());
    for (std::size_t i = 0; i < result.size(); ++i) {
      result[i] = std::sqrt(variance(small_, at_small_[i]) + variance(large_, at_large_[i]));
    }
    return result;
  }

  /// Interval of grid points in which d changes sign, or its one point where d = 0.
  struct Bracket {
    std::size_t left, right;
    bool rising;
  };
  [[nodiscard]] static std::vector<Bracket> brackets(const std::vector<double>& d) {
    std::vector<Bracket> result;
    std::size_t last = d.size();  // of the points before, the last one where d != 0
    for (std::size_t i = 0; i < d.size(); ++i) {
      if (d[i] == 0.0) continue;
      if (last < d.size() && (d[last] > 0.0) != (d[i] > 0.0)) result.push_back({last, i, d[i] > 0.0});
      last = i;
    }
    return result;
  }

  [[nodiscard]] double root(const Bracket& bracket, const Eigen::VectorXd& y_small,
                            const Eigen::VectorXd& y_large) const {
    const auto d = [&](double t) { return interpolation(large_.T, t)(y_large) - interpolation(small_.T, t)(y_small); };
    const double left = grid_[bracket.left], right = grid_[bracket.right], at_left = d(left), at_right = d(right);
    if (at_left * at_right >= 0.0) return std::abs(at_left) < std::abs(at_right) ? left : right;  // 0 to rounding
    std::uintmax_t iterations = 60;
    const auto [a, b] = boost::math::tools::toms748_solve(d, left, right, at_left, at_right,
                                                          boost::math::tools::eps_tolerance<double>(48), iterations);
    return 0.5 * (a + b);
  }

 private:
  static double variance(const ScalingCurve& curve, const LinearFunctional& at) {
    if (curve.sampled.rows() < 2) return nan;
    const Eigen::VectorXd x = curve.sampled.middleCols(at.first, at.weights.size()) * at.weights;
    return curve.spread / static_cast<double>(x.size()) * (x.array() - x.mean()).square().sum();
  }

  const ScalingCurve &small_, &large_;
  std::vector<double> grid_;
  std::vector<LinearFunctional> at_small_, at_large_;
};

/// T_x and R_x, with the crossings of resampled curves.
Crossing sampled_crossing(const ScalingCurve& small, const ScalingCurve& large, const Difference& difference,
                          const Difference::Bracket& bracket) {
  const double whole = difference.root(bracket, small.y, large.y);
  const std::vector<ScalingCurve> both = {small, large};
  const auto numbers = propagate(both, 2, [&](std::span<const Eigen::VectorXd> y, Replaced) -> Eigen::VectorXd {
    const std::vector<double> d = difference.values(y[0], y[1]);
    double nearest = nan;
    for (const Difference::Bracket& candidate : Difference::brackets(d)) {
      if (candidate.rising != bracket.rising) continue;
      nearest = nearer(nearest, difference.root(candidate, y[0], y[1]), whole);
    }
    if (std::isnan(nearest)) return Eigen::Vector2d(nan, nan);
    return Eigen::Vector2d(nearest, interpolation(small.T, nearest)(y[0]));
  });
  Crossing result{.T = numbers[0], .R = numbers[1]};
  const double width = 0.15 * whole;
  const auto slope = [&](const ScalingCurve& curve) {
    return local_derivative(curve.T, points_near(curve.T, whole, width), whole)(curve.y);
  };
  result.slope = slope(large) - slope(small);
  return result;
}

/// One crossing behind several changes of sign within errors: where parabolas through both curves meet, fitted from one
/// width of the region of these changes below it to one width above.
Crossing smoothed_crossing(const ScalingCurve& small, const ScalingCurve& large, const Difference& difference,
                           std::size_t left, std::size_t right) {
  const std::vector<double>& grid = difference.grid();
  const double centre = 0.5 * (grid[left] + grid[right]), reach = 1.5 * (grid[right] - grid[left]);
  std::vector<double> T;
  std::ranges::copy_if(grid, std::back_inserter(T), [&](double t) { return std::abs(t - centre) <= reach; });
  const auto points = static_cast<Eigen::Index>(T.size());
  const Eigen::ArrayXd u = (Eigen::ArrayXd::Map(T.data(), points) - centre) / reach;
  Eigen::MatrixXd powers(points, 3);
  powers << Eigen::VectorXd::Ones(points), u.matrix(), u.square().matrix();
  const Eigen::MatrixXd coefficients = pseudo_inverse(powers);
  const auto parabola = [&](const ScalingCurve& curve, const Eigen::VectorXd& y) -> Eigen::Vector3d {
    Eigen::VectorXd values(points);
    for (Eigen::Index i = 0; i < points; ++i) values[i] = interpolation(curve.T, T[static_cast<std::size_t>(i)])(y);
    return coefficients * values;
  };
  const std::vector<ScalingCurve> both = {small, large};
  const auto numbers = propagate(both, 3, [&](std::span<const Eigen::VectorXd> y, Replaced) -> Eigen::VectorXd {
    const Eigen::Vector3d a = parabola(small, y[0]), d = parabola(large, y[1]) - a;
    const double root = std::sqrt(d[1] * d[1] - 4.0 * d[0] * d[2]);  // NaN: the parabolas do not meet
    const double at = -2.0 * d[0] / (d[1] + std::copysign(root, d[1]));
    return Eigen::Vector3d(centre + reach * at, a[0] + (a[1] + a[2] * at) * at, d[1] / reach);
  });
  Crossing result{.T = numbers[0], .R = numbers[1]};
  result.slope = numbers[2].value;
  return result;
}

/// Root of the polynomial of `degree` fitted to the points of the difference within `reach` of `centre`, the one
/// nearest to it; NaN if there are too few points or none lies within.
double fitted_root(const std::vector<double>& grid, const std::vector<double>& d, const std::vector<double>& errors,
                   double centre, double reach, Eigen::Index degree) {
  std::vector<std::size_t> near;
  for (std::size_t i = 0; i < d.size(); ++i) {
    if (std::abs(grid[i] - centre) <= reach) near.push_back(i);
  }
  const auto points = static_cast<Eigen::Index>(near.size());
  if (points < degree + 2) return nan;
  Eigen::MatrixXd powers(points, degree + 1);
  Eigen::VectorXd values(points);
  for (Eigen::Index k = 0; k < points; ++k) {
    const std::size_t i = near[static_cast<std::size_t>(k)];
    const double weight = 1.0 / errors[i], u = (grid[i] - centre) / reach;
    values[k] = weight * d[i];
    for (Eigen::Index p = 0; p <= degree; ++p) powers(k, p) = weight * std::pow(u, static_cast<double>(p));
  }
  const Eigen::VectorXd a = least_squares(powers, values);
  const auto at = [&](double u) {
    double y = 0.0;
    for (Eigen::Index p = degree; p >= 0; --p) y = y * u + a[p];
    return y;
  };
  constexpr int steps = 400;  // of u in [-1, 1]
  double nearest = nan;
  for (int step = 0; step < steps; ++step) {
    const double left = -1.0 + 2.0 * step / steps, right = left + 2.0 / steps, y = at(left), next = at(right);
    if ((y > 0.0) == (next > 0.0)) continue;
    nearest = nearer(nearest, left + (right - left) * y / (y - next), 0.0);
  }
  return centre + reach * nearest;
}

void add_forms(const std::vector<double>& grid, const std::vector<double>& d, const std::vector<double>& errors,
               Crossing& crossing) {
  const auto add = [&](double T) {
    crossing.spread.add(T);
    crossing.forms += std::isfinite(T) ? 1 : 0;
  };
  const double T = crossing.T.value;
  add(T);
  double linear = nan;
  for (const auto& [left, right, rising] : Difference::brackets(d)) {
    const double a = grid[left], b = grid[right];
    linear = nearer(linear, a + (b - a) * d[left] / (d[left] - d[right]), T);
  }
  add(linear);
  for (const double width : {0.15, 0.3}) {
    for (const Eigen::Index degree : {2, 3}) add(fitted_root(grid, d, errors, T, width * T, degree));
  }
}

std::string in_words(const PairCrossings& pair, const std::vector<double>& z) {
  const std::string where =
      fmt::format("of L = {} and L = {} between T = {:.4g} and {:.4g}", pair.L_small, pair.L_large, pair.from, pair.to);
  if (const Crossing* best = pair.best()) {
    const auto established = std::ranges::count_if(pair.crossings, &Crossing::established);
    const std::string more = established > 1 ? fmt::format(", the best of {} crossings", established) : "";
    return fmt::format("The curves {} cross at T = {}{}, by at least {:.1f} standard errors on either side.", where,
                       format_value(best->T.value, best->T.error()), more, best->significance);
  }
  if (pair.verdict == CrossingVerdict::none) {
    return fmt::format(
        "No crossing {}: L = {} is {} at every temperature, by at least {:.1f} standard errors "
        "(T = {:.4g}).",
        where, pair.L_large, z.front() > 0.0 ? "above" : "below", pair.least_significance, pair.least_at);
  }
  const auto [low, high] = std::ranges::minmax(z);
  return fmt::format(
      "No crossing {} at 95 % confidence: {}; L = {} is above by at most {:.1f} and below by at most "
      "{:.1f} standard errors, and the smallest difference is {:.2g} (T = {:.4g}).",
      where,
      pair.crossings.empty() ? "the curves do not change order, but agree within errors somewhere"
                             : "the curves change order only within errors",
      pair.L_large, std::max(high, 0.0), std::max(-low, 0.0), pair.least_significance, pair.least_at);
}

}  // namespace

const Crossing* PairCrossings::best() const {
  const Crossing* result = nullptr;
  const auto rank = [](const Crossing& crossing) { return std::pair(crossing.slope >= 0.0, crossing.T.error()); };
  for (const Crossing& crossing : crossings) {
    if (crossing.established && (result == nullptr || rank(crossing) < rank(*result))) result = &crossing;
  }
  return result;
}

PairCrossings find_crossings(const ScalingCurve& small, const ScalingCurve& large) {
  PairCrossings pair;
  pair.L_small = small.L;
  pair.L_large = large.L;
  const Difference difference(small, large);
  const std::vector<double>& grid = difference.grid();
  const std::string sizes = fmt::format("The curves of L = {} and L = {}", small.L, large.L);
  if (grid.size() < 2) {
    pair.sentence = sizes + " have no range of temperatures in common.";
    return pair;
  }
  pair.from = grid.front();
  pair.to = grid.back();
  const std::vector<double> d = difference.values(small.y, large.y);
  const std::vector<double> errors = difference.errors();
  std::vector<double> z(d.size());
  for (std::size_t i = 0; i < d.size(); ++i) z[i] = d[i] == 0.0 ? 0.0 : d[i] / errors[i];
  if (!std::ranges::all_of(z, [](double x) { return std::isfinite(x); })) {
    pair.sentence = sizes + " cannot be compared, because they have no error bars (too few realizations).";
    return pair;
  }
  const auto closest = std::ranges::min_element(z, {}, [](double x) { return std::abs(x); }) - z.begin();
  pair.least_significance = std::abs(z[static_cast<std::size_t>(closest)]);
  pair.least_at = grid[static_cast<std::size_t>(closest)];

  const auto brackets = Difference::brackets(d);
  const auto largest = [&](std::size_t first, std::size_t last) {
    double most = 0.0;
    for (std::size_t i = first; i <= last; ++i) most = std::max(most, std::abs(z[i]));
    return most;
  };
  std::vector<double> sides;  // largest significance before, between and after the changes of sign
  for (std::size_t k = 0; k <= brackets.size(); ++k) {
    sides.push_back(
        largest(k == 0 ? 0 : brackets[k - 1].right, k == brackets.size() ? grid.size() - 1 : brackets[k].left));
  }
  for (std::size_t k = 0; k < brackets.size();) {
    // An odd number of changes between two sides that differ significantly is one crossing.
    std::size_t next = k + 1;
    while (next < brackets.size() && sides[next] < significant) ++next;
    const bool both_sides = sides[k] >= significant && sides[next] >= significant && (next - k) % 2 == 1;
    if (!both_sides) next = k + 1;
    Crossing crossing = next == k + 1
                            ? sampled_crossing(small, large, difference, brackets[k])
                            : smoothed_crossing(small, large, difference, brackets[k].left, brackets[next - 1].right);
    crossing.significance = std::min(sides[k], sides[next]);
    crossing.established = both_sides && std::isfinite(crossing.T.error());
    if (crossing.established) add_forms(grid, d, errors, crossing);
    pair.crossings.push_back(std::move(crossing));
    k = next;
  }
  if (pair.best() != nullptr) {
    pair.verdict = CrossingVerdict::crossing;
  } else {
    pair.verdict = brackets.empty() && pair.least_significance >= significant ? CrossingVerdict::none
                                                                              : CrossingVerdict::unresolved;
  }
  pair.sentence = in_words(pair, z);
  return pair;
}

std::vector<PairCrossings> find_crossings(std::span<const ScalingCurve> curves) {
  std::vector<PairCrossings> result;
  for (std::size_t a = 0; a < curves.size(); ++a) {
    for (std::size_t b = a + 1; b < curves.size(); ++b) result.push_back(find_crossings(curves[a], curves[b]));
  }
  return result;
}

}}  // namespace glassworks::analysis
