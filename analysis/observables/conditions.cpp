#include "analysis/observables/conditions.hpp"

#include <algorithm>

namespace glassworks { inline namespace analysis {

bool is_one_system(const Config& config) {
  return config.is_pure() ||
         ((config.model.couplings == CouplingKind::file || config.model.couplings == CouplingKind::weights) &&
          !config.has_drawn_field() && !config.has_drawn_sites());
}

bool measures_field_response(const Config& config) {
  return config.model.field != FieldKind::none &&
         (config.measures(BinQuantity::overlap_k) || (config.round.observables & field_response) != 0);
}

bool has_antiperiodic_ends(const Config& config) {
  return std::ranges::find(config.model.boundary, AxisEnds::antiperiodic) != config.model.boundary.end();
}

bool has_no_negative_couplings(const Config& config) {
  const bool positive = config.model.couplings == CouplingKind::ferromagnet ||
                        (config.model.couplings == CouplingKind::bimodal && config.model.bimodal_p == 1.0);
  return positive && !has_antiperiodic_ends(config);
}

bool may_magnetize(const Config& config) {
  switch (config.model.couplings) {
    case CouplingKind::gaussian:
      return config.model.couplings_mean > 0.0;
    case CouplingKind::bimodal:
      return config.model.bimodal_p > 0.5;
    case CouplingKind::ferromagnet:
    case CouplingKind::file:
    case CouplingKind::files:
    case CouplingKind::weights:
      break;
  }
  return true;
}

}}  // namespace glassworks::analysis
