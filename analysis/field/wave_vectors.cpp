#include "analysis/field/wave_vectors.hpp"

#include <cmath>
#include <numbers>

namespace glassworks { inline namespace analysis {

double WaveVectors::momentum_squared(int L) const {
  const double s = std::sin(std::numbers::pi * multiple / L);
  return 4.0 * axes * s * s;
}

std::vector<WaveVectors> wave_vectors(int dim) {
  std::vector<WaveVectors> all = {{"zero", "0", 0, 1}, {"kmin", "k_{min}", 1, 1}};
  if (dim >= 2) all.push_back({"110", "(1,1,0)", 2, 1});
  if (dim >= 3) all.push_back({"111", "(1,1,1)", 3, 1});
  all.push_back({"2kmin", "2k_{min}", 1, 2});
  return all;
}

Curve combine(const std::string& observable, std::span<const Curve> curves, const CurveFunction& f) {
  const Curve& first = curves.front();
  Curve result = first;
  result.observable = observable;
  std::vector<double> values(curves.size());
  for (std::size_t t = 0; t < first.temperatures.size(); ++t) {
    for (std::size_t c = 0; c < curves.size(); ++c) values[c] = curves[c].value[t];
    result.value[t] = f(values, t);
    for (std::size_t s = 0; s < first.sampled.size(); ++s) {
      for (std::size_t c = 0; c < curves.size(); ++c) values[c] = curves[c].sampled[s][t];
      result.sampled[s][t] = f(values, t);
    }
  }
  return result;
}

}}  // namespace glassworks::analysis
