#include "tools/glassworks/progress_printer.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace glassworks {

std::string duration_text(double seconds) {
  const auto s = static_cast<long long>(seconds + 0.5);
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{} min {:02} s", s / 60, s % 60);
  if (s < 86400) return fmt::format("{} h {:02} min", s / 3600, s / 60 % 60);
  return fmt::format("{} d {} h", s / 86400, s / 3600 % 24);
}

ProgressPrinter::ProgressPrinter(const RoundControl& control, bool terminal)
    : control_(control), terminal_(terminal), thread_([this] { loop(); }) {}

ProgressPrinter::~ProgressPrinter() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  wake_.notify_all();
  thread_.join();
  print();
  if (terminal_) std::fputc('\n', stdout);
  std::fflush(stdout);
}

void ProgressPrinter::update(const CampaignProgress& progress) {
  const std::lock_guard lock(mutex_);
  progress_ = progress;
}

void ProgressPrinter::warn(const std::string& text) {
  const std::lock_guard lock(mutex_);
  if (terminal_) fmt::print("\r{:<100}\r", "");
  std::fflush(stdout);
  fmt::print(stderr, "Warning: {}\n", text);
}

void ProgressPrinter::loop() {
  const auto interval = std::chrono::seconds(terminal_ ? 1 : 10);
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, interval, [this] { return done_; })) print();
}

/// Called with the mutex held, or after the thread has ended.
void ProgressPrinter::print() {
  const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  const double rate = static_cast<double>(control_.updates.load()) / (seconds * 1.0e9);
  std::string line =
      fmt::format("{} rounds; {}/{} converged", progress_.rounds, progress_.converged, progress_.realizations);
  if (progress_.failed > 0) line += fmt::format(", {} at the maximum of rounds", progress_.failed);
  if (progress_.devices > 1) line += fmt::format("; {} devices", progress_.devices);
  line += fmt::format("; {:.2f} updates/ns; {} elapsed", rate, duration_text(seconds));
  if (progress_.remaining_seconds > 0.0)
    line += fmt::format("; about {} left", duration_text(progress_.remaining_seconds));
  if (terminal_) {
    fmt::print("\r{:<100}", line);
  } else {
    fmt::print("{}\n", line);
  }
  std::fflush(stdout);
}

}  // namespace glassworks
