#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <new>
#include <stdexcept>
#include <stop_token>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace glassworks { inline namespace base {

/// Threads that the machine runs at once; at least 1.
[[nodiscard]] inline int hardware_threads() {
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

/// A std::jthread that reports failure to start as a readable error. Its body must not throw.
class Thread {
 public:
  Thread() = default;
  /// body  body(), or body(const std::stop_token&)
  template <class Body, class = std::enable_if_t<!std::is_same_v<std::decay_t<Body>, Thread>>>
  explicit Thread(Body&& body) : thread_(started(std::forward<Body>(body))) {}

  bool request_stop() { return thread_.request_stop(); }
  [[nodiscard]] bool joinable() const { return thread_.joinable(); }
  void join() { thread_.join(); }

 private:
  template <class Body>
  static std::jthread started(Body&& body) {
    try {
      return std::jthread(std::forward<Body>(body));
    } catch (const std::system_error&) {
      throw std::runtime_error(
          "no more threads can be started (a limit of threads or of memory is reached). Raise it, `ulimit -u` or that "
          "of the job or container, or end other programs; nothing that was committed is lost.");
    }
  }

  std::jthread thread_;
};

/// Starts up to `count` threads, fewer where the system gives no more. Throws if it gives none at all.
template <class Body>
void start_threads(std::vector<Thread>& threads, std::size_t count, const Body& body) {
  threads.reserve(threads.size() + count);
  for (std::size_t i = 0; i < count; ++i) {
    try {
      threads.emplace_back(body);
    } catch (const std::exception&) {  // those that have started share the work
      if (threads.empty()) throw;
      return;
    }
  }
}

/// A team of threads that run one function: the calling thread and as many helpers as the system grants.
class ThreadTeam {
 public:
  explicit ThreadTeam(int threads) {
    try {
      start_threads(helpers_, static_cast<std::size_t>(std::max(threads, 1) - 1), Helper{this});
    } catch (const std::exception&) {  // the caller is there
    }
  }
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;
  ~ThreadTeam() {
    if (!helpers_.empty() && gate_.load() == closed) open(dismissed);
  }

  [[nodiscard]] int size() const { return static_cast<int>(helpers_.size()) + 1; }

  /// Calls work(rank) once on each thread; rank 0 is the calling thread. Returns when all threads have finished and
  /// rethrows the first exception. May be called only once.
  ///
  /// failed  called by the first thread that throws, so that the others stop waiting for it
  template <class Work, class Failed>
  void run(const Work& work, const Failed& failed) {
    if (helpers_.empty()) return work(0);
    const auto guarded = [&](int rank) {
      try {
        work(rank);
      } catch (...) {
        if (fail(std::current_exception())) failed();
      }
    };
    call_ = [](const void* body, int rank) { (*static_cast<const decltype(guarded)*>(body))(rank); };
    body_ = &guarded;
    open(working);
    guarded(0);
    helpers_.clear();  // joins
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  enum Gate : int { closed, working, dismissed };
  struct Helper {
    ThreadTeam* team;
    void operator()() const {
      const int rank = ++team->started_;
      team->gate_.wait(closed);
      if (team->gate_.load() == working) team->call_(team->body_, rank);
    }
  };

  void open(Gate gate) {
    gate_ = gate;
    gate_.notify_all();
  }
  /// Records the exception; returns whether it is the first one.
  bool fail(std::exception_ptr failure) {
    const std::lock_guard lock(mutex_);
    if (failure_) return false;
    failure_ = std::move(failure);
    return true;
  }

  std::atomic<int> gate_{closed}, started_{0};
  void (*call_)(const void* body, int rank) = nullptr;
  const void* body_ = nullptr;
  std::mutex mutex_;
  std::exception_ptr failure_;
  std::vector<Thread> helpers_;  // end before the rest goes
};

/// Calls body(i) for i in [0, count) on up to `threads` threads. Rethrows the first exception after all have ended.
template <class Body>
void parallel_for(std::size_t count, int threads, const Body& body) {
  std::atomic<std::size_t> next{0};
  ThreadTeam team(static_cast<int>(std::min(count, static_cast<std::size_t>(std::max(threads, 1)))));
  const auto work = [&](int) {
    for (std::size_t i = next++; i < count; i = next++) body(i);
  };
  team.run(work, [&] { next = count; });
}

class TeamBarrier;

/// Thrown by a barrier that another, failed thread will never reach. ThreadTeam::run rethrows the exception of that
/// thread.
struct BarrierBroken {};

/// The barriers of a team of threads. A thread that fails breaks all of them, so that the other threads stop waiting.
class BarrierGroup {
 public:
  void break_all();
  [[nodiscard]] bool broken() const { return broken_.load(std::memory_order_relaxed); }

 private:
  friend TeamBarrier;
  std::mutex mutex_;
  std::atomic<bool> broken_{false};
  TeamBarrier* last_ = nullptr;  ///< the others follow by TeamBarrier::before_
};

/// A barrier that can be broken. It costs no more than std::barrier: the lowest bit of the phase number, which every
/// arrival reads anyway, marks it as broken. Must live as long as its group is used.
class TeamBarrier {
 public:
  TeamBarrier(int members, BarrierGroup& group) : members_(members) {
    const std::lock_guard lock(group.mutex_);
    before_ = std::exchange(group.last_, this);
    if (group.broken_) break_open();
  }
  TeamBarrier(const TeamBarrier&) = delete;
  TeamBarrier& operator=(const TeamBarrier&) = delete;

  void arrive_and_wait() {
    const unsigned phase = phase_.load(std::memory_order_relaxed);  // no other one before this thread has arrived
    check(phase);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == members_) {
      arrived_.store(0, std::memory_order_relaxed);
      const unsigned before = phase_.fetch_add(2, std::memory_order_acq_rel);
      phase_.notify_all();
      return check(before);
    }
    unsigned now = phase;
    while (now == phase) {
      phase_.wait(phase, std::memory_order_acquire);
      now = phase_.load(std::memory_order_acquire);
    }
    check(now);
  }

 private:
  friend BarrierGroup;
  static void check(unsigned phase) {
    if ((phase & 1U) != 0) [[unlikely]] {
      throw BarrierBroken{};
    }
  }
  void break_open() {
    phase_.fetch_or(1U, std::memory_order_acq_rel);
    phase_.notify_all();
  }

  static constexpr std::size_t line_bytes = 64;         ///< a cache line: waiting and arriving threads do not share one
  alignas(line_bytes) std::atomic<unsigned> phase_{0};  ///< in steps of 2; odd: broken
  alignas(line_bytes) std::atomic<int> arrived_{0};
  const int members_;
  TeamBarrier* before_ = nullptr;
};

inline void BarrierGroup::break_all() {
  const std::lock_guard lock(mutex_);
  broken_ = true;
  for (TeamBarrier* barrier = last_; barrier != nullptr; barrier = barrier->before_) barrier->break_open();
}

}}  // namespace glassworks::base
