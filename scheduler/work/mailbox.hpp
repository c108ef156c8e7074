#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>
#include <vector>

namespace glassworks { inline namespace scheduler {

/// Hands things from any thread to the one that uses the transport.
template <class T>
class Mailbox {
 public:
  void put(T item) {
    const std::lock_guard lock(mutex_);
    items_.push_back(std::move(item));
    filled_.notify_one();
  }
  /// Everything that was put in since the last time, in order.
  [[nodiscard]] std::vector<T> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(items_, {});
  }
  /// Until something is there, at most for so long.
  void wait_for(std::chrono::microseconds time) {
    std::unique_lock lock(mutex_);
    filled_.wait_for(lock, time, [this] { return !items_.empty(); });
  }

 private:
  std::mutex mutex_;
  std::condition_variable filled_;
  std::vector<T> items_;
};

}}  // namespace glassworks::scheduler
