#include "kernels/rounds/course_driver.hpp"

#include <algorithm>
#include <vector>

namespace glassworks { inline namespace rounds {
namespace {

/// Steps of a piece at most: a request to stop is not to wait longer.
constexpr std::uint64_t most_steps = 16384;

/// Steps and measurements until something changes, or somebody is told. Measurements at equal distances that nobody
/// sees are one piece.
RoundLength next_piece(const Course& course, std::uint64_t from, std::uint64_t to, bool told) {
  std::uint64_t end = std::min(to, next_change(course, from));
  const auto reference = std::ranges::upper_bound(course.references, from);
  if (reference != course.references.end()) end = std::min(end, *reference);
  const std::optional<std::uint64_t> measured = course.measured.next_after(from);
  const std::uint64_t steps = std::min(measured ? std::min(*measured, end) : end, from + most_steps) - from;
  if (!measured || *measured != from + steps) return {static_cast<int>(steps), 0};
  const auto is_measured = [&](std::uint64_t time) { return course.measured.next_after(time - steps) == time; };
  int count = 1;
  for (std::uint64_t time = *measured + steps; !told && time <= end && time - from <= most_steps && is_measured(time);
       time += steps) {
    ++count;
  }
  return {static_cast<int>(steps), count};
}

/// Leaves what was measured at one moment: exchanges since the last piece depend on where a course is cut.
void keep_moment(RoundRecord& record) {
  std::ranges::fill(record.exchange_attempts, 0);
  std::ranges::fill(record.exchange_accepted, 0);
  std::ranges::fill(record.round_trips, 0);
}

}  // namespace

std::uint64_t follow_course(HeldBatch& held, std::size_t tasks, const Course& course, std::uint64_t from,
                            std::uint64_t to, const CourseVisitor& visitor, RoundControl& control) {
  const auto tell_of_reference = [&](std::uint64_t time) {
    if (visitor.reference && std::ranges::binary_search(course.references, time)) visitor.reference(time, held);
  };
  if (from == 0) tell_of_reference(0);
  const bool told = static_cast<bool>(visitor.measured);
  for (std::uint64_t time = from; time < to;) {
    const RoundLength length = next_piece(course, time, to, told);
    held.set_conditions(conditions_at(course, time), length);
    std::vector<RoundRecord> records(tasks);
    if (held.run_round(records, control) == RoundOutcome::abandoned) return time;
    time += length.total();
    if (length.measurements > 0 && told) {
      std::ranges::for_each(records, keep_moment);
      visitor.measured(time, records);
    }
    tell_of_reference(time);
  }
  return to;
}

}}  // namespace glassworks::rounds
