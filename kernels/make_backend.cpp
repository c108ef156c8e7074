#include "kernels/make_backend.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "base/threads.hpp"
#include "kernels/cpu/cpu_backend.hpp"
#include "kernels/cuda/cuda_backend.hpp"
#include "kernels/reference/reference_backend.hpp"

namespace glassworks {

std::unique_ptr<Backend> make_backend(const BackendOptions& options) {
#if defined(GLASSWORKS_HAVE_CUDA)
  const bool wanted = options.kind == BackendKind::cuda || options.kind == BackendKind::automatic;
  if (wanted && cuda_unavailable_reason().empty()) return make_cuda_backend(options.device, options.cuda);
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
  const int threads = options.threads > 0 ? options.threads : hardware_threads();
  return make_cpu_backend(isa, threads, make_reference_backend(threads));
}

}  // namespace glassworks
