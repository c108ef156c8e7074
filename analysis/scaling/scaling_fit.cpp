#include "analysis/scaling/scaling_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "analysis/basics/value_format.hpp"
#include "analysis/linear/least_squares.hpp"
#include "analysis/linear/matrices.hpp"
#include "analysis/scaling/scaling_model.hpp"

namespace glassworks { inline namespace analysis {
namespace {

/// Weighted residuals root (model - y) of all sizes.
class WeightedResiduals : public Residuals {
 public:
  WeightedResiduals(const ScalingModel& model, std::span<const FitWeights> weights)
      : model_(model), weights_(weights) {}

  void set_data(std::span<const Eigen::VectorXd> y) {
    y_.resize(model_.points());
    Eigen::Index at = 0;
    for (const Eigen::VectorXd& part : y) {
      y_.segment(at, part.size()) = part;
      at += part.size();
    }
  }

  /// root of all sizes times a matrix (point, column).
  [[nodiscard]] Eigen::MatrixXd weighted(const Eigen::MatrixXd& x) const {
    Eigen::MatrixXd result(x.rows(), x.cols());
    Eigen::Index at = 0;
    for (const FitWeights& w : weights_) {
      result.middleRows(at, w.root.rows()) = product(w.root, x.middleRows(at, w.root.rows()));
      at += w.root.rows();
    }
    return result;
  }
  [[nodiscard]] const Eigen::VectorXd& data() const { return y_; }

  [[nodiscard]] Eigen::Index points() const override { return model_.points(); }
  [[nodiscard]] bool values(const Eigen::VectorXd& p, Eigen::VectorXd& r) const override {
    r = weighted(model_.values(p) - y_);
    return r.allFinite();
  }
  [[nodiscard]] bool derivatives(const Eigen::VectorXd& p, Eigen::MatrixXd& jacobian) const override {
    jacobian = weighted(model_.jacobian(p));
    return jacobian.allFinite();
  }

