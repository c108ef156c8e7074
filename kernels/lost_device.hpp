#pragma once

#include <stdexcept>
#include <string>

namespace glassworks {

/// A device that serves this process no more, and with it no other CUDA device does: a fault inside a kernel, a memory
/// error, a device that has gone. The message is one sentence for people.
class DeviceLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Name of a device of cuda_devices() that means the same device in every process: "GPU-" and its UUID, as
/// CUDA_VISIBLE_DEVICES takes it. Numbers change when a device has gone.
///
/// device  index in cuda_devices(); throws std::out_of_range for others
[[nodiscard]] std::string cuda_device_uuid(int device);

}  // namespace glassworks
