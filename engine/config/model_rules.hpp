#pragma once

#include <array>

#include "kernels/models/spin_model.hpp"

namespace glassworks { inline namespace engine {

/// Keys that a configuration of a model may have, and their defaults: one row per model.
struct ModelRules {
  const char* name;  ///< "Ising model"
  // Words of other programs and of the literature for it, as in ForeignWords, and what to write instead.
  const char *words = "", *instead = "";
  // Keys of this model alone.
  bool has_q = false, has_n = false, has_lambda = false;
  // What it may have.
  bool cluster_updates = true;  ///< protocol.kind other than local
  bool fields = false;          ///< site fields
  bool tiles = false;           ///< the double checkerboard
  bool couplings = true;        ///< other than all 1
  bool other_lattices = true;   ///< than hypercubes of one length
  int least_copies = 1;
  // What it starts with.
  bool ferromagnet = false;                                             ///< else Gaussian couplings
  int overrelaxation = 0;                                               ///< sweeps
  std::array<int, 7> largest_L = {0, 1 << 20, 16384, 512, 96, 32, 20};  ///< [dim]
};

[[nodiscard]] const ModelRules& rules_of(const SpinModel& model);

/// Largest q of all models that have it.
[[nodiscard]] int most_states();

}}  // namespace glassworks::engine
