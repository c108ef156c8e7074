#include "tools/glassworks/progress_printer.hpp"

#include <fmt/format.h>

#include <new>

#include "base/text.hpp"
#include "tools/glassworks/duration.hpp"
#include "tools/glassworks/output.hpp"
#include "tools/glassworks/terminal.hpp"

namespace glassworks { inline namespace tools {

ProgressPrinter::ProgressPrinter(const RoundControl& control, bool terminal, const char* word)
    : control_(control), terminal_(terminal), word_(word), before_(control.updates.load()), thread_([this] {
        loop();
      }) {}

ProgressPrinter::~ProgressPrinter() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  wake_.notify_all();
  thread_.join();
  try {
    print();
  } catch (const std::bad_alloc&) {
  }
  if (terminal_ && begun_) show("\n");
  flush_output();
}

void ProgressPrinter::update(const CampaignProgress& progress) {
  const std::lock_guard lock(mutex_);
  progress_ = progress;
  begun_ = true;
}

void ProgressPrinter::say(const std::string& text) {
  const std::lock_guard lock(output_);
  clear_line();
  glassworks::print("{}\n", text);
  flush_output();
}

void ProgressPrinter::warn(const std::string& text) {
  const std::lock_guard lock(output_);
  clear_line();
  glassworks::print(Channel::error, "{}\n", text);
}

void ProgressPrinter::clear_line() const {
  if (terminal_) glassworks::clear_line(Channel::output);
  flush_output();
}

void ProgressPrinter::loop() {
  const auto interval = std::chrono::seconds(terminal_ ? 1 : 10);
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, interval, [this] { return done_; })) {
    lock.unlock();
    try {
      print();
    } catch (const std::bad_alloc&) {  // skips a line; the allocation that needs the memory reports it
    }
    lock.lock();
  }
}

/// A terminal that is held (Ctrl-S) stops this thread and not the run, which needs mutex_ only.
void ProgressPrinter::print() {
  std::string line;
  {
    const std::lock_guard lock(mutex_);
    if (!begun_) return;  // ladders are adapted first, which tells of itself
    line = text();
  }
  const std::lock_guard lock(output_);
  if (terminal_) {
    rewrite_line(Channel::output, line);
  } else {
    glassworks::print("{}\n", line);
  }
  flush_output();
}

/// Called with mutex_ held.
std::string ProgressPrinter::text() const {
  const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  const double rate = static_cast<double>(control_.updates.load() - before_) / (seconds * 1.0e9);
  std::string line =
      fmt::format("{} rounds; {}/{} {}", progress_.rounds, progress_.converged, progress_.realizations, word_);
  if (progress_.failed > 0) line += fmt::format(", {} at the maximum of rounds", progress_.failed);
  if (progress_.quarantined > 0) line += fmt::format(", {} quarantined", progress_.quarantined);
  if (progress_.processes > 1) line += fmt::format("; {} processes at work", progress_.processes);
  if (progress_.devices > 1) line += fmt::format("; {} devices", progress_.devices);
  line += fmt::format("; {} updates/ns; {} elapsed", three_digits(rate), duration_text(seconds));
  if (progress_.remaining_seconds > 0.0)
    line += fmt::format("; {} {} left", estimate_word(progress_.remaining_is_least),
                        duration_text(progress_.remaining_seconds));
  return line;
}

}}  // namespace glassworks::tools
