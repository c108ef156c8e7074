#include "scheduler/convergence/walk_times.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "kernels/rounds/measurement_formulas.hpp"
#include "scheduler/convergence/round_groups.hpp"

namespace glassworks { inline namespace scheduler {
namespace {

/// c(t) of integrated_time.
double correlation(std::span<const std::vector<double>> series, std::size_t t) {
  double sum = 0.0;
  for (const std::vector<double>& means : series) {
    for (std::size_t r = 0; r + t < means.size(); ++r) sum += means[r] * means[r + t];
  }
  return sum / static_cast<double>(series.size() * (series.front().size() - t));
}

/// correlation  c(t) as a function, t = 0 .. largest
template <class Correlation>
WalkTime windowed_time(const Correlation& correlation, std::size_t largest, double variance, double measurements) {
  WalkTime time;
  double sum = 0.0, tau = 0.0;
  for (std::size_t W = 0; W <= largest && !time.resolved; ++W) {
    sum += (W == 0 ? 1.0 : 2.0) * correlation(W);
    tau = measurements / (2.0 * variance) * sum;
    time.resolved = static_cast<double>(W) * measurements >= window_in_tau * tau;
  }
  time.tau = std::max(time.tau, tau);
  return time;
}

}  // namespace

std::array<double, walk_functions> walk_variances(int slots) {
  const PhaseTable phase(2 * slots);
  std::array<double, walk_functions> variance{};
  for (int slot = 0; slot < slots; ++slot) {
    std::array<double, walk_functions> f{};
    add_walk_functions(slot, slots, phase.cosine.data(), f.data());
    for (std::size_t k = 0; k < f.size(); ++k) variance[k] += f[k] * f[k] / slots;
  }
  return variance;
}

WalkTime integrated_time(std::span<const std::vector<double>> series, double variance, double measurements) {
  return windowed_time([&](std::size_t t) { return correlation(series, t); }, series.front().size() / 2, variance,
                       measurements);
}

WalkTime integrated_time(std::span<const double> correlation, double variance, double measurements) {
  return windowed_time([&](std::size_t t) { return correlation[t]; }, correlation.size() - 1, variance, measurements);
}

WalkTime WalkTimes::tau() const {
  if (slowest_function) return slowest_function->time;
  WalkTime longest{0.5, exist()};
  for (std::size_t f = 0; f < walk_functions; ++f) {
    if (!has_function[f]) continue;
    longest.tau = std::max(longest.tau, of_all[f].tau);
    longest.resolved = longest.resolved && of_all[f].resolved;
  }
  return longest;
}

WalkTimes::Slowest WalkTimes::slowest() const {
  Slowest slowest;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (has_function[i % walk_functions] && times[i].tau > slowest.tau) slowest = {i / walk_functions, times[i].tau};
  }
  return slowest;
}

namespace {

/// Times without any measurement: only the fields that follow from the ladder.
WalkTimes empty_times(std::span<const RoundRow> rounds, int slots) {
  WalkTimes walk;
  const std::array<double, walk_functions> variance = walk_variances(slots);
  for (std::size_t f = 0; f < walk_functions; ++f) walk.has_function[f] = variance[f] > 0.0;
  walk.first_round = rounds.size() / 8;
  return walk;
}

/// Rounds [n/8, n), which are all alike.
std::span<const RoundRow> used_rounds(std::span<const RoundRow> rounds) {
  const std::span<const RoundRow> used = rounds.subspan(rounds.size() / 8);
  const std::size_t columns = used.front().record.walk_mean.size();
  for (const RoundRow& row : used) {
    if (row.record.walk_mean.size() == columns && row.record.measurements == used.front().record.measurements) continue;
    throw std::runtime_error(
        "A realization cannot be judged (its rounds differ in replicas or measurements, so that some are not of this "
        "campaign). Restore the database from a copy.");
  }
  return used;
}

}  // namespace

WalkTimes walk_times(std::span<const RoundRow> rounds, int slots) {
  WalkTimes walk = empty_times(rounds, slots);
  if (slots == 1 || rounds.empty()) return walk;
  const std::array<double, walk_functions> variance = walk_variances(slots);
  const std::span<const RoundRow> used = used_rounds(rounds);
  const std::size_t columns = used.front().record.walk_mean.size();
  const RoundGroups groups(used);
  walk.times.assign(columns, {0.5, true});
  for (std::size_t f = 0; f < walk_functions; ++f) {
    if (!walk.has_function[f]) continue;
    std::vector<std::vector<double>> series;
    for (std::size_t column = f; column < columns; column += walk_functions) {
      series.push_back(groups.series(&RoundRecord::walk_mean, column));
      walk.times[column] = integrated_time({&series.back(), 1}, variance[f], groups.measurements());
    }
    walk.of_all[f] = integrated_time(series, variance[f], groups.measurements());
  }
  return walk;
}

namespace {

using Matrix = Eigen::Matrix<double, walk_functions, walk_functions>;

/// V of SlowestFunction.
Matrix walk_covariance(int slots) {
  const PhaseTable phase(2 * slots);
  Matrix V = Matrix::Zero();
  for (int slot = 0; slot < slots; ++slot) {
    std::array<double, walk_functions> f{};
    add_walk_functions(slot, slots, phase.cosine.data(), f.data());
    const Eigen::Map<const Eigen::Vector3d> vector(f.data());
    V += vector * vector.transpose() / slots;
  }
  return V;
}

/// Combinations of the functions that are independent on this ladder, each of variance 1, in its columns; columns of 0
/// in place of others: two slots have one combination, three have two.
Matrix independent_functions(const Matrix& V) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(V);
  constexpr double negligible = 1e-9;
  Matrix basis = Matrix::Zero();
  for (int k = 0; k < walk_functions; ++k) {
    const double variance = solver.eigenvalues()[k];
    if (variance <= negligible * solver.eigenvalues().maxCoeff()) continue;
    basis.col(k) = solver.eigenvectors().col(k) / std::sqrt(variance);
  }
  return basis;
}

/// C(t) of the round means of all replicas, from t = 0 on, each made when it is asked for first.
class WalkCorrelations {
 public:
  explicit WalkCorrelations(const RoundGroups& groups, std::size_t columns) : replicas_(columns / walk_functions) {
    for (std::size_t column = 0; column < columns; ++column) {
      const std::vector<double> series = groups.series(&RoundRecord::walk_mean, column);
      rounds_ = series.size();
      Eigen::VectorXd& means = means_[column % walk_functions];
      means.resize(static_cast<Eigen::Index>(rounds_ * replicas_));
      for (std::size_t r = 0; r < rounds_; ++r) {
        means[static_cast<Eigen::Index>(r * replicas_ + column / walk_functions)] = series[r];
      }
    }
  }

