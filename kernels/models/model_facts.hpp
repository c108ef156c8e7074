#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/models/model_type.hpp"

namespace glassworks { inline namespace models {

/// What the host has to know of a model; from its type (for_model.hpp).
struct ModelFacts {
  bool has_fields;  ///< there may be site fields
  ClusterMove cluster_move;
  bool isoenergetic;      ///< copies may swap clusters
  bool two_valued_bonds;  ///< x of a bond has two values
  float minus_factor;     ///< a satisfied bond of discrete spins is broken with the weight exp(minus_factor beta |J|)
  int states;             ///< that a site can be in, of discrete spins
  int stored_states;      ///< the same with the state of absent sites, where there may be any
  double bond_range;      ///< largest x of a bond less its mean over independent spins
  double site_range;      ///< mean energy of a site by itself over independent spins, less the lowest [J]
  double site_bound;      ///< largest modulus of that energy [J]
};

[[nodiscard]] ModelFacts facts_of(const SpinModel& model);

/// A discrete spin as people write it: -1 or 1 of ising, sigma of potts; 0 at absent sites.
[[nodiscard]] int spin_value(const SpinModel& model, std::uint8_t state);

/// A state of a discrete spin: the spin as people write it, and its energy beside bonds and field [J].
struct SpinState {
  double value, energy;
};
/// Those that a spin can be in [state].
[[nodiscard]] std::vector<SpinState> spin_states(const SpinModel& model);

/// Why a model cannot be simulated, as a sentence; empty if it can.
[[nodiscard]] std::string problem_of(const SpinModel& model);

}}  // namespace glassworks::models
