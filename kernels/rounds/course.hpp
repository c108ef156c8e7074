#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "kernels/rounds/chain.hpp"
#include "kernels/rounds/held_batch.hpp"

namespace glassworks { inline namespace rounds {

/// A course: a history in time, with temperatures and a field that may change on the way. Time t is the moment after t
/// steps since the start; step t leads from time t to time t + 1.

enum class RampShape { linear, geometric };

/// A number that goes from `first` to `last`.
struct Ramp {
  double first = 1.0, last = 1.0;
  RampShape shape = RampShape::linear;

  [[nodiscard]] static Ramp constant(double value) { return {value, value, RampShape::linear}; }
  [[nodiscard]] bool is_constant() const { return first == last; }
  /// first + x (last - first), or first (last/first)^x, with both ends exact.
  ///
  /// x        0 to 1
  /// returns  the same bits on every machine: square roots and products alone, no function of a mathematical library
  [[nodiscard]] double at(double x) const;
};

/// A stretch of a course. Its ramps are staircases: n = ceil(steps / stair) stairs, of which stair k = 0 .. n - 1 has
/// the values at x = k/(n - 1), the last one perhaps fewer steps.
struct Segment {
  std::uint64_t steps = 0;        ///< or `endless`, of the last segment
  std::vector<Ramp> temperature;  ///< T of each slot [slot]
  Ramp field = {};                ///< factor of all site fields, -1 to 1
  std::uint64_t stair = 1;        ///< steps over which temperature and field stay as they are

  [[nodiscard]] bool is_constant() const;
};
constexpr std::uint64_t endless = std::numeric_limits<std::uint64_t>::max();

/// When a course is measured: at every, 2 every, 3 every, ... and at the listed times.
struct MeasurementTimes {
  std::uint64_t every = 0;            ///< 0: at the listed times alone
  std::vector<std::uint64_t> listed;  ///< ascending, from 1

  /// The first of them after time t.
  [[nodiscard]] std::optional<std::uint64_t> next_after(std::uint64_t t) const;
};

/// Times base^(k/n) for k = 0, 1, ..., rounded to whole steps, each of them once, up to and including `last`.
///
/// base     2: n for an octave; 10: n for a decade
/// returns  strictly ascending, from 1; the same on every machine
[[nodiscard]] std::vector<std::uint64_t> logarithmic_times(std::uint64_t last, int base, int n);

struct Course {
  std::vector<Segment> segments;  ///< one after the other from time 0
  MeasurementTimes measured;
  std::vector<std::uint64_t> references;  ///< times whose states are kept, ascending, from 0
  int pairs = 0;                          ///< of copies that are compared; 0: see series_pairs
  std::uint64_t longest_round = endless;  ///< steps of a round at most

  /// Time at which the last segment ends.
  [[nodiscard]] std::uint64_t end() const;
};

/// A round of a course: it leads from one time to another, and ends with a measurement or without one.
struct CourseRound {
  std::uint64_t from = 0, to = 0;
  bool measured = false;

  bool operator==(const CourseRound&) const = default;
};

/// The rounds of a course, in order. One ends at each measurement and reference time, and longer ways between them are
/// shared out evenly among the fewest rounds that are short enough. The last one ends with the last measurement, so
/// that a course that is lengthened begins with the same rounds. The course has an end, and listed measurement times
/// alone.
[[nodiscard]] std::vector<CourseRound> rounds_of(const Course& course);

/// Spin updates of the rounds first .. last - 1 of one realization of a chain with or without a course.
[[nodiscard]] double updates_of_rounds(const Chain& chain, std::uint32_t first, std::uint32_t last);
/// Those of a round on average.
[[nodiscard]] double mean_updates_of_round(const Chain& chain);

/// Temperatures and field of a step, which is before the end.
[[nodiscard]] Conditions conditions_at(const Course& course, std::uint64_t step);

/// The first time after `step` at which they may be others; the end, if they stay.
[[nodiscard]] std::uint64_t next_change(const Course& course, std::uint64_t step);

/// Why a chain cannot take a course, in one sentence; empty if it can.
[[nodiscard]] std::string course_problem(const Course& course, const Chain& chain);

}}  // namespace glassworks::rounds
