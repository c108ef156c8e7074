#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <vector>

#include "kernels/core/threads.hpp"

namespace glassworks::inline scheduler {

/// A few threads for what would hold up the thread that posts it. Tasks must not throw. Destruction does what is left.
class TaskPool {
 public:
  explicit TaskPool(int threads) {
    const auto body = [this](const std::stop_token& stop) { work(stop); };
    start_threads(threads_, static_cast<std::size_t>(threads), body);
  }
  TaskPool(const TaskPool&) = delete;
  TaskPool& operator=(const TaskPool&) = delete;

  void post(std::function<void()> task) {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
    posted_.notify_one();
  }

 private:
  void work(const std::stop_token& stop) {
    for (;;) {
      std::function<void()> task;
      {
        std::unique_lock lock(mutex_);
        posted_.wait(lock, stop, [this] { return !tasks_.empty(); });
        if (tasks_.empty()) return;
        task = std::move(tasks_.front());
        tasks_.pop_front();
      }
      task();
    }
  }

  std::mutex mutex_;
  std::condition_variable_any posted_;
  std::deque<std::function<void()>> tasks_;
  std::vector<Thread> threads_;  // end before the rest goes
};

}  // namespace glassworks::inline scheduler
