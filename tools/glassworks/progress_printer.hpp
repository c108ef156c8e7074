#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "base/threads.hpp"
#include "kernels/make_backend.hpp"
#include "scheduler/campaign/run_observer.hpp"

namespace glassworks { inline namespace tools {

/// What ProgressPrinter shows: a bar for each size and a line, rewritten each second on a terminal, or a plain line at
/// most every ten seconds.
enum class ProgressKind { bars, lines };

/// Shows how a run advances. The rate counts the updates of the running round too.
class ProgressPrinter {
 public:
  /// word  for realizations that are done: "converged" or "complete"
  ProgressPrinter(const RoundControl& control, ProgressKind kind, const char* word = "converged");
  ~ProgressPrinter();
  ProgressPrinter(const ProgressPrinter&) = delete;
  ProgressPrinter& operator=(const ProgressPrinter&) = delete;

  void update(const CampaignProgress& progress);
  /// A line of its own on the standard output.
  void say(const std::string& text);
  /// A line of its own on stderr.
  void warn(const std::string& text);

 private:
  using Clock = std::chrono::steady_clock;
  void loop();
  void print();
  [[nodiscard]] std::string text() const;
  void redraw(const std::vector<SizeProgress>& sizes, const std::string& line);
  void erase();

  const RoundControl& control_;
  const bool terminal_;
  std::size_t shown_ = 0;  ///< lines on the terminal, the cursor in the last one
  const char* const word_;
  const Clock::time_point start_ = Clock::now();
  const std::uint64_t before_;  ///< updates of an earlier run of the process
  std::mutex mutex_;            ///< of what is told
  std::mutex output_;           ///< of the terminal, which may be held for long
  std::condition_variable wake_;
  CampaignProgress progress_;
  bool begun_ = false, done_ = false;
  Thread thread_;
};

}}  // namespace glassworks::tools
