#include "analysis/reweighting/multi_histogram.hpp"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace glassworks { inline namespace analysis {
namespace {

constexpr double tolerance = 1e-8;  // of f
constexpr int most_iterations = 200;
constexpr double shortest_step = 1e-12;    // part of a Newton step below which it leads nowhere
constexpr double negligible = 40.0;        // exp(-40) = 4e-18
constexpr double quadratic_region = 0.05;  // steps this small are taken without a test
constexpr double ridge = 1e-13;            // keeps the Hessian positive where an overlap underflows

[[noreturn]] void no_solution() {
  throw NoSolution(
      "The multi-histogram equations have no solution to 1e-8 (energies of neighbouring temperatures hardly overlap, "
      "or "
      "are not in equilibrium). Use the slot averages, or a ladder with more temperatures.");
}

struct Change {
  double largest = 0.0;     ///< of any f
  double difference = 0.0;  ///< of any f_{k+1} - f_k
};

Change size_of(std::span<const double> step) {
  Change change;
  for (std::size_t k = 1; k < step.size(); ++k) {
    change.largest = std::max(change.largest, std::abs(step[k]));
    change.difference = std::max(change.difference, std::abs(step[k] - step[k - 1]));
  }
  return change;
}

}  // namespace

MultiHistogram::MultiHistogram(EnergyBins bins, std::span<const double> beta, std::span<const std::size_t> count,
                               std::span<const EnergyMoments> slots)
    : bins_(std::move(bins)), beta_(beta.begin(), beta.end()), count_(count.begin(), count.end()) {
  for (const double n : count_) log_count_.push_back(std::log(n));
  const auto [fewest, most] = std::minmax_element(log_count_.begin(), log_count_.end());
  cut_ = negligible + *most - *fewest;
  integrate_energies(slots);
  solve();
}

void MultiHistogram::integrate_energies(std::span<const EnergyMoments> slots) {
  // df/dbeta = <E>, d<E>/dbeta = -var E: trapezoidal rule with its end correction.
  f_.assign(beta_.size(), 0.0);
  for (std::size_t k = 0; k + 1 < f_.size(); ++k) {
    const double h = beta_[k + 1] - beta_[k];
    const double variances[2] = {slots[k].deviation * slots[k].deviation,
                                 slots[k + 1].deviation * slots[k + 1].deviation};
    f_[k + 1] = f_[k] + h * (0.5 * (slots[k].mean + slots[k + 1].mean) - bins_.origin) +
                h * h / 12.0 * (variances[1] - variances[0]);
  }
}

double MultiHistogram::evaluate() {
  const std::size_t slots = f_.size(), bins = bins_.energy.size();
  bands_.resize(bins);
  log_density_.resize(bins);
  mean_beta_.resize(bins);
  share_.clear();
  double function = 0.0;
  for (std::size_t k = 0; k < slots; ++k) function -= count_[k] * f_[k];

  // f_k - beta_k E is concave in beta_k at the solution, so its maximum moves one way with E and the band is compact.
  std::size_t peak = 0;
  for (std::size_t b = 0; b < bins; ++b) {
    const double E = bins_.energy[b];
    const auto exponent = [&](std::size_t k) { return f_[k] - beta_[k] * E; };
    while (peak + 1 < slots && exponent(peak + 1) >= exponent(peak)) ++peak;
    const double floor = exponent(peak) - cut_;
    std::size_t first = peak, last = peak + 1;
    while (first > 0 && exponent(first - 1) > floor) --first;
    while (last < slots && exponent(last) > floor) ++last;

    const std::size_t offset = share_.size();
    bands_[b] = {first, last - first, offset};
    double sum = 0.0, weighted_beta = 0.0;
    for (std::size_t k = first; k < last; ++k) {
      const double term = count_[k] * std::exp(exponent(k) - exponent(peak));
      share_.push_back(term);
      sum += term;
      weighted_beta += term * beta_[k];
    }
    for (std::size_t i = offset; i < share_.size(); ++i) share_[i] /= sum;
    log_density_[b] = exponent(peak) + std::log(sum);
    mean_beta_[b] = weighted_beta / sum;
    function += bins_.count[b] * log_density_[b];
  }
  return function;
}

