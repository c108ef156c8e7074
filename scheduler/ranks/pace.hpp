#pragma once

#include <algorithm>
#include <chrono>

namespace glassworks { inline namespace scheduler {

/// How often a thread looks for messages: without a pause while they come, then after pauses that grow with the silence
/// up to a millisecond, which costs less than a hundredth of a core. No message waits longer than a fifth of the time
/// since the one before it, or a millisecond.
class Pace {
 public:
  using Clock = std::chrono::steady_clock;

  /// busy  whether the last look found something
  [[nodiscard]] std::chrono::microseconds pause(bool busy, Clock::time_point now = Clock::now()) {
    using std::chrono::microseconds;
    if (busy) last_ = now;
    const auto silence = std::chrono::duration_cast<microseconds>(now - last_);
    return silence < spin ? microseconds(0) : std::min(silence / 5, longest);
  }

 private:
  static constexpr std::chrono::microseconds spin{100}, longest{1000};
  Clock::time_point last_ = Clock::now();
};

}}  // namespace glassworks::scheduler
