#include "engine/percolation/percolation_exact.hpp"

#include <cmath>
#include <numbers>

namespace glassworks { inline namespace engine {

std::optional<double> exact_threshold(const Graph& graph, Occupation occupation) {
  const bool bonds = occupation == Occupation::bonds;
  const double sine = std::sin(std::numbers::pi / 18.0);
  switch (graph.kind()) {
    case GraphKind::hypercubic:
      if (graph.dim() == 1) return 1.0;
      if (graph.dim() == 2 && bonds) return 0.5;
      return std::nullopt;
    case GraphKind::triangular:
      return bonds ? 2.0 * sine : 0.5;
    case GraphKind::honeycomb:
      return bonds ? std::optional(1.0 - 2.0 * sine) : std::nullopt;
    case GraphKind::bethe:
      return 1.0 / (graph.coordination() - 1);
    case GraphKind::edge_list:
      break;
  }
  return std::nullopt;
}

std::optional<double> bethe_mean_size(int z, double p, Occupation occupation) {
  const double rest = 1.0 - (z - 1) * p;
  if (rest <= 0.0) return std::nullopt;
  return (occupation == Occupation::sites ? p : 1.0) * (1.0 + p) / rest;
}

double bethe_infinite(int z, double p, Occupation occupation) {
  if (p * (z - 1) <= 1.0) return 0.0;
  // Newton's method on f(Q) = 1 - p + p Q^(z-1) - Q from Q = 0: f is convex, so it ascends to the smaller root.
  double q = 0.0;
  for (int step = 0; step < 200; ++step) {
    const double power = std::pow(q, z - 2);
    const double next = q - (1.0 - p + p * power * q - q) / (p * (z - 1) * power - 1.0);
    if (next <= q) break;
    q = next;
  }
  return (occupation == Occupation::sites ? p : 1.0) * (1.0 - std::pow(q, z));
}

}}  // namespace glassworks::engine