 private:
  const ScalingModel& model_;
  std::span<const FitWeights> weights_;
  Eigen::VectorXd y_;
};

struct Minimum {
  Eigen::VectorXd parameters;
  double chi2 = nan;
};

Minimum minimize(const WeightedResiduals& residuals, const Eigen::VectorXd& start) {
  const Eigen::VectorXd parameters = minimize_squares(residuals, start);
  Eigen::VectorXd r;
  if (!parameters.allFinite() || !residuals.values(parameters, r)) return {};
  return {parameters, r.squaredNorm()};
}

/// Fills in the linear parameters that fit best at given nonlinear ones.
Minimum with_linear(const ScalingModel& model, const WeightedResiduals& residuals, Eigen::VectorXd parameters) {
  const Eigen::MatrixXd basis = residuals.weighted(model.basis(parameters));
  if (!basis.allFinite()) return {};
  const Eigen::VectorXd y = residuals.weighted(residuals.data());
  parameters.tail(model.linear()) = least_squares(basis, y);
  return {parameters, (basis * parameters.tail(model.linear()) - y).squaredNorm()};
}

/// Minimum over several starts of (T_c, 1/nu, omega).
Minimum search(const ScalingModel& model, const ScalingFitOptions& options, std::span<const ScalingCurve> curves,
               const WeightedResiduals& residuals, const ScalingFit* start) {
  double from = std::numeric_limits<double>::infinity(), to = 0.0;
  for (const ScalingCurve& curve : curves) {
    from = std::min(from, curve.T[0]);
    to = std::max(to, curve.T[curve.points() - 1]);
  }
  std::vector<Eigen::VectorXd> nonlinear = {Eigen::VectorXd(0)};
  const auto extend = [&](const std::vector<double>& values) {
    std::vector<Eigen::VectorXd> longer;
    for (const Eigen::VectorXd& base : nonlinear) {
      for (const double value : values) {
        longer.emplace_back(base.size() + 1);
        longer.back() << base, value;
      }
    }
    nonlinear = std::move(longer);
  };
  std::vector<double> T_starts;
  for (int i = 0; i <= 12; ++i) T_starts.push_back(from + (to - from) * i / 12.0);
  if (!options.T_c) extend(T_starts);
  if (!options.inverse_nu) extend({0.4, 0.7, 1.0, 1.5});
  if (options.corrections && !options.omega) extend({0.5, 1.0, 2.0});
  std::vector<Minimum> candidates;
  for (const Eigen::VectorXd& values : nonlinear) {
    Eigen::VectorXd parameters = Eigen::VectorXd::Zero(model.size());
    parameters.head(values.size()) = values;
    if (Minimum candidate = with_linear(model, residuals, parameters); std::isfinite(candidate.chi2)) {
      candidates.push_back(std::move(candidate));
    }
  }
  std::ranges::sort(candidates, {}, &Minimum::chi2);
  if (candidates.size() > 3) candidates.resize(3);
  if (start != nullptr && start->ok() && !options.T_c && !options.inverse_nu) {
    Eigen::VectorXd parameters = Eigen::VectorXd::Zero(model.size());
    parameters.head(nonlinear.front().size()) = nonlinear.front();  // with a start of omega
    parameters[0] = start->T_c();
    parameters[1] = start->inverse_nu();
    if (candidates.size() > 1) candidates.resize(1);
    candidates.push_back(with_linear(model, residuals, parameters));
  }
  Minimum best;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (!std::isfinite(candidates[i].chi2)) continue;
    const Minimum minimum = minimize(residuals, candidates[i].parameters);
    if (!(best.chi2 <= minimum.chi2) && std::isfinite(minimum.chi2)) best = minimum;
  }
  return best;
}

/// chi^2, p value and covariance of a minimum; false if the data do not determine the parameters.
bool judge(const WeightedResiduals& residuals, std::span<const FitWeights> weights, const Minimum& minimum,
           ScalingFit& fit) {
  Eigen::MatrixXd jacobian;
  if (!residuals.derivatives(minimum.parameters, jacobian)) return false;
  const Eigen::VectorXd scale = jacobian.colwise().norm();
  if (!(scale.minCoeff() > 0.0)) return false;
  jacobian *= scale.cwiseInverse().asDiagonal();
  const std::optional<Eigen::MatrixXd> inverse = left_inverse(jacobian, 1e-9);
  if (!inverse) return false;
  const Eigen::Index points = jacobian.rows();
  Eigen::MatrixXd noise = Eigen::MatrixXd::Zero(points, points);
  Eigen::Index at = 0;
  double factor = 1.0, freedom = 0.0;
  for (const FitWeights& w : weights) {
    noise.block(at, at, w.noise.rows(), w.noise.cols()) = w.noise;
    at += w.noise.rows();
    factor = std::min(factor, w.chi2_factor);
    if (w.freedom > 0.0) freedom = freedom > 0.0 ? std::min(freedom, w.freedom) : w.freedom;
    fit.shrinkage = std::max(fit.shrinkage, w.shrinkage);
    fit.raised += w.raised;
  }
  fit.covariance = propagated(scale.cwiseInverse().asDiagonal() * *inverse, noise);
  // The residual is the noise in the directions that the parameters cannot follow.
  const Eigen::MatrixXd rest = Eigen::MatrixXd::Identity(points, points) - product(jacobian, *inverse);
  const Eigen::VectorXd lambda =
      symmetric_eigenvalues(propagated(rest, noise)).tail(points - jacobian.cols()).cwiseMax(0.0);
  fit.chi2 = factor * minimum.chi2;
  fit.expected_chi2 = lambda.sum();
  fit.p_value = goodness_of_fit(fit.chi2, lambda, freedom);
  return true;
}

/// Errors from a noisy inverse covariance matrix are larger by this factor in the variance, which refits with constant
/// weights do not see. Source: Dodelson & Schneider, PRD 88, 063537 (2013).
double variance_factor(std::span<const ScalingCurve> curves, std::span<const FitWeights> weights,
                       double parameters_per_point) {
  double factor = 1.0;
  for (std::size_t c = 0; c < curves.size(); ++c) {
    if (weights[c].freedom <= 4.0) continue;
    const double points = static_cast<double>(curves[c].points()), rest = weights[c].freedom;  // n = points + rest
    const double b = (rest - 2.0) / ((rest - 1.0) * (rest - 4.0));
    factor = std::max(factor, 1.0 + b * points * (1.0 - parameters_per_point));
  }
  return factor;
}

void resample(std::span<const ScalingCurve> curves, ScalingModel model, std::span<const FitWeights> weights,
              const Minimum& minimum, ScalingFit& fit) {
  const ScalingFitOptions& options = fit.options;
  const auto numbers = propagate(
      curves, static_cast<std::size_t>(model.size()), [&](std::span<const Eigen::VectorXd> y, Replaced replaced) {
        if (replaced.L == 0) return minimum.parameters;
        model.fix(options.T_c ? options.T_c->with_sample(replaced.L, replaced.sample) : 0.0,
                  options.inverse_nu ? options.inverse_nu->with_sample(replaced.L, replaced.sample) : 0.0);
        WeightedResiduals residuals(model, weights);
        residuals.set_data(y);
        const Minimum refit = minimize(residuals, minimum.parameters);
        return std::isfinite(refit.chi2) ? refit.parameters : Eigen::VectorXd::Constant(model.size(), nan).eval();
      });
  const double factor =
      variance_factor(curves, weights, static_cast<double>(model.size()) / static_cast<double>(model.points()));
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    fit.parameters[k].number = numbers[k];
    for (SampledNumber::Part& part : fit.parameters[k].number.parts) part.spread *= factor;
  }
}

}  // namespace

