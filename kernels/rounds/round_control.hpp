#pragma once

#include <atomic>
#include <cstdint>

#include "base/stop_flag.hpp"

namespace glassworks { inline namespace rounds {

/// Shared with a running round: a request to abandon it, and its progress in spin updates.
struct RoundControl {
  StopFlag stop;
  std::atomic<std::uint64_t> updates{0};
};

enum class RoundOutcome { finished, abandoned };

}}  // namespace glassworks::rounds
