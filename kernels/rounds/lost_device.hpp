#pragma once

#include <stdexcept>

namespace glassworks { inline namespace rounds {

/// A device that serves this process no more, and with it no other CUDA device does: a fault inside a kernel, a memory
/// error, a device that has gone. The message is one sentence for people.
class DeviceLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}}  // namespace glassworks::rounds
