#pragma once

#include <chrono>
#include <utility>

namespace glassworks { inline namespace scheduler {

class Stopwatch {
 public:
  /// Seconds since the last lap or construction.
  double lap() {
    const auto now = Clock::now();
    return seconds(now - std::exchange(last_, now));
  }
  /// Seconds since the last lap or construction; the lap goes on.
  [[nodiscard]] double running() const { return seconds(Clock::now() - last_); }
  /// Seconds since construction.
  [[nodiscard]] double total() const { return seconds(Clock::now() - start_); }

 private:
  using Clock = std::chrono::steady_clock;
  static double seconds(Clock::duration duration) { return std::chrono::duration<double>(duration).count(); }

  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
};

}}  // namespace glassworks::scheduler
