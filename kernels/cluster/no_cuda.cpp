#include <stdexcept>

#include "kernels/backend.hpp"
#include "kernels/cluster/labelling.hpp"

/// Compiled only into builds without the CUDA backend.
namespace glassworks {

std::vector<LabellingMethod> cuda_labelling_methods(const Graph&) { return {}; }

std::unique_ptr<Labeller> make_cuda_labeller(const Graph&, LabellingMethod method, int) {
  throw std::runtime_error(std::string("Labelling by the method ") + to_string(method) + " cannot be used (" +
                           cuda_unavailable_reason() + "). Use a method of the CPU.");
}

}  // namespace glassworks
