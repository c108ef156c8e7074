#include "kernels/backend.hpp"

#include <algorithm>
#include <stdexcept>
#include <thread>
#include <vector>

#include "kernels/cpu/cpu_backend.hpp"
#include "kernels/cuda/cuda_backend.hpp"
#include "kernels/lost_device.hpp"
#include "kernels/reference/reference_backend.hpp"

namespace glassworks {

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

#if defined(GLASSWORKS_HAVE_CUDA)
std::string cuda_unavailable_reason() {
  return cuda_devices().empty() ? "no usable CUDA device was found: " + no_cuda_device_reason() : "";
}
#else
std::string cuda_unavailable_reason() { return "this build has no CUDA backend"; }
const std::vector<CudaDevice>& cuda_devices() {
  static const std::vector<CudaDevice> none;
  return none;
}
std::string cuda_device_uuid(int) { throw std::out_of_range("cuda_device_uuid: this build has no CUDA backend"); }
#endif

std::unique_ptr<Backend> make_backend(const BackendOptions& options) {
#if defined(GLASSWORKS_HAVE_CUDA)
  const bool wanted = options.kind == BackendKind::cuda || options.kind == BackendKind::automatic;
  if (wanted && cuda_unavailable_reason().empty()) return make_cuda_backend(options.device);
#endif
  if (options.kind == BackendKind::cuda) {
    throw std::runtime_error("backend.kind = cuda cannot be used (" + cuda_unavailable_reason() +
                             "). Use backend.kind = auto or cpu.");
  }
  if (options.kind == BackendKind::reference) return make_reference_backend();
  const auto sets = available_instruction_sets();
  InstructionSet isa = options.isa;
  if (isa == InstructionSet::automatic) isa = sets.back();
  if (std::find(sets.begin(), sets.end(), isa) == sets.end()) {
    throw std::runtime_error(std::string("backend.isa = ") + to_string(isa) +
                             " cannot be used (this processor or build does not have it). Use backend.isa = auto.");
  }
  const int hardware = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  return make_cpu_backend(isa, options.threads > 0 ? options.threads : hardware);
}

}  // namespace glassworks
