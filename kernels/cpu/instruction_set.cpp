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

namespace {

#if defined(GLASSWORKS_SLOW_AVX512)
constexpr bool fast_avx512 = false;
#else
constexpr bool fast_avx512 = true;
#endif

bool has_avx512() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("fma");
#else
  return false;
#endif
}

}  // namespace

std::span<const InstructionSet> available_instruction_sets() {
  static const std::vector<InstructionSet> sets = [] {
    std::vector<InstructionSet> s{InstructionSet::portable};
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) s.push_back(InstructionSet::avx2);
#endif
    if (fast_avx512 && has_avx512()) s.push_back(InstructionSet::avx512);
    return s;
  }();
  return sets;
}

bool lacks_avx512() { return !fast_avx512 && has_avx512(); }

}}  // namespace glassworks::cpu
