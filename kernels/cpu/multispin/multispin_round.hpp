#pragma once

#include "kernels/cpu/instruction_set.hpp"
#include "kernels/rounds/backend.hpp"

namespace glassworks { inline namespace cpu {

/// Realizations that are simulated together, if there are so many.
constexpr int multispin_lanes = 512;

/// One round of a batch by multi-spin coding, of a chain that KernelKind::bits of the processor runs. Realizations of a
/// batch that share random words are simulated together.
[[nodiscard]] RoundOutcome run_multispin(const Chain& chain, std::span<const RoundTask> batch, RoundControl& control,
                                         InstructionSet isa, int threads);

}}  // namespace glassworks::cpu
