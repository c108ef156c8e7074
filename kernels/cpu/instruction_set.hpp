#pragma once

#include <span>

namespace glassworks { inline namespace cpu {

enum class InstructionSet { automatic, portable, avx2, avx512 };

/// Instruction sets that this build holds and this processor can run, best last.
[[nodiscard]] std::span<const InstructionSet> available_instruction_sets();
/// Whether this processor has AVX-512 and the build has no fast code for it, because it was made where none could run.
[[nodiscard]] bool lacks_avx512();
[[nodiscard]] const char* to_string(InstructionSet isa);

}}  // namespace glassworks::cpu
