#include "analysis/statistics/control_variate.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <stdexcept>

namespace glassworks { inline namespace analysis {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

double sum_of(const std::vector<float>& numbers, double (*f)(double)) {
  double sum = 0.0;
  for (const float x : numbers) sum += f(x);
  return sum;
}
double itself(double x) { return x; }
double squared(double x) { return x * x; }

/// Sums over realizations of the squared deviations of every column from a row. One row after the other, as they lie.
Eigen::RowVectorXd squares(const Matrix& values, const Eigen::RowVectorXd& from) {
  Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(values.cols());
  for (Eigen::Index r = 0; r < values.rows(); ++r) sum += (values.row(r) - from).cwiseAbs2();
  return sum;
}

/// Largest share of the variance of a column that is gone.
double largest_gain(const Matrix& before, const Matrix& after) {
  const Eigen::RowVectorXd mean = before.colwise().mean(), mean_after = after.colwise().mean();
  const Eigen::RowVectorXd all = squares(before, mean), rest = squares(after, mean_after);
  const double n = static_cast<double>(before.rows());
  double gain = 0.0;
  for (Eigen::Index column = 0; column < all.size(); ++column) {
    const double rounding = 1e-24 * n * mean[column] * mean[column];  // what varies so little has no gain
    if (all[column] > rounding) gain = std::max(gain, 1.0 - rest[column] / all[column]);
  }
  return gain;
}

}  // namespace

DisorderControls disorder_controls(const Config& config, int L, std::span<const std::uint32_t> realizations) {
  DisorderControls controls;
  const bool couplings = config.has_normal_couplings();
  const bool fields = config.has_normal_fields();
  if (couplings) controls.names = {"Σ J^{2}/N_{b} − 1", "Σ J/N_{b}"};
  if (fields) controls.names.push_back(fmt::format("Σ H^{{2}}/({} N h^{{2}}) − 1", components_of(config.model.spins)));
  if (controls.names.empty()) return controls;
  const double h = config.model.field_strength;
  Config drawn = config;
  if (!couplings) drawn.model.couplings = CouplingKind::ferromagnet;  // of fields alone: no file is read
  for (const std::uint32_t realization : realizations) {
    const Lattice lattice = config.lattice(L);
    const Disorder disorder = make_disorder(drawn, lattice, realization);
    const auto N_b = static_cast<double>(lattice.bonds());
    if (couplings) controls.values.push_back(sum_of(disorder.couplings, squared) / N_b - 1.0);
    if (couplings) controls.values.push_back(sum_of(disorder.couplings, itself) / N_b);
    const auto components = static_cast<double>(disorder.fields.size());
    if (fields) controls.values.push_back(sum_of(disorder.fields, squared) / components / (h * h) - 1.0);
  }
  return controls;
}

ControlledEnsemble apply_controls(const Ensemble& ensemble, const DisorderControls& controls) {
  ControlledEnsemble result{.ensemble = ensemble, .applied = false, .sentence = {}};
  const std::size_t n = ensemble.realizations.size(), count = controls.names.size();
  if (count == 0) {
    result.sentence = "No control variates: no known mean of the disorder can be used.";
    return result;
  }
  if (controls.values.size() != n * count) {
    throw std::invalid_argument("apply_controls: controls of other realizations");
  }
  if (n < fewest_controlled_realizations) {
    result.sentence = fmt::format("No control variates: a coefficient needs {} realizations, there {} {}.",
                                  fewest_controlled_realizations, n == 1 ? "is" : "are", n);
    return result;
  }
  const auto rows = static_cast<Eigen::Index>(n), k = static_cast<Eigen::Index>(count);
  const auto width = static_cast<Eigen::Index>(ensemble.temperatures.size() * ensemble.columns.size());
  const Eigen::Map<const Matrix> S(controls.values.data(), rows, k);
  const Matrix y = Eigen::Map<const Matrix>(ensemble.values.data(), rows, width);
  Matrix X(rows, k + 1);
  X << Matrix::Ones(rows, 1), S;

  // Without row r the coefficients are B - (X'X)^-1 x_r e_r / (1 - h_r): e_r residual, h_r = x_r' (X'X)^-1 x_r.
  const Eigen::LDLT<Eigen::MatrixXd> normal(X.transpose() * X);
  const Matrix B = normal.solve(X.transpose() * y);
  Matrix adjusted = y - S * B.bottomRows(k);
  for (Eigen::Index r = 0; r < rows; ++r) {
    const Eigen::VectorXd x = X.row(r).transpose(), influence = normal.solve(x);
    const double weight = S.row(r).dot(influence.tail(k)) / (1.0 - x.dot(influence));
    adjusted.row(r) += weight * (adjusted.row(r) - B.row(0));
  }
  const double gain = largest_gain(y, adjusted);
  if (!(gain >= smallest_control_gain)) {
    result.sentence = fmt::format(
        "No control variates: they would take away {:.1f} % of a variance at most, less than the {:.0f} % that are "
        "asked "
        "for.",
        100.0 * gain, 100.0 * smallest_control_gain);
    return result;
  }
  Eigen::Map<Matrix>(result.ensemble.values.data(), rows, width) = adjusted;
  result.applied = true;
  std::string names;
  for (const std::string& name : controls.names) names += (names.empty() ? "" : ", ") + name;
  result.sentence =
      fmt::format("Control variates of known mean 0 ({}) take away up to {:.0f} % of a variance.", names, 100.0 * gain);
  return result;
}

}}  // namespace glassworks::analysis
