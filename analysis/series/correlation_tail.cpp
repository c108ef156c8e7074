#include "analysis/series/correlation_tail.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace glassworks { inline namespace analysis {
namespace {

constexpr double most_a = 2.0, least_b = 1.0, most_b = 2.0;
constexpr double precision_of_b = 1e-4;

struct Point {
  double r, log_C, weight;
};

struct Candidate {
  double cost = std::numeric_limits<double>::infinity();
  CorrelationTail tail;
};

double cost_of(const std::vector<Point>& points, const CorrelationTail& tail) {
  double sum = 0.0;
  for (const Point& p : points) {
    const double residual = p.log_C - tail.log_A + tail.a * std::log(p.r) + tail.rate * std::pow(p.r, tail.b);
    sum += p.weight * residual * residual;
  }
  return sum;
}

/// ln A and l^-b at given a and b.
Candidate with_power(const std::vector<Point>& points, double a, double b) {
  double n = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
  for (const Point& p : points) {
    const double power = std::pow(p.r, b), rest = p.log_C + a * std::log(p.r);
    n += p.weight;
    x += p.weight * power;
    y += p.weight * rest;
    xx += p.weight * power * power;
    xy += p.weight * power * rest;
  }
  const double slope = (n * xy - x * y) / (n * xx - x * x);
  const CorrelationTail tail{.log_A = (y - slope * x) / n, .a = a, .b = b, .rate = -slope};
  if (!(tail.rate > 0.0)) return {};
  return {cost_of(points, tail), tail};
}

/// ln A, a and l^-b at given b. The two slopes come from moments about the means.
Candidate with_stretching(const std::vector<Point>& points, double b) {
  double n = 0.0, mean_u = 0.0, mean_v = 0.0, mean_y = 0.0;
  for (const Point& p : points) {
    n += p.weight;
    mean_u += p.weight * std::log(p.r);
    mean_v += p.weight * std::pow(p.r, b);
    mean_y += p.weight * p.log_C;
  }
  mean_u /= n;
  mean_v /= n;
  mean_y /= n;
  double uu = 0.0, uv = 0.0, vv = 0.0, uy = 0.0, vy = 0.0;
  for (const Point& p : points) {
    const double u = std::log(p.r) - mean_u, v = std::pow(p.r, b) - mean_v, y = p.log_C - mean_y;
    uu += p.weight * u * u;
    uv += p.weight * u * v;
    vv += p.weight * v * v;
    uy += p.weight * u * y;
    vy += p.weight * v * y;
  }
  const double determinant = uu * vv - uv * uv;
  CorrelationTail tail{
      .log_A = 0.0, .a = -(uy * vv - vy * uv) / determinant, .b = b, .rate = -(vy * uu - uy * uv) / determinant};
  if (tail.a >= 0.0 && tail.a <= most_a && tail.rate > 0.0) {
    tail.log_A = mean_y + tail.a * mean_u + tail.rate * mean_v;
    return {cost_of(points, tail), tail};
  }
  const Candidate low = with_power(points, 0.0, b), high = with_power(points, most_a, b);
  return high.cost < low.cost ? high : low;
}

/// The best b by golden section; the ends themselves are tried too.
Candidate best_stretching(const std::vector<Point>& points) {
  constexpr double step = 1.0 / std::numbers::phi;
  double low = least_b, high = most_b;
  std::array<Candidate, 2> inner{with_stretching(points, high - step * (high - low)),
                                 with_stretching(points, low + step * (high - low))};
  Candidate best = with_stretching(points, least_b);
  const auto keep_better = [&](const Candidate& one) {
    if (one.cost < best.cost) best = one;
  };
  keep_better(with_stretching(points, most_b));
  while (high - low > precision_of_b) {
    if (inner[0].cost <= inner[1].cost) {
      high = low + step * (high - low);
      inner = {with_stretching(points, high - step * (high - low)), inner[0]};
    } else {
      low = high - step * (high - low);
      inner = {inner[1], with_stretching(points, low + step * (high - low))};
    }
  }
  keep_better(inner[0]);
  keep_better(inner[1]);
  return best;
}

}  // namespace

double CorrelationTail::at(double r) const { return std::exp(log_A - a * std::log(r) - rate * std::pow(r, b)); }
double CorrelationTail::length() const { return std::pow(rate, -1.0 / b); }

std::optional<CorrelationTail> fit_tail(std::span<const double> values, std::span<const double> weights,
                                        std::size_t first, TailShape shape) {
  std::vector<Point> points;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    if (values[k] > 0.0) points.push_back({static_cast<double>(first + k), std::log(values[k]), weights[k]});
  }
  if (points.size() < 2) return std::nullopt;
  const bool is_stretched = shape == TailShape::stretched && points.size() >= least_for_shape;
  const Candidate best = is_stretched ? best_stretching(points) : with_power(points, 0.0, 1.0);
  if (!std::isfinite(best.cost)) return std::nullopt;
  return best.tail;
}

}}  // namespace glassworks::analysis
