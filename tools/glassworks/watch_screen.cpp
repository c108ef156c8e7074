#include "tools/glassworks/watch_screen.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "tools/glassworks/duration.hpp"
#include "tools/glassworks/status_report.hpp"

namespace glassworks { inline namespace tools {
namespace {

constexpr int bar_width = 24;

/// Realizations that could not go on.
std::string given_up(const SizeState& size) {
  using S = RealizationStatus;
  std::string text;
  if (size.count(S::failed) > 0) text += fmt::format(", {} failed", size.count(S::failed));
  if (size.count(S::quarantined) > 0) text += fmt::format(", {} quarantined", size.count(S::quarantined));
  return text;
}

/// The bar shows sweeps.
std::string course_line(const SizeState& size, const CourseState& course) {
  return fmt::format(
      "L = {:<4} {} {}/{} complete{}; t = {:.0f} (median), {:.0f} (least) of {}", size.L,
      bar(static_cast<std::uint64_t>(course.swept), static_cast<std::uint64_t>(course.sweeps), bar_width),
      size.count(RealizationStatus::converged), size.realizations, given_up(size), course.reached.median,
      course.reached.least, course.end);
}

std::string size_line(const SizeState& size, int stages_wanted) {
  if (size.course) return course_line(size, *size.course);
  using S = RealizationStatus;
  std::string text =
      fmt::format("L = {:<4} {} {}/{} converged", size.L, bar(size.finished(), size.realizations, bar_width),
                  size.count(S::converged), size.realizations);
  text += given_up(size);
  if (size.adapting) return text + fmt::format("; ladder: {} of {} stages", size.ladder_stages, stages_wanted);
  if (size.remaining_rounds > 0.0) {
    text += fmt::format("; {} {:.0f} rounds left", estimate_word(size.remaining_is_least), size.remaining_rounds);
  }
  return text + (size.acceptance ? "; " + acceptance_text(size) : "");
}

std::string rate_line(const CampaignState& state, double rate) {
  if (state.finished()) return state.has_course() ? "Complete." : "Finished.";
  if (state.alive() == 0) return "No process works on it.";
  if (rate <= 0.0) return "Rate not known yet.";
  return fmt::format("{} updates/ns; {} {} left", three_digits(rate), estimate_word(state.remaining_is_least()),
                     duration_text(state.remaining_seconds(rate)));
}

std::string hard_line(const RealizationRow& row) {
  return fmt::format("Hardest: L = {}, realization {}: {} of about {} rounds, tau {:.3g} measurements, {} round trips",
                     row.key.L, row.key.realization, row.rounds, std::max(row.judgement.expected_rounds, row.rounds),
                     row.judgement.tau, row.round_trips);
}

}  // namespace

void RateMeter::look(double seconds, const std::vector<WorkerState>& workers) {
  double updates = looks_.empty() ? 0.0 : looks_.back().updates;
  std::map<std::int64_t, double> now;
  for (const WorkerState& worker : workers) {
    now[worker.row.id] = worker.row.updates;
    if (looks_.empty()) continue;
    const auto before = known_.find(worker.row.id);
    updates += worker.row.updates - (before == known_.end() ? 0.0 : before->second);
  }
  known_ = std::move(now);
  looks_.push_back({seconds, updates});
  while (looks_.size() > 2 && seconds - looks_[1].seconds >= window_seconds) looks_.pop_front();
}

double RateMeter::updates_per_ns() const {
  if (looks_.size() < 2) return 0.0;
  const double seconds = looks_.back().seconds - looks_.front().seconds;
  return seconds > 0.0 ? (looks_.back().updates - looks_.front().updates) / (1e9 * seconds) : 0.0;
}

std::string bar(std::uint64_t done, std::uint64_t total, int width) {
  const auto places = static_cast<std::uint64_t>(width);
  const std::uint64_t full = total == 0 ? 0 : std::min(done * places / total, places);
  return "[" + std::string(full, '#') + std::string(places - full, '.') + "]";
}

std::vector<std::string> watch_lines(const std::string& directory, const CampaignState& state,
                                     const std::vector<RealizationRow>& hardest, double rate) {
  std::vector<std::string> lines{fmt::format("{}: {} of {} realizations {}", directory,
                                             state.count(RealizationStatus::converged), state.realizations(),
                                             state.has_course() ? "complete" : "converged")};
  if (state.copy) lines.push_back(state.copy->text());
  for (const SizeState& size : state.sizes) lines.push_back(size_line(size, state.ladder_stages_wanted));
  lines.push_back(rate_line(state, rate));
  for (const RealizationRow& row : hardest) {
    if (!state.has_course()) lines.push_back(hard_line(row));  // on a course all are equally long
  }
  for (const WorkerState& worker : state.workers) lines.push_back(worker_line(worker));
  return lines;
}

}}  // namespace glassworks::tools