std::vector<double> MultiHistogram::newton_step() const {
  // f_0 stays; gradient_k = sum_b n_b share_bk - N_k, Hessian_kl = sum_b n_b (delta_kl share_bk - share_bk share_bl).
  const std::size_t slots = f_.size();
  std::size_t width = 1;
  for (const Band& band : bands_) width = std::max(width, band.size);
  std::vector<double> lower(slots * width, 0.0);  // Hessian [column l][k - l], k >= l
  Eigen::VectorXd gradient = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(slots) - 1);
  for (std::size_t k = 1; k < slots; ++k) gradient[static_cast<Eigen::Index>(k) - 1] = -count_[k];
  for (std::size_t b = 0; b < bands_.size(); ++b) {
    const Band& band = bands_[b];
    const double* share = share_.data() + band.offset;
    for (std::size_t i = 0; i < band.size; ++i) {
      const double n = bins_.count[b] * share[i];
      if (band.first + i > 0) gradient[static_cast<Eigen::Index>(band.first + i) - 1] += n;
      double* column = lower.data() + (band.first + i) * width;
      column[0] += n;
      for (std::size_t j = i; j < band.size; ++j) column[j - i] -= n * share[j];
    }
  }

  Eigen::SparseMatrix<double> hessian(gradient.size(), gradient.size());
  hessian.reserve(Eigen::VectorXi::Constant(hessian.cols(), static_cast<int>(width)));
  for (std::size_t l = 1; l < slots; ++l) {
    for (std::size_t k = l; k < std::min(slots, l + width); ++k) {
      double element = lower[l * width + k - l];
      if (k == l) element += ridge * count_[k];
      if (element != 0.0) hessian.insert(static_cast<int>(k) - 1, static_cast<int>(l) - 1) = element;
    }
  }
  hessian.makeCompressed();
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Lower, Eigen::NaturalOrdering<int>> cholesky(hessian);
  if (cholesky.info() != Eigen::Success) no_solution();
  const Eigen::VectorXd solution = cholesky.solve(gradient);
  if (!solution.allFinite()) no_solution();
  std::vector<double> step(slots, 0.0);
  for (std::size_t k = 1; k < slots; ++k) step[k] = -solution[static_cast<Eigen::Index>(k) - 1];
  return step;
}

void MultiHistogram::solve() {
  double function = evaluate();
  if (f_.size() == 1) return;
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    const std::vector<double> step = newton_step();
    const auto [largest, difference] = size_of(step);
    const std::vector<double> before = f_;
    double length = 1.0;
    for (bool accepted = false; !accepted; length *= 0.5) {
      if (length < shortest_step) no_solution();
      for (std::size_t k = 0; k < f_.size(); ++k) f_[k] = before[k] + length * step[k];
      const double next = evaluate();
      accepted = next < function || length * difference < quadratic_region;
      if (accepted) function = next;
    }
    if (largest <= tolerance) return;
  }
  no_solution();
}

std::vector<double> MultiHistogram::free_energy() const {
  std::vector<double> f(f_.size());
  for (std::size_t k = 0; k < f.size(); ++k) f[k] = f_[k] - f_[0] + (beta_[k] - beta_[0]) * bins_.origin;
  return f;
}

std::vector<double> MultiHistogram::overlap() const {
  std::vector<double> overlap(f_.size() - 1, 0.0);
  for (std::size_t b = 0; b < bands_.size(); ++b) {
    const Band& band = bands_[b];
    for (std::size_t i = 0; i + 1 < band.size; ++i) {
      const std::size_t k = band.first + i;
      overlap[k] +=
          bins_.count[b] * std::min(share_[band.offset + i] / count_[k], share_[band.offset + i + 1] / count_[k + 1]);
    }
  }
  return overlap;
}

double MultiHistogram::average(double beta, std::span<double> averages) const {
  // ln w(E) = -beta E - ln D(E) is concave with its maximum where mean_beta_ crosses beta.
  const std::size_t bins = bins_.energy.size();
  const auto log_weight = [&](std::size_t b) { return -beta * bins_.energy[b] - log_density_[b]; };
  const auto crossing = std::partition_point(mean_beta_.begin(), mean_beta_.end(), [&](double x) { return x > beta; });
  std::size_t peak = std::min(static_cast<std::size_t>(crossing - mean_beta_.begin()), bins - 1);
  if (peak > 0 && log_weight(peak - 1) > log_weight(peak)) --peak;
  const double floor = log_weight(peak) - negligible;
  std::size_t first = peak, last = peak + 1;
  while (first > 0 && log_weight(first - 1) > floor) --first;
  while (last < bins && log_weight(last) > floor) ++last;

  std::fill(averages.begin(), averages.end(), 0.0);
  double sum = 0.0, squares = 0.0;
  for (std::size_t b = first; b < last; ++b) {
    const double weight = std::exp(log_weight(b) - log_weight(peak));
    sum += bins_.count[b] * weight;
    squares += bins_.count[b] * weight * weight;
    const double* sums = bins_.sums.data() + b * bins_.columns;
    for (std::size_t c = 0; c < averages.size(); ++c) averages[c] += weight * sums[c];
  }
  for (double& average : averages) average /= sum;
  return sum * sum / squares;
}

}}  // namespace glassworks::analysis
