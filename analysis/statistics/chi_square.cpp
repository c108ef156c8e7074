#include "analysis/statistics/chi_square.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <vector>

#include "analysis/linear/matrices.hpp"
#include "base/distributions.hpp"

namespace glassworks { inline namespace analysis {
namespace {

constexpr double largest_condition = 1e6;  ///< of a correlation matrix that is inverted as a whole
constexpr double freedom_of_a_mode = 4.0;  ///< degrees of freedom that each mode needs

}  // namespace

ChiSquare chi_square(std::span<const double> d, std::span<const double> C, double freedom) {
  ChiSquare result{.freedom = freedom};
  const auto at = [&](std::size_t i, std::size_t k) { return C[i * d.size() + k]; };
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < d.size(); ++i) {
    if (at(i, i) > 0.0) {
      kept.push_back(i);
    } else if (d[i] != 0.0) {  // it cannot differ by chance
      result.chi2 = std::numeric_limits<double>::infinity();
      result.p_value = 0.0;
    }
  }
  result.values = static_cast<int>(kept.size());
  if (kept.empty() || result.p_value == 0.0) return result;
  const auto n = static_cast<Eigen::Index>(kept.size());
  Eigen::MatrixXd R(n, n);
  Eigen::VectorXd z(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const std::size_t a = kept[static_cast<std::size_t>(i)];
    z[i] = d[a] / std::sqrt(at(a, a));
    for (Eigen::Index k = 0; k < n; ++k) {
      const std::size_t b = kept[static_cast<std::size_t>(k)];
      R(i, k) = at(a, b) / std::sqrt(at(a, a) * at(b, b));
    }
  }
  const SymmetricEigen eigen = symmetric_eigen(R);
  const double largest = eigen.values[n - 1], smallest = eigen.values[0];
  constexpr double rounding = 1e-13;
  result.condition = smallest > rounding * largest ? largest / smallest : std::numeric_limits<double>::infinity();
  const double most = std::max(1.0, std::isfinite(freedom) ? std::floor(freedom / freedom_of_a_mode) : 1e9);
  for (Eigen::Index i = n; i-- > 0 && result.rank < most;) {
    if (eigen.values[i] * largest_condition < largest) break;
    double along = 0.0;
    for (Eigen::Index k = 0; k < n; ++k) along += eigen.vectors(k, i) * z[k];
    result.chi2 += along * along / eigen.values[i];
    ++result.rank;
  }
  const double rank = result.rank;
  if (!std::isfinite(freedom)) {
    result.p_value = chi_squared_tail(rank, result.chi2);
  } else if (freedom - rank + 1.0 > 0.0) {
    const double left = freedom - rank + 1.0;
    result.p_value = fisher_tail(rank, left, result.chi2 * left / (rank * freedom));
  }
  return result;
}

}}  // namespace glassworks::analysis
