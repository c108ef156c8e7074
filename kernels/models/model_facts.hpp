#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/models/model_type.hpp"

namespace glassworks { inline namespace models {

/// What the host has to know of a model; from its type (for_model.hpp).
struct ModelFacts {
  bool has_fields;      ///< there may be site fields
  bool may_lack_sites;  ///< sites may be absent
  ClusterMove cluster_move;
  bool isoenergetic;      ///< copies may swap clusters
  bool two_valued_bonds;  ///< x of a bond has two values
  float minus_factor;     ///< a satisfied bond of discrete spins is broken with the weight exp(minus_factor beta |J|)
  int states;             ///< that a site can be in, of discrete spins
  int most_states;        ///< largest q of a model that has it, else 0
  int absent;             ///< number of the state of absent sites; -1: there are none
  double site_range;      ///< mean energy of a site by itself over independent spins, less the lowest [J]
  double site_bound;      ///< largest modulus of that energy [J]
};

[[nodiscard]] ModelFacts facts_of(const SpinModel& model);

/// Largest x of a bond less its mean over independent spins; 1 of vectors.
[[nodiscard]] double bond_range(const SpinModel& model);

/// A discrete spin as people write it: -1 or 1 of ising, sigma of potts; absent sites are 0, or -1 where 0 is a state.
[[nodiscard]] int spin_value(const SpinModel& model, std::uint8_t state);

/// A state of a discrete spin: its vector [component], or its spin_value alone; what each component of a field H is
/// multiplied by in H.s, empty in models without fields; and its energy beside bonds and field [J].
struct SpinState {
  std::vector<double> spin, in_field;
  double energy;
};
/// Those that a spin can be in [state].
[[nodiscard]] std::vector<SpinState> spin_states(const SpinModel& model);

/// Why a model cannot be simulated, as a sentence; empty if it can.
[[nodiscard]] std::string problem_of(const SpinModel& model);

}}  // namespace glassworks::models
