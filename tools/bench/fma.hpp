#pragma once

#include <functional>

#include "kernels/make_backend.hpp"

namespace glassworks { inline namespace tools {

/// A register-only loop of independent fused multiply-adds of one instruction set: its time per instruction is the
/// reciprocal of the peak that one core reaches.
struct FmaLoop {
  static constexpr long long instructions = 1'920'000;  ///< of one call
  int lanes = 1;                                        ///< floats per instruction
  std::function<void()> run;
};

/// The loop of an available instruction set; none for portable code, whose fma is a call of the C library.
[[nodiscard]] FmaLoop fma_loop(InstructionSet isa);

}}  // namespace glassworks::tools
