#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include "base/threads.hpp"

namespace glassworks { inline namespace base {

/// Worker threads for a queue of tasks, first in, first out. The first exception of a task is kept, and no further task
/// is started.
template <class Task>
class TaskQueue {
 public:
  /// threads  wanted; fewer where the system gives no more, and an exception with a sentence where it gives none
  /// make     make() returns the work(Task) of one thread, with what belongs to this thread alone
  template <class MakeWork>
  TaskQueue(std::size_t threads, const MakeWork& make) {
    start_threads(threads_, threads, [this, make](const std::stop_token& ending) { take_part(ending, make); });
  }
  TaskQueue(const TaskQueue&) = delete;
  TaskQueue& operator=(const TaskQueue&) = delete;
  /// Drops queued tasks and waits for running ones.
  ~TaskQueue() {
    stop();
    join();
  }

  /// Queues a task; does nothing after `stop`.
  void post(Task task) {
    const std::lock_guard lock(mutex_);
    if (stopped_) return;
    tasks_.push_back(std::move(task));
    posted_.notify_one();
  }

  /// Drops queued tasks; running ones are finished.
  void stop() {
    std::deque<Task> dropped;
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    tasks_.swap(dropped);
    posted_.notify_all();
  }

  /// Waits until all posted tasks are done and joins the threads. Rethrows the first exception of a task.
  void finish() {
    join();
    if (failure_) std::rethrow_exception(std::exchange(failure_, {}));
  }

 private:
  template <class MakeWork>
  void take_part(const std::stop_token& ending, const MakeWork& make) {
    try {
      auto work = make();
      while (std::optional<Task> task = next(ending)) work(std::move(*task));
    } catch (...) {
      {
        const std::lock_guard lock(mutex_);
        if (!failure_) failure_ = std::current_exception();
      }
      stop();
    }
  }

  /// Nothing at the end.
  std::optional<Task> next(const std::stop_token& ending) {
    std::unique_lock lock(mutex_);
    posted_.wait(lock, ending, [this] { return stopped_ || !tasks_.empty(); });
    if (tasks_.empty()) return std::nullopt;
    std::optional<Task> task(std::move(tasks_.front()));
    tasks_.pop_front();
    return task;
  }

  void join() {
    for (Thread& thread : threads_) thread.request_stop();
    threads_.clear();
  }

  std::mutex mutex_;
  std::condition_variable_any posted_;
  std::deque<Task> tasks_;
  bool stopped_ = false;
  std::exception_ptr failure_;
  std::vector<Thread> threads_;  // end before the rest goes
};

}}  // namespace glassworks::base
