#pragma once

#include <span>
#include <vector>

#include "analysis/reweighting/joint_samples.hpp"
#include "analysis/statistics/ensemble.hpp"

namespace glassworks { inline namespace analysis {

/// Averages between the slots from the averages at the slots alone, for campaigns without samples. Not a measurement:
/// the error of the interpolation is not statistical and `difference` estimates it.
struct Interpolated {
  std::vector<double> values;      ///< [target][column]
  std::vector<double> difference;  ///< to the next lower order [target][column]
};

/// Piecewise Hermite interpolation in beta with continuous slopes: those of the parabola through a slot and its two
/// neighbours, at the ends of the cubic through the last four slots. `difference` compares with the parabolas. Where
/// the columns energy, energy_squared and energy_product exist, the slope of the energy is the exact one,
///
///     d<e>/dbeta = -N (<e^2> - <e>_a <e>_b),
///
/// and `difference` compares with the curve without it. Everything is linear in the averages, unlike a monotone
/// interpolation: noise brings no bias, and disorder averages may be taken before or after. Three slots: one parabola,
/// compared with straight lines; two: a straight line, compared with the nearer slot; one: no other temperature.
///
/// sites  N
/// Throws std::runtime_error for temperatures outside the ladder.
[[nodiscard]] Interpolated interpolate_slots(const SlotAverages& slots, double sites,
                                             std::span<const double> temperatures);

struct InterpolatedEnsemble {
  Ensemble ensemble;
  std::vector<double> difference;  ///< of the disorder averages to the next lower order [temperature][column]
};

/// The same for every realization of an ensemble at the slots.
[[nodiscard]] InterpolatedEnsemble interpolate_slots(const Ensemble& slots, double sites,
                                                     std::span<const double> temperatures);

}}  // namespace glassworks::analysis
