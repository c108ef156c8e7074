#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "kernels/rounds/course.hpp"
#include "kernels/series/course_batch.hpp"

/// Runs of chains with a course.
namespace glassworks::test {

/// A quench to the temperatures of the slots, measured at these times.
[[nodiscard]] inline Course quench(const Chain& chain, std::vector<std::uint64_t> times,
                                   std::vector<std::uint64_t> references = {}) {
  Course course;
  Segment& segment = course.segments.emplace_back();
  segment.steps = endless;
  for (const float beta : chain.beta) segment.temperature.push_back(Ramp::constant(1.0 / static_cast<double>(beta)));
  course.measured.listed = std::move(times);
  course.references = std::move(references);
  return course;
}

/// From 1.5 T down to the temperatures in six steps, and on: at 1, 3, 8 and 20 sweeps, after t_w = 0, 4 and 8.
///
/// in_field  the field goes from its full strength to minus a half of it meanwhile
[[nodiscard]] inline Course slow_quench(const Chain& chain, bool in_field) {
  Course course = quench(chain, {1, 3, 8, 20}, {0, 4, 8});
  Segment ramp = course.segments.front();
  ramp.steps = 6;
  for (Ramp& T : ramp.temperature) T.first = 1.5 * T.last;
  if (in_field) ramp.field = {1.0, -0.5, RampShape::linear};
  course.segments.insert(course.segments.begin(), ramp);
  return course;
}

/// Round after round of some realizations: all records, and the states at the end.
struct CourseRun {
  std::vector<CourseRound> rounds;
  std::vector<std::vector<RoundRecord>> records;  ///< [round][task]
  std::vector<ChainState> states;                 ///< [task]
};

/// cut  makes the batch anew from its states before every round
[[nodiscard]] inline CourseRun run_course(Backend& backend, const Chain& chain, const std::vector<Disorder>& disorder,
                                          const std::vector<std::uint32_t>& numbers, bool cut = false) {
  CourseRun run;
  run.rounds = rounds_of(*chain.course);
  for (const std::uint32_t number : numbers) run.states.push_back(initial_state(chain, number));
  std::unique_ptr<HeldBatch> held;
  for (std::size_t round = 0; round < run.rounds.size(); ++round) {
    if (cut || held == nullptr) {
      std::vector<HeldTask> tasks;
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (held != nullptr) run.states[i] = held->state(i);
        tasks.push_back({numbers[i], &disorder[i % disorder.size()], run.states[i]});
      }
      held = hold_batch(backend, chain, std::move(tasks));
    }
    RoundControl control;
    std::vector<RoundRecord> records(numbers.size());
    EXPECT_EQ(held->run_round(records, control), RoundOutcome::finished);
    run.records.push_back(std::move(records));
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) run.states[i] = held->state(i);
  return run;
}

/// Place of a column of a series.
[[nodiscard]] inline std::size_t column_of(const Chain& chain, const std::string& name) {
  const SeriesLayout layout = series_layout(chain);
  const auto found = std::ranges::find(layout.names(), name);
  if (found == layout.names().end()) throw std::runtime_error("no column " + name);
  return static_cast<std::size_t>(found - layout.names().begin());
}

}  // namespace glassworks::test
