#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "kernels/make_backend.hpp"
#include "scheduler/work/worker.hpp"

namespace glassworks::testing {

/// Something that threads wait for. Waiting in vain fails the test instead of hanging it.
class Event {
 public:
  void happen() {
    const std::lock_guard lock(mutex_);
    happened_ = true;
    changed_.notify_all();
  }
  /// Only while nobody waits.
  void reset() {
    const std::lock_guard lock(mutex_);
    happened_ = false;
  }
  void wait_for_it() {
    std::unique_lock lock(mutex_);
    EXPECT_TRUE(changed_.wait_for(lock, std::chrono::seconds(20), [this] { return happened_; })) << "waited in vain";
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool happened_ = false;
};

/// Opens when `count` threads stand before it; lets all others through afterwards.
class Gate {
 public:
  explicit Gate(int count) : missing_(count) {}
  void pass() {
    {
      const std::lock_guard lock(mutex_);
      if (--missing_ == 0) open_.happen();
    }
    open_.wait_for_it();
  }

 private:
  std::mutex mutex_;
  int missing_;
  Event open_;
};

/// A round of a fake device that is about to begin: which one of its worker, from 0, and of what.
struct RoundStart {
  int number;
  std::span<const RoundTask> tasks;
};

using RoundHook = std::function<void(const RoundStart&)>;

/// A real backend with a hook before each round, which may wait or throw.
class FakeDevice : public HostBackend {
 public:
  FakeDevice(std::string name, RoundHook hook, int preferred, BackendKind kind)
      : name_(std::move(name)), hook_(std::move(hook)), preferred_(preferred) {
    BackendOptions options;
    options.kind = kind;
    options.threads = 1;
    inner_ = make_backend(options);
  }

  RoundOutcome run_round(const Chain& chain, std::span<const RoundTask> batch, RoundControl& control) override {
    if (hook_) hook_({rounds_++, batch});
    return inner_->run_round(chain, batch, control);
  }
  [[nodiscard]] std::string refusal(const Chain&) const override { return {}; }
  [[nodiscard]] std::string description() const override { return name_; }
  [[nodiscard]] int preferred_batch(const Chain&) const override { return preferred_; }

 private:
  std::string name_;
  RoundHook hook_;
  int preferred_;
  int rounds_ = 0;
  std::unique_ptr<Backend> inner_;
};

inline WorkerBackend fake_worker(int device, RoundHook hook = {}, int preferred = 0,
                                 BackendKind kind = BackendKind::cpu) {
  return {std::make_unique<FakeDevice>("fake " + std::to_string(device), std::move(hook), preferred, kind), device};
}

/// The workers as a list: an initializer list cannot be moved from.
template <class... Workers>
std::vector<WorkerBackend> list_of(Workers... workers) {
  std::vector<WorkerBackend> list;
  (list.push_back(std::move(workers)), ...);
  return list;
}

}  // namespace glassworks::testing
