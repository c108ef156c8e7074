#pragma once

#include <string>

#include "kernels/models/spin_model.hpp"

namespace glassworks { inline namespace models {

/// What the host has to know of a model; from its type (for_model.hpp).
struct ModelFacts {
  bool has_fields;     ///< there may be site fields
  bool reflects;       ///< clusters are reflected, else they get a new state (couplings must not be negative then)
  bool isoenergetic;   ///< copies may swap clusters
  float minus_factor;  ///< a satisfied bond of discrete spins is broken with the weight exp(minus_factor beta |J|)
  int states;          ///< that a site can be in, of discrete spins
  double bond_range;   ///< largest x of a bond less its mean over independent spins
};

[[nodiscard]] ModelFacts facts_of(const SpinModel& model);

/// Why a model cannot be simulated, as a sentence; empty if it can.
[[nodiscard]] std::string problem_of(const SpinModel& model);

}}  // namespace glassworks::models