const SampledNumber* ScalingFit::find(const std::string& name) const {
  const auto found = std::ranges::find(parameters, name, &ScalingParameter::name);
  return found == parameters.end() ? nullptr : &found->number;
}

double ScalingFit::T_c() const {
  if (options.T_c) return options.T_c->value;
  const SampledNumber* fitted = find("T_c");
  return fitted == nullptr ? nan : fitted->value;
}

double ScalingFit::inverse_nu() const {
  if (options.inverse_nu) return options.inverse_nu->value;
  const SampledNumber* fitted = find("1/nu");
  return fitted == nullptr ? nan : fitted->value;
}

double ScalingFit::scaling_variable(double T, int L) const {
  const double c = T_c(), t = options.variable == TemperatureVariable::inverse ? c * (1.0 - c / T) : T - c;
  return t * std::pow(L, inverse_nu());
}

Estimate ScalingFit::scaling_function(double x) const {
  Estimate result{0.0, 0.0, 0};
  double power_i = 1.0;
  for (int i = 0; i <= options.order; ++i, power_i *= x) {
    const SampledNumber* a = find(fmt::format("a_{}", i));
    if (a == nullptr) return {};
    result.mean += a->value * power_i;
    double power_j = 1.0;
    for (int j = 0; j <= options.order; ++j, power_j *= x) {
      result.error += power_i * power_j * a->covariance(*find(fmt::format("a_{}", j)));
    }
  }
  result.error = std::sqrt(std::max(result.error, 0.0));
  return result;
}

double ScalingFit::offset(double T, int L) const {
  double result = 0.0;
  if (const SampledNumber* exponent = find("2 - eta")) result += exponent->value * std::log(L);
  if (!options.corrections) return result;
  const double omega = options.omega ? *options.omega : find("omega")->value, x = scaling_variable(T, L);
  for (int j = 0; j <= options.correction_order; ++j) {
    result += find(fmt::format("b_{}", j))->value * std::pow(x, j) * std::pow(L, -omega);
  }
  return result;
}

ScalingFit fit_scaling(std::span<const ScalingCurve> curves, const ScalingFitOptions& options,
                       const ScalingFit* start) {
  ScalingFit fit;
  fit.options = options;
  ScalingModel model(curves, options);
  fit.points = model.points();
  fit.dof = static_cast<int>(model.points() - model.size());
  for (const ScalingCurve& curve : curves) fit.sizes.push_back(curve.L);
  if (curves.size() < 2) {
    fit.problem = "A joint fit needs at least two sizes.";
    return fit;
  }
  if (fit.dof < 1) {
    fit.problem = fmt::format("{} points do not determine {} parameters.", model.points(), model.size());
    return fit;
  }
  std::vector<FitWeights> weights;
  try {
    for (const ScalingCurve& curve : curves) weights.push_back(fit_weights(curve, options.weighting));
  } catch (const std::invalid_argument& error) {
    fit.problem = error.what();
    return fit;
  }
  if (options.T_c || options.inverse_nu) {
    model.fix(options.T_c ? options.T_c->value : 0.0, options.inverse_nu ? options.inverse_nu->value : 0.0);
  }
  std::vector<Eigen::VectorXd> y;
  for (const ScalingCurve& curve : curves) y.push_back(curve.y);
  WeightedResiduals residuals(model, weights);
  residuals.set_data(y);
  const Minimum minimum = search(model, options, curves, residuals, start);
  if (!std::isfinite(minimum.chi2) || !judge(residuals, weights, minimum, fit)) {
    fit.problem = "The data do not determine the parameters of the fit.";
    return fit;
  }
  for (const std::string& name : model.names()) {
    fit.parameters.push_back({name, {}});
    fit.parameters.back().number.value = minimum.parameters[static_cast<Eigen::Index>(fit.parameters.size()) - 1];
  }
  const Eigen::ArrayXd x = model.x(minimum.parameters);
  fit.x_min = x.minCoeff();
  fit.x_max = x.maxCoeff();
  if (!(fit.inverse_nu() > 0.0)) {
    fit.problem = "The fit has no minimum with 1/nu > 0.";
    return fit;
  }
  if (options.resample) resample(curves, model, weights, minimum, fit);
  return fit;
}

}}  // namespace glassworks::analysis
