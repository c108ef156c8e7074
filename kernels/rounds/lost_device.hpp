#pragma once

#include <stdexcept>

namespace glassworks { inline namespace rounds {

/// The process can no longer use its CUDA devices: a fault inside a kernel, a memory error, or a device that has
/// disappeared. The message is one sentence for users.
class DeviceLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}}  // namespace glassworks::rounds