  [[nodiscard]] std::size_t rounds() const { return rounds_; }

  const Matrix& at(std::size_t t) {
    while (correlations_.size() <= t) add();
    return correlations_[t];
  }

 private:
  void add() {
    const std::size_t t = correlations_.size();
    const auto pairs = static_cast<Eigen::Index>((rounds_ - t) * replicas_);
    Matrix C;
    for (int k = 0; k < walk_functions; ++k) {
      for (int l = 0; l < walk_functions; ++l) C(k, l) = means_[k].head(pairs).dot(means_[l].tail(pairs));
    }
    correlations_.emplace_back((C + C.transpose()) / (2.0 * static_cast<double>(pairs)));
  }

  std::size_t replicas_, rounds_ = 0;
  std::array<Eigen::VectorXd, walk_functions> means_;  ///< [function][round][replica]
  std::vector<Matrix> correlations_;
};

std::optional<double> fitted_exponential(WalkCorrelations& correlations, const Eigen::Vector3d& weights,
                                         const WalkTime& time, double measurements) {
  const auto c = [&](std::size_t t) { return weights.dot(correlations.at(t) * weights); };
  const std::size_t largest = correlations.rounds() / 2;
  const auto first = static_cast<std::size_t>(std::max(1.0, std::ceil(0.5 * time.tau / measurements)));
  double sum = 0.0, sum_t = 0.0, sum_y = 0.0, sum_tt = 0.0, sum_ty = 0.0;
  std::size_t points = 0;
  double last = c(first);
  for (std::size_t t = first; t <= largest && c(t) > 0.1 * c(0); ++t, ++points) {
    last = c(t);
    const double x = static_cast<double>(t), y = std::log(c(t)), weight = c(t) * c(t);
    sum += weight, sum_t += weight * x, sum_y += weight * y, sum_tt += weight * x * x, sum_ty += weight * x * y;
  }
  constexpr std::size_t fewest_points = 3;
  constexpr double least_decay = 1.5;  // within the fit; less is a history in which nothing relaxes
  if (points < fewest_points || !(least_decay * last < c(first))) return {};
  const double slope = (sum * sum_ty - sum_t * sum_y) / (sum * sum_tt - sum_t * sum_t);
  if (!(slope < 0.0)) return {};
  return -measurements / slope;
}

}  // namespace

