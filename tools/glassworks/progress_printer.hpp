#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "scheduler/batch_queue.hpp"

namespace glassworks {

/// Shows how a run advances: one line rewritten each second on a terminal, otherwise a plain line at most every ten
/// seconds. The rate counts the updates of the running round too.
class ProgressPrinter {
 public:
  ProgressPrinter(const RoundControl& control, bool terminal);
  ~ProgressPrinter();
  ProgressPrinter(const ProgressPrinter&) = delete;
  ProgressPrinter& operator=(const ProgressPrinter&) = delete;

  void update(const CampaignProgress& progress);
  /// A line of its own on stderr.
  void warn(const std::string& text);

 private:
  using Clock = std::chrono::steady_clock;
  void loop();
  void print();

  const RoundControl& control_;
  const bool terminal_;
  const Clock::time_point start_ = Clock::now();
  std::mutex mutex_;
  std::condition_variable wake_;
  CampaignProgress progress_;
  bool done_ = false;
  std::thread thread_;
};

/// "12 s", "3 min 20 s", "5 h 10 min", "2 d 4 h".
[[nodiscard]] std::string duration_text(double seconds);

}  // namespace glassworks
