#pragma once

#include <memory>
#include <vector>

#include "kernels/cpu/instruction_set.hpp"
#include "kernels/cpu/lanes/cpu_bundle.hpp"
#include "kernels/rounds/replicas.hpp"

namespace glassworks { inline namespace cpu {

/// The replicas of a realization of ising, of on, or of phi4 at lambda = infinity, in bundles of lanes. For a
/// measurement their spins are laid out row by row, and summed as those of cluster updates are.
[[nodiscard]] std::unique_ptr<Replicas> make_lane_vector_replicas(const Chain& chain, const RoundTask& task,
                                                                  const SweepPlan& plan, InstructionSet isa,
                                                                  Team& team);

}}  // namespace glassworks::cpu
