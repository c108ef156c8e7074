#pragma once

#include <string>

namespace glassworks { inline namespace tools {

/// Lines of `glassworks doctor` on the CUDA devices and on the kernel of each lattice size; one line if there is none.
[[nodiscard]] std::string describe_cuda();

}}  // namespace glassworks::tools
