#pragma once

#include <string>
#include <vector>

#include "analysis/report/figure.hpp"
#include "engine/config/config.hpp"

namespace glassworks { inline namespace analysis {

/// A temperature that is known for the infinite system, exactly or from the literature.
struct KnownTemperature {
  double T = 0.0, error = 0.0;  ///< error 0: exact, or beyond what a figure shows
  std::string label = {};       ///< of the guide: "T_{c} exact"
  std::string source = {};      ///< for the caption
};

/// Transition temperatures of the model, and the Nishimori line of Ising glasses whose couplings have a positive mean.
/// Empty for anything with a field, dilution or anisotropy, and for all that is not in the list.
[[nodiscard]] std::vector<KnownTemperature> known_temperatures(const Config& config);

/// Draws them as guides into the figures of ratios, susceptibilities, specific heat and energy against T whose
/// temperatures contain them, and the exact energy per site on the Nishimori line as a point.
void add_known_values(std::vector<Section>& sections, const Config& config);

}}  // namespace glassworks::analysis
