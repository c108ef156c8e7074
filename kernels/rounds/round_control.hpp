#pragma once

#include <atomic>
#include <cstdint>

namespace glassworks { inline namespace rounds {

/// Shared with a running round: a request to abandon it, and its progress in spin updates.
struct RoundControl {
  std::atomic<bool> stop{false};
  std::atomic<std::uint64_t> updates{0};
};

enum class RoundOutcome { finished, abandoned };

}}  // namespace glassworks::rounds
