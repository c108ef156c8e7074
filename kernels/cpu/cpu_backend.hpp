#pragma once

#include <memory>

#include "kernels/cpu/instruction_set.hpp"
#include "kernels/rounds/backend.hpp"

namespace glassworks { inline namespace cpu {

/// The fast CPU backend: vectors over replicas (lanes), along rows, or multi-spin coding, on `threads` threads. `isa`
/// must be available. `plain` simulates chains that the vector kernels do not support.
[[nodiscard]] std::unique_ptr<Backend> make_cpu_backend(InstructionSet isa, int threads,
                                                        std::unique_ptr<Backend> plain);

/// Kernels of an instruction set that this build and processor have.
struct KernelTable;
[[nodiscard]] const KernelTable& kernels_of(InstructionSet isa);

/// Size of the second-level cache of one core [bytes].
[[nodiscard]] std::int64_t second_level_cache_bytes();

}}  // namespace glassworks::cpu
