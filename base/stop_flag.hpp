#pragma once

#include <atomic>

namespace glassworks { inline namespace base {

/// A request to stop, which work in progress looks at now and then: of any thread, or of the handler of a signal.
class StopFlag {
 public:
  StopFlag& operator=(bool stop) noexcept {
    flag_.store(stop, std::memory_order_relaxed);
    return *this;
  }
  operator bool() const noexcept { return flag_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> flag_{false};
  static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");
};

}}  // namespace glassworks::base
