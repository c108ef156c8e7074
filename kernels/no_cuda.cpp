#include <stdexcept>

#include "kernels/clusters/labelling.hpp"
#include "kernels/cuda/cuda_devices.hpp"

/// Compiled only into builds without the CUDA backend: what other code may call of it.
namespace glassworks { inline namespace cuda {

std::string cuda_unavailable_reason() { return "this build has no CUDA backend"; }

const std::vector<CudaDevice>& cuda_devices() {
  static const std::vector<CudaDevice> none;
  return none;
}

}}  // namespace glassworks::cuda

namespace glassworks { inline namespace clusters {

std::vector<LabellingMethod> cuda_labelling_methods(const Graph&) { return {}; }

std::unique_ptr<Labeller> make_cuda_labeller(const Graph&, LabellingMethod method, int) {
  throw std::runtime_error(std::string("Labelling by the method ") + to_string(method) + " cannot be used (" +
                           cuda_unavailable_reason() + "). Use a method of the CPU.");
}

}}  // namespace glassworks::clusters
