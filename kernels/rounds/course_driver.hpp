#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "kernels/rounds/course.hpp"

namespace glassworks { inline namespace rounds {

/// Who is told of a course on its way.
struct CourseVisitor {
  /// At each measurement time, with the record of that moment [task], in which no exchanges are counted. Empty: the
  /// measurements are made all the same, because they belong to the chain (those of heisenberg may bring vectors back
  /// to length 1).
  std::function<void(std::uint64_t time, std::span<RoundRecord> records)> measured;
  /// At each reference time, after its measurement: the batch has the states of this time.
  std::function<void(std::uint64_t time, const HeldBatch& batch)> reference;
};

/// Goes along a course from one time to another, piece by piece: between pieces temperatures and field change, and the
/// spins stay where the backend works. The only place that does so, for every backend. A course that is cut at any
/// times gives the same bits as in one go.
///
/// held      a batch of `tasks` realizations at time `from`, of a chain without samples; afterwards its conditions are
///           those of the last piece
/// to        at most course.end()
/// returns   the time that the batch has reached: `to`, or an earlier one if `control` asked to stop
/// Reference times are those after `from`, up to and including `to`; 0 too, if the course begins.
[[nodiscard]] std::uint64_t follow_course(HeldBatch& held, std::size_t tasks, const Course& course, std::uint64_t from,
                                          std::uint64_t to, const CourseVisitor& visitor, RoundControl& control);

}}  // namespace glassworks::rounds
