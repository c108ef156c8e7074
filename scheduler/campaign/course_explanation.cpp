#include "scheduler/campaign/course_explanation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.hpp"
#include "scheduler/campaign/status_words.hpp"

namespace glassworks { inline namespace scheduler {
namespace {

constexpr std::size_t most_times_listed = 12;

std::string ramp_text(const Ramp& ramp) {
  if (ramp.is_constant()) return fmt::format("{:g}", ramp.first);
  return fmt::format("{:g} to {:g}{}", ramp.first, ramp.last, ramp.shape == RampShape::geometric ? ", geometric" : "");
}

std::string segment_table(const Course& course, std::uint64_t end, std::uint64_t reached) {
  std::string text;
  std::uint64_t from = 0;
  for (const Segment& segment : course.segments) {
    const std::uint64_t to = segment.steps >= end - from ? end : from + segment.steps;
    std::vector<std::string> T;
    for (const Ramp& ramp : segment.temperature) {
      std::string one = ramp_text(ramp);
      if (std::ranges::find(T, one) == T.end()) T.push_back(std::move(one));
    }
    const bool has_field = !segment.field.is_constant() || segment.field.first != 1.0;
    text += fmt::format("  segment      t = {} to {}, T = {}{}{}\n", from, to, fmt::join(T, "; "),
                        has_field ? ", field times " + ramp_text(segment.field) : "",
                        reached >= to    ? ": done"
                        : reached > from ? ": running"
                                         : "");
    from = to;
    if (from >= end) break;
  }
  return text;
}

/// "1, 2, 3, ..., 900, 1000"
std::string listed_times(const std::vector<std::uint64_t>& times) {
  if (times.size() <= most_times_listed) return fmt::format("{}", fmt::join(times, ", "));
  const auto half = static_cast<std::ptrdiff_t>(most_times_listed / 2);
  return fmt::format("{}, ..., {}", fmt::join(times.begin(), times.begin() + half, ", "),
                     fmt::join(times.end() - half, times.end(), ", "));
}

/// Seconds per sweep of the last rounds that together cover a tenth of what was done.
double seconds_per_sweep(const std::vector<CourseRound>& course, const std::vector<RoundRow>& rounds) {
  double seconds = 0.0;
  std::uint64_t sweeps = 0;
  const std::uint64_t reached = course[rounds.size() - 1].to;
  for (std::size_t i = rounds.size(); i-- > 0 && sweeps * 10 < reached;) {
    seconds += rounds[i].seconds;
    sweeps += course[i].to - course[i].from;
  }
  return sweeps > 0 ? seconds / static_cast<double>(sweeps) : 0.0;
}

}  // namespace

std::string explain_course(const Config& config, const RealizationRow& row, const std::vector<RoundRow>& rounds,
                           const SizeRow& size) {
  const Course course = make_course(config, size.temperatures);
  const std::vector<CourseRound> all = rounds_of(course);
  const std::size_t done = std::min(rounds.size(), all.size());
  const std::uint64_t end = all.empty() ? 0 : all.back().to, reached = done > 0 ? all[done - 1].to : 0;
  std::string text = fmt::format("L = {}, realization {}: {} at t = {} of {}\n", row.key.L, row.key.realization,
                                 status_word(config, row.status), reached, end);
  if (!row.reason.empty()) text += fmt::format("  reason       {}\n", visible_line(row.reason));
  text += segment_table(course, end, reached);
  const auto measured =
      std::ranges::count_if(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(done), &CourseRound::measured);
  text += fmt::format("  measured     at {} of {} times: {}\n", measured, course.measured.listed.size(),
                      listed_times(course.measured.listed));
  if (!course.references.empty()) {
    const auto kept =
        std::ranges::count_if(course.references, [&](std::uint64_t t) { return t <= reached && done > 0; });
    text += fmt::format("  kept states  {} of {}: t_w = {}\n", kept, course.references.size(),
                        listed_times(course.references));
  }
  text += fmt::format("  rounds       {} of {}", done, all.size());
  text += done < all.size() && !is_finished(row.status)
              ? fmt::format("; the next one leads from t = {} to {}\n", all[done].from, all[done].to)
              : "\n";
  text += fmt::format("  attempts     attempt number {}; {} failed attempts at the next round, {} allowed\n",
                      row.attempt, row.failures, config.workers.max_attempts);
  if (done == 0) return text;
  const double seconds = seconds_per_sweep(all, {rounds.begin(), rounds.begin() + static_cast<std::ptrdiff_t>(done)});
  if (seconds > 0.0)
    text += fmt::format("  rate         {} sweeps/s in the last rounds\n", three_digits(1.0 / seconds));
  if (is_finished(row.status)) return text;
  text += fmt::format("  left         {} sweeps", end - reached);
  if (seconds > 0.0) {
    text += fmt::format(", about {} at this rate", duration_text(seconds * static_cast<double>(end - reached)));
  }
  return text + '\n';
}

}}  // namespace glassworks::scheduler
