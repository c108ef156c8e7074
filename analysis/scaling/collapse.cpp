#include "analysis/scaling/collapse.hpp"

#include <LBFGSB.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <numeric>
#include <stdexcept>

#include "analysis/basics/value_format.hpp"
#include "analysis/linear/matrices.hpp"
#include "analysis/scaling/gaussian_process.hpp"

namespace glassworks { inline namespace analysis {
namespace {

struct Maximum {
  Eigen::VectorXd parameters;
  double cost = std::numeric_limits<double>::infinity();  ///< -ln likelihood
};

/// Local minimum of the cost from a start. The line search gives up with an exception when rounding hides the descent;
/// the best point that was seen is the answer then as well.
Maximum descend(const GaussianProcess& process, Eigen::VectorXd start) {
  LBFGSpp::LBFGSBParam<double> settings;
  settings.max_iterations = 200;
  settings.epsilon = 1e-6;
  settings.epsilon_rel = 1e-9;
  settings.past = 5;
  settings.delta = 1e-11;
  LBFGSpp::LBFGSBSolver<double> solver(settings);
  Maximum best;
  const auto cost = [&](const Eigen::VectorXd& p, Eigen::VectorXd& gradient) {
    const double value = process(p, gradient);
    if (value < best.cost) best = {p, value};
    return std::isfinite(value) ? value : 1e12;
  };
  double value = 0.0;
  try {
    solver.minimize(cost, start, value, process.lower(), process.upper());
  } catch (const std::runtime_error&) {
  } catch (const std::logic_error&) {
  }
  return best;
}

Maximum search_collapse(const GaussianProcess& process, const CollapseOptions& options) {
  std::vector<Maximum> starts;
  Eigen::VectorXd gradient;
  const auto consider = [&](double T_c, double inverse_nu) {
    Eigen::VectorXd p = process.start();
    p[0] = T_c;
    p[1] = inverse_nu;
    p = p.cwiseMax(process.lower()).cwiseMin(process.upper());
    starts.push_back({p, process(p, gradient)});
  };
  for (const double T_c : {-0.8, -0.4, 0.0, 0.4, 0.8}) {
    for (const double inverse_nu : {0.5, 1.0, 1.7}) consider(T_c, inverse_nu);
  }
  std::ranges::sort(starts, {}, &Maximum::cost);
  starts.resize(2);
  if (options.start_T_c && options.start_inverse_nu) {
    consider(process.scaled_T_c(*options.start_T_c), *options.start_inverse_nu);
  }
  Maximum best;
  for (const Maximum& start : starts) {
    if (Maximum found = descend(process, start.parameters); found.cost < best.cost) best = std::move(found);
  }
  // A restart discards the poor curvature estimates of the first descent.
  if (std::isfinite(best.cost)) {
    if (Maximum again = descend(process, best.parameters); again.cost < best.cost) best = std::move(again);
  }
  return best;
}

/// Second derivatives of the cost from central differences of its gradient.
Eigen::MatrixXd curvature(const GaussianProcess& process, const Eigen::VectorXd& p) {
  const Eigen::Index n = p.size();
  Eigen::MatrixXd result(n, n);
  Eigen::VectorXd above, below;
  for (Eigen::Index k = 0; k < n; ++k) {
    Eigen::VectorXd shifted = p;
    const double step = 1e-4;  // parameters are of order one
    shifted[k] = p[k] + step;
    process(shifted, above);
    shifted[k] = p[k] - step;
    process(shifted, below);
    result.col(k) = (above - below) / (2.0 * step);
  }
  return 0.5 * (result + result.transpose());
}

/// The parameters at the maximum, and where one Newton step leads from there with every resampled curve: the deviations
/// of resampled curves are small against the width of the maximum.
std::vector<ScalingParameter> sampled_maximum(std::span<const ScalingCurve> curves, const GaussianProcess& process,
                                              const Eigen::VectorXd& maximum, const Cholesky& hessian) {
  std::vector<Eigen::VectorXd> data;
  (void)propagate(curves, 1, [&](std::span<const Eigen::VectorXd> y, Replaced) -> Eigen::VectorXd {
    data.push_back(process.scaled(y));
    return Eigen::VectorXd::Zero(1);
  });
  const std::vector<Eigen::VectorXd> gradients = process.gradients(maximum, data);  // in the order of propagate
  std::size_t next = 0;
  const auto numbers =
      propagate(curves, process.names().size(), [&](std::span<const Eigen::VectorXd>, Replaced) -> Eigen::VectorXd {
        Eigen::VectorXd p = maximum;
        if (hessian.positive()) {
          p -= hessian.solve(gradients[next++] - gradients[0]);
        } else if (next++ > 0) {
          p.setConstant(nan);
        }
        p[0] = process.T_c(p[0]);
        return p;
      });
  std::vector<ScalingParameter> result;
  for (std::size_t k = 0; k < numbers.size(); ++k) result.push_back({process.names()[k], numbers[k]});
  return result;
}

}  // namespace

const SampledNumber* Collapse::find(const std::string& name) const {
  const auto found = std::ranges::find(parameters, name, &ScalingParameter::name);
  return found == parameters.end() ? nullptr : &found->number;
}

double Collapse::posterior_error(const std::string& name) const {
  const auto at = std::ranges::find(parameters, name, &ScalingParameter::name) - parameters.begin();
  return at < covariance.rows() ? std::sqrt(covariance(at, at)) : nan;
}

Collapse collapse(std::span<const ScalingCurve> curves, const CollapseOptions& options) {
  Collapse result;
  result.options = options;
  for (const ScalingCurve& curve : curves) {
    result.sizes.push_back(curve.L);
    result.points += curve.points();
  }
  if (curves.size() < 2) {
    result.problem = "A data collapse needs at least two sizes.";
    return result;
  }
  if (result.points < 8) {
    result.problem = fmt::format("{} points do not determine a scaling function.", result.points);
    return result;
  }
  try {
    const GaussianProcess process(curves, options);
    const Maximum best = search_collapse(process, options);
    if (!std::isfinite(best.cost)) {
      result.problem = "The likelihood of the data collapse has no maximum.";
      return result;
    }
    result.log_likelihood = -best.cost;
    result.p_value = process.goodness(best.parameters);
    const Cholesky hessian(curvature(process, best.parameters));
    result.parameters = sampled_maximum(curves, process, best.parameters, hessian);
    if (hessian.positive()) {
      Eigen::VectorXd units = Eigen::VectorXd::Ones(best.parameters.size());
      units[0] = process.T_range();
      result.covariance = units.asDiagonal() * hessian.inverse() * units.asDiagonal();
    }
    for (Eigen::Index k = 0; k < 2; ++k) {
      if (best.parameters[k] > process.lower()[k] && best.parameters[k] < process.upper()[k]) continue;
      result.problem = fmt::format(
          "The likelihood of the data collapse grows towards {} = {:.4g} and beyond: the data "
          "do not determine it.",
          process.names()[static_cast<std::size_t>(k)], result.parameters[static_cast<std::size_t>(k)].number.value);
    }
    const GaussianProcess::Prediction prediction = process.predict(best.parameters);
    std::vector<Eigen::Index> order(static_cast<std::size_t>(result.points));
    std::iota(order.begin(), order.end(), Eigen::Index{0});
    std::ranges::sort(order, {}, [&](Eigen::Index i) { return prediction.x[i]; });
    for (const Eigen::Index i : order) {
      result.x.push_back(prediction.x[i]);
      result.f.push_back(prediction.mean[i]);
      result.f_error.push_back(prediction.error[i]);
    }
  } catch (const std::invalid_argument& error) {
    result.problem = error.what();
  }
  return result;
}

}}  // namespace glassworks::analysis
