#pragma once

#include <string>
#include <vector>

#include "engine/config/config.hpp"
#include "tools/bench/updates.hpp"

namespace glassworks { inline namespace tools {

/// A physical system: couplings, fields and the temperature at which it is measured.
struct BenchSystem {
  std::string name;
  SpinModel spins;
  CouplingKind couplings;
  double T;
  double field = 0.0;  ///< standard deviation of a Gaussian field
};

/// Its disorder, with the seed of a configuration that names none.
[[nodiscard]] Disorder disorder_of(const BenchSystem& system, const Lattice& lattice, std::uint32_t realization);

/// One model and update on one core, by one instruction set, beside a plain loop; ns per spin update. An update of
/// clusters counts as one of every spin, whatever it moves.
struct ModelResult {
  int L = 0;
  std::string model;   ///< "heisenberg", "ising +-J", "on n=2", ...
  std::string update;  ///< "heat bath", "swendsen-wang", ...
  InstructionSet isa = InstructionSet::portable;
  Spread ours;                    ///< whole rounds with one measurement
  Spread plain;                   ///< the same update by PlainLoop, in turn with the others
  double plain_over_parts = 1.0;  ///< where PlainLoop mixes updates: see mix_over_parts

  [[nodiscard]] double ratio() const { return plain.median / ours.median; }
};

/// d = 3; glasses have 16 replicas, ferromagnets at their critical point one, multi-spin coding 512 realizations.
[[nodiscard]] std::vector<ModelResult> bench_models(const BenchOptions& options, int L);

}}  // namespace glassworks::tools
