#pragma once

#include <string>
#include <vector>

#include "kernels/make_backend.hpp"
#include "tools/bench/timing.hpp"

namespace glassworks { inline namespace tools {

struct BenchOptions {
  std::vector<int> sizes{8, 12, 16, 24, 32};
  std::vector<int> model_sizes{8, 32};  ///< of the table of all models and updates
  bool models_alone = false;            ///< no other table
  std::vector<InstructionSet> sets;
  int threads = 1;  ///< largest number of threads
  int repeats = 7;
  double seconds = 0.1;  ///< at least, of one timed piece
};

constexpr double bench_temperature = 0.2;

/// One thread, one lattice size, one instruction set; times in ns per spin update.
struct UpdateResult {
  int L = 0;
  InstructionSet isa = InstructionSet::portable;
  int wavefront_depth = 1;
  Spread over_relaxation, heat_bath, mix;  ///< mix: 1 heat bath + 10 over-relaxation with the energies
  Spread scalar_over_relaxation, scalar_heat_bath, scalar_mix;
  double mix_over_parts = 1.0, scalar_mix_over_parts = 1.0;  ///< see mix_over_parts
  Spread fma;  ///< ns per instruction of the register-only loop; count 0 where the set has none
  double over_relaxation_floor = 0.0, heat_bath_floor = 0.0, mix_floor = 0.0;

  [[nodiscard]] double over_relaxation_ratio() const { return scalar_over_relaxation.median / over_relaxation.median; }
  [[nodiscard]] double mix_ratio() const { return scalar_mix.median / mix.median; }
};

/// d = 3, Gaussian couplings, T = 0.2, one bundle of 16 replicas, after warm-up; all instruction sets of one size.
[[nodiscard]] std::vector<UpdateResult> bench_updates(const BenchOptions& options, int L);

}}  // namespace glassworks::tools
