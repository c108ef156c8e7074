#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/rounds/course.hpp"

namespace glassworks { inline namespace engine {

/// A number of sweeps: whole, also written as 1e6.
struct SweepCount {
  std::uint64_t count = 0;

  explicit operator double() const { return static_cast<double>(count); }
  auto operator<=>(const SweepCount&) const = default;
};

/// A stretch of a course as it is written: "1000 at 0.8", "500 from 2 to 0.5 geometric stair 10 field 0 to 1", "at T".
struct CourseSegment {
  SweepCount sweeps;                      ///< 0: until the course ends
  std::optional<double> first_T, last_T;  ///< none: the temperature of each slot
  RampShape shape = RampShape::linear;
  double first_field = 1.0, last_field = 1.0;  ///< factor of all fields
  SweepCount stair = {1};                      ///< sweeps over which a ramp stays as it is

  bool operator==(const CourseSegment&) const = default;
};

/// When a course is measured, after each of its beginnings: at equal ratios, at equal distances, or at listed times.
struct CourseTimes {
  enum class Rule { per_decade, per_octave, every, listed };
  Rule rule = Rule::per_decade;
  SweepCount number = {10};  ///< of times in a decade or octave, or their distance
  std::vector<SweepCount> listed = {};

  bool operator==(const CourseTimes&) const = default;
};

struct CourseConfig {
  SweepCount sweeps;                    ///< length; 0: the campaign has no course
  std::vector<CourseSegment> segments;  ///< load_config gives a course one at least
  CourseTimes times;
  std::vector<SweepCount> waiting_times;  ///< t_w, ascending
  int pairs = 0;                          ///< of copies; 0: as many as series_pairs says
  SweepCount longest_round;               ///< 0: automatic

  [[nodiscard]] bool exists() const { return sweeps.count > 0; }
};

/// Rows of the keys course.*; see KeyRows.
template <class Rows>
void course_keys(const Rows& rows) {
  const auto has_course = [](const auto& config) { return config.course.exists(); };

  rows.threshold("course.sweeps", {0, 0x1p40}, &CourseConfig::sweeps,
                 "length of a history in time: a campaign with a course does not go to equilibrium but measures every "
                 "realization at the times of its course, and ends with the last of them; 0: no course")
      .with_values("a number of sweeps, also as 1e6")
      .only_of(has_course);
  rows.value("course.segments",
             "list of SWEEPS at T | SWEEPS from T to T, with geometric, stair SWEEPS, field F [to F]",
             &CourseConfig::segments,
             "temperatures and field of one stretch after the other; T for a number: the temperature of each slot; "
             "field: a factor of all site fields, -1 to 1; stair: sweeps over which a ramp stays as it is; the last "
             "one has no SWEEPS and goes on to the end")
      .with_default("at T")
      .only_of(has_course);
  rows.value("course.times", "N per decade | N per octave | every N | list", &CourseConfig::times,
             "when it is measured; times of a decade or octave are counted from the start, from each waiting time, "
             "and within each segment from its beginning; also measured: waiting times and ends of segments")
      .only_of(has_course);
  rows.value("course.waiting_times", "list, ascending, from 0, or none", &CourseConfig::waiting_times,
             "times t_w whose spins are kept: C(t_w + t, t_w) and its links are measured from then on")
      .with_default("none")
      .only_of(has_course);
  rows.number("course.pairs", {0, 1e6}, &CourseConfig::pairs,
              "pairs of copies whose overlaps are measured, chosen evenly; 0: all of up to 16 copies, else two for "
              "each copy")
      .only_of(has_course);
  rows.value("course.longest_round", "sweeps; 0: automatic", &CourseConfig::longest_round,
             "a round, the unit that is committed, leads to the next time of the course, or covers so many sweeps at "
             "most; automatic: at most 6e10 spin updates of the largest size, 2e12 by multi-spin coding")
      .only_of(has_course);
}

}}  // namespace glassworks::engine
