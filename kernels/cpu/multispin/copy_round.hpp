#pragma once

#include <memory>
#include <vector>

#include "kernels/cpu/instruction_set.hpp"
#include "kernels/rounds/backend.hpp"

namespace glassworks { inline namespace cpu {

/// One round of a batch of a chain that KernelKind::copies of the processor runs.
[[nodiscard]] RoundOutcome run_copies(const Chain& chain, std::span<const RoundTask> batch, RoundControl& control,
                                      InstructionSet isa, int threads);

/// Realizations of such a chain, whose spins stay in words between rounds.
[[nodiscard]] std::unique_ptr<HeldBatch> hold_copies(const Chain& chain, std::vector<HeldTask> tasks,
                                                     InstructionSet isa, int threads);

}}  // namespace glassworks::cpu
