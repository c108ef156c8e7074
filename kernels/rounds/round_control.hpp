#pragma once

#include <atomic>
#include <cstdint>
#include <stdexcept>

#include "base/stop_flag.hpp"

namespace glassworks { inline namespace rounds {

/// Shared with a running round: a request to abandon it, and its progress in spin updates.
struct RoundControl {
  StopFlag stop;
  std::atomic<std::uint64_t> updates{0};
};

enum class RoundOutcome { finished, abandoned };

/// The process can no longer use its CUDA devices: a fault inside a kernel, a memory error, or a device that has
/// disappeared. The message is one sentence for users.
class DeviceLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}}  // namespace glassworks::rounds
