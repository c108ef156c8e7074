#pragma once

#include <memory>

#include "kernels/cpu/instruction_set.hpp"
#include "kernels/rounds/replicas.hpp"

namespace glassworks { inline namespace cpu {

/// The replicas of a realization on a graph, in bundles of lanes that share neighbours and couplings; all models, moves
/// and measurements of the graph family of kernel_families.cpp.
[[nodiscard]] std::unique_ptr<Replicas> make_graph_replicas(const Chain& chain, const RoundTask& task,
                                                            InstructionSet isa, Team& team);

}}  // namespace glassworks::cpu