WalkTimes walk_times_of_family(std::span<const RoundRow> rounds, int slots) {
  WalkTimes walk = empty_times(rounds, slots);
  if (slots == 1 || rounds.empty()) return walk;
  constexpr std::size_t longest_series = 256;
  const std::span<const RoundRow> used = used_rounds(rounds);
  const std::size_t columns = used.front().record.walk_mean.size();
  const RoundGroups groups(used, longest_series);
  const double M = groups.measurements();
  const Matrix V = walk_covariance(slots);
  WalkCorrelations correlations(groups, columns);
  const std::size_t largest = correlations.rounds() / 2;
  walk.times.assign(columns, {0.5, true});
  for (int f = 0; f < walk_functions; ++f) {
    const auto function = static_cast<std::size_t>(f);
    if (!walk.has_function[function]) continue;
    walk.of_all[function] = windowed_time([&](std::size_t t) { return correlations.at(t)(f, f); }, largest, V(f, f), M);
    for (std::size_t column = function; column < columns; column += walk_functions) {
      const std::vector<double> series = groups.series(&RoundRecord::walk_mean, column);
      walk.times[column] = integrated_time({&series, 1}, V(f, f), M);
    }
  }
  const Matrix basis = independent_functions(V);
  const Eigen::Vector3d absent = (basis.colwise().squaredNorm().array() == 0.0).cast<double>();
  SlowestFunction& slowest = walk.slowest_function.emplace();
  Matrix sum = Matrix::Zero();
  Eigen::Vector3d weights = Eigen::Vector3d::Zero();
  double tau = 0.0;
  for (std::size_t W = 0; W <= largest && !slowest.time.resolved; ++W) {
    sum += (W == 0 ? 1.0 : 2.0) * correlations.at(W);
    Matrix T = 0.5 * M * basis.transpose() * sum * basis;
    T.diagonal() -= T.norm() * absent;  // below all eigenvalues of functions that there are
    const Eigen::SelfAdjointEigenSolver<Matrix> solver(T);
    tau = solver.eigenvalues()[walk_functions - 1];
    weights = basis * solver.eigenvectors().rightCols<1>();
    slowest.time.resolved = static_cast<double>(W) * M >= window_in_tau * tau;
  }
  slowest.time.tau = std::max(slowest.time.tau, tau);
  if (weights.sum() < 0.0) weights = -weights;
  Eigen::Map<Eigen::Vector3d>(slowest.weights.data()) = weights;
  slowest.tau_exp = fitted_exponential(correlations, weights, slowest.time, M);
  return walk;
}

}}  // namespace glassworks::scheduler
