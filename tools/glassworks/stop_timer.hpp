#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>

#include "base/threads.hpp"
#include "kernels/make_backend.hpp"

namespace glassworks { inline namespace tools {

/// Asks a running round to be abandoned at a moment, unless it is destroyed before.
class StopTimer {
 public:
  using Moment = std::chrono::steady_clock::time_point;

  /// Without a moment: never.
  StopTimer(RoundControl& control, std::optional<Moment> moment) {
    if (!moment) return;
    thread_ = Thread([this, &control, moment](const std::stop_token& ended) {
      std::unique_lock lock(mutex_);
      wake_.wait_until(lock, ended, *moment, [] { return false; });
      if (!ended.stop_requested()) control.stop = true;
    });
  }

 private:
  std::mutex mutex_;
  std::condition_variable_any wake_;
  Thread thread_;  // ends before the rest goes
};

}}  // namespace glassworks::tools
