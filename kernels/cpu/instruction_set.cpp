#include "kernels/cpu/instruction_set.hpp"

#include <vector>

namespace glassworks { inline namespace cpu {

const char* to_string(InstructionSet isa) {
  switch (isa) {
    case InstructionSet::portable:
      return "portable";
    case InstructionSet::avx2:
      return "avx2";
    case InstructionSet::avx512:
      return "avx512";
    case InstructionSet::automatic:
      break;
  }
  return "auto";
}

std::span<const InstructionSet> available_instruction_sets() {
  static const std::vector<InstructionSet> sets = [] {
    std::vector<InstructionSet> s{InstructionSet::portable};
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) s.push_back(InstructionSet::avx2);
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("fma")) {
      s.push_back(InstructionSet::avx512);
    }
#endif
    return s;
  }();
  return sets;
}

}}  // namespace glassworks::cpu
