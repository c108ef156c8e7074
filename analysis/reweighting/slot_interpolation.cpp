#include "analysis/reweighting/slot_interpolation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>

namespace glassworks { inline namespace analysis {
namespace {

/// A linear combination of the averages at up to four neighbouring slots.
using Weights = std::array<double, 4>;

struct Rule {
  std::size_t first = 0, slots = 0;  ///< that the weights belong to
  Weights value{}, difference{};
  Weights energy_value{}, energy_slope{};  ///< of the energy and its slope where that is known
};

Weights combine(double a, const Weights& x, double b, const Weights& y) {
  Weights sum{};
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = a * x[i] + b * y[i];
  return sum;
}

/// The polynomial through the points [first, last) of beta, at x.
Weights lagrange(const Weights& beta, std::size_t first, std::size_t last, double x) {
  Weights weights{};
  for (std::size_t i = first; i < last; ++i) {
    weights[i] = 1.0;
    for (std::size_t j = first; j < last; ++j) {
      if (j != i) weights[i] *= (x - beta[j]) / (beta[i] - beta[j]);
    }
  }
  return weights;
}

/// Between the points k and k + 1 of `slots`; u: 0 at k, 1 at k + 1. If A has the slope wanted at k and B that at k +
/// 1, then (1 - u) A + u B has both.
void set_curve(const Weights& beta, std::size_t slots, std::size_t k, double x, double u, Rule& rule) {
  const bool has_left = k > 0, has_right = k + 2 < slots;
  const Weights line = lagrange(beta, k, k + 2, x), cubic = lagrange(beta, 0, slots, x);
  if (has_left && has_right) {
    const Weights left = lagrange(beta, k - 1, k + 2, x), right = lagrange(beta, k, k + 3, x);
    const double larger = std::max(u, 1.0 - u);
    rule.value = combine(1.0 - u, left, u, right);
    rule.difference = combine(larger, right, -larger, left);
  } else if (slots == 4) {
    const Weights parabola = has_left ? lagrange(beta, k - 1, k + 2, x) : lagrange(beta, k, k + 3, x);
    const double inner = has_left ? 1.0 - u : u;
    rule.value = combine(1.0 - inner, cubic, inner, parabola);
    rule.difference = combine(1.0, cubic, -1.0, parabola);
  } else if (slots == 3) {
    rule.value = cubic;  // the parabola through all there are
    rule.difference = combine(1.0, rule.value, -1.0, line);
  } else {
    rule.value = line;
    rule.difference = line;
    rule.difference[u < 0.5 ? 0 : 1] -= 1.0;
  }
}

Rule make_rule(std::span<const double> ladder, double T) {
  const LadderPlace place = place_in_ladder(ladder, T);
  Rule rule;
  if (place.at_slot) {
    rule.first = place.slot;
    rule.slots = 1;
    rule.value[0] = rule.energy_value[0] = 1.0;
    return rule;
  }
  rule.slots = std::min<std::size_t>(4, ladder.size());
  rule.first = std::min(place.slot > 0 ? place.slot - 1 : 0, ladder.size() - rule.slots);
  const std::size_t k = place.slot - rule.first;
  Weights beta{};
  for (std::size_t i = 0; i < rule.slots; ++i) beta[i] = 1.0 / ladder[rule.first + i];
  const double x = 1.0 / T, h = beta[k + 1] - beta[k], u = (x - beta[k]) / h, v = 1.0 - u;
  set_curve(beta, rule.slots, k, x, u, rule);
  rule.energy_value[k] = (1.0 + 2.0 * u) * v * v;
  rule.energy_value[k + 1] = (3.0 - 2.0 * u) * u * u;
  rule.energy_slope[k] = h * u * v * v;
  rule.energy_slope[k + 1] = -h * u * u * v;
  return rule;
}

/// Columns of the energy and of what gives its slope.
struct EnergyColumns {
  std::size_t energy, squared, product;
};

std::optional<EnergyColumns> energy_columns(std::span<const std::string> names) {
  const auto find = [&](const char* name) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  };
  const EnergyColumns columns = {find("energy"), find("energy_squared"), find("energy_product")};
  if (std::max({columns.energy, columns.squared, columns.product}) == names.size()) return std::nullopt;
  return columns;
}

/// Rules for many realizations of one ladder.
class Interpolation {
 public:
  Interpolation(std::span<const double> ladder, std::span<const std::string> columns, double sites,
                std::span<const double> temperatures)
      : columns_(columns.size()), sites_(sites), energy_(energy_columns(columns)) {
    for (const double T : temperatures) rules_.push_back(make_rule(ladder, T));
  }

  /// values[target][column]; adds `weight` times the differences to `differences`.
  void apply(std::span<const double> slots, std::span<double> values, std::span<double> differences,
             double weight) const {
    std::fill(values.begin(), values.end(), 0.0);
    for (std::size_t t = 0; t < rules_.size(); ++t) {
      const Rule& rule = rules_[t];
      const std::span<double> value = values.subspan(t * columns_, columns_);
      const std::span<double> difference = differences.subspan(t * columns_, columns_);
      double energy = 0.0, energy_lower = 0.0;
      for (std::size_t i = 0; i < rule.slots; ++i) {
        const std::span<const double> slot = slots.subspan((rule.first + i) * columns_, columns_);
        for (std::size_t c = 0; c < columns_; ++c) {
          value[c] += rule.value[i] * slot[c];
          difference[c] += weight * rule.difference[i] * slot[c];
        }
        if (!energy_) continue;
        energy += rule.energy_value[i] * slot[energy_->energy] -
                  rule.energy_slope[i] * sites_ * (slot[energy_->squared] - slot[energy_->product]);
        energy_lower += (rule.value[i] + rule.difference[i]) * slot[energy_->energy];
      }
      if (!energy_) continue;
      const std::size_t c = energy_->energy;
      // What the sum above added to the difference of the energy is that of the curve without known slopes.
      difference[c] += weight * (energy - energy_lower);
      value[c] = energy;
    }
  }

 private:
  std::size_t columns_;
  double sites_;
  std::optional<EnergyColumns> energy_;
  std::vector<Rule> rules_;
};

}  // namespace

Interpolated interpolate_slots(const SlotAverages& slots, double sites, std::span<const double> temperatures) {
  check(slots);
  const Interpolation interpolation(slots.temperatures, slots.columns, sites, temperatures);
  Interpolated result;
  result.values.assign(temperatures.size() * slots.columns.size(), 0.0);
  result.difference = result.values;
  interpolation.apply(slots.values, result.values, result.difference, 1.0);
  return result;
}

InterpolatedEnsemble interpolate_slots(const Ensemble& slots, double sites, std::span<const double> temperatures) {
  const std::size_t columns = slots.columns.size(), realizations = slots.realizations.size();
  const Interpolation interpolation(slots.temperatures, slots.columns, sites, temperatures);
  InterpolatedEnsemble result;
  result.ensemble = {slots.L, {temperatures.begin(), temperatures.end()}, slots.columns, slots.realizations, {}};
  result.ensemble.values.resize(realizations * temperatures.size() * columns);
  result.difference.assign(temperatures.size() * columns, 0.0);
  for (std::size_t r = 0; r < realizations; ++r) {
    interpolation.apply(
        std::span(slots.values).subspan(r * slots.temperatures.size() * columns, slots.temperatures.size() * columns),
        std::span(result.ensemble.values).subspan(r * temperatures.size() * columns, temperatures.size() * columns),
        result.difference, 1.0 / static_cast<double>(realizations));
  }
  return result;
}

}}  // namespace glassworks::analysis
