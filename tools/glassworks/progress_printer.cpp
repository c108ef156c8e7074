#include "tools/glassworks/progress_printer.hpp"

#include <fmt/format.h>

#include <new>

#include "base/text.hpp"
#include "tools/glassworks/duration.hpp"
#include "tools/glassworks/output.hpp"
#include "tools/glassworks/size_bars.hpp"
#include "tools/glassworks/terminal.hpp"

namespace glassworks { inline namespace tools {

ProgressPrinter::ProgressPrinter(const RoundControl& control, ProgressKind kind, const char* word)
    : control_(control),
      terminal_(kind == ProgressKind::bars),
      word_(word),
      before_(control.updates.load()),
      thread_([this] { loop(); }) {}

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
  erase();
  glassworks::print("{}\n", text);
  flush_output();
}

void ProgressPrinter::warn(const std::string& text) {
  const std::lock_guard lock(output_);
  erase();
  glassworks::print(Channel::error, "{}\n", text);
}

/// The next line begins where the bars began.
void ProgressPrinter::erase() {
  if (terminal_) {
    if (shown_ > 1) control_terminal(Channel::output, fmt::format("\x1b[{}A", shown_ - 1));
    control_terminal(Channel::output, "\r\x1b[J");
    shown_ = 0;
  }
  flush_output();
}

void ProgressPrinter::redraw(const std::vector<SizeProgress>& sizes, const std::string& line) {
  const TerminalSize size = terminal_size();
  const std::vector<BarLine> bars = size_bars(sizes, size.columns, size.rows, word_);
  const bool colours = output_has_colours();
  if (shown_ > 1) control_terminal(Channel::output, fmt::format("\x1b[{}A", shown_ - 1));
  control_terminal(Channel::output, "\r");
  for (const BarLine& bar : bars) {
    show(bar.begin);
    if (colours) control_terminal(Channel::output, "\x1b[32m");
    show(bar.full);
    if (colours) control_terminal(Channel::output, "\x1b[0m");
    show(bar.rest);
    control_terminal(Channel::output, clear_to_end_of_line);
    show("\n");
  }
  rewrite_line(Channel::output, line);
  control_terminal(Channel::output, "\x1b[J");
  shown_ = bars.size() + 1;
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
  std::vector<SizeProgress> sizes;
  {
    const std::lock_guard lock(mutex_);
    if (!begun_) return;  // ladders are adapted first, which tells of itself
    line = text();
    sizes = progress_.sizes;
  }
  const std::lock_guard lock(output_);
  if (terminal_) {
    redraw(sizes, line);
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
