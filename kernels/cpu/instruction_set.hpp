#pragma once

#include <span>

namespace glassworks { inline namespace cpu {

enum class InstructionSet { automatic, portable, avx2, avx512 };

/// Instruction sets that this build holds and this processor can run, best last.
[[nodiscard]] std::span<const InstructionSet> available_instruction_sets();
[[nodiscard]] const char* to_string(InstructionSet isa);

}}  // namespace glassworks::cpu
