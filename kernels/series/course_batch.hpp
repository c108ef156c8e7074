#pragma once

#include <memory>
#include <vector>

#include "kernels/rounds/backend.hpp"
#include "kernels/series/series_layout.hpp"

namespace glassworks { inline namespace series {

/// The columns of a chain that has a course.
[[nodiscard]] SeriesLayout series_layout(const Chain& chain);

/// Realizations that a backend is to hold round after round: the only door to it, for chains with and without a course.
///
/// A round of a course leads to the next of its times (rounds_of) and is measured there, if it ends with a measurement,
/// by measure_series; its record has one measurement or none. Reference states are kept, and are part of the states
/// that come out. All tasks are at the same time of the course.
///
/// threads  of the host, for measurements
[[nodiscard]] std::unique_ptr<HeldBatch> hold_batch(Backend& backend, const Chain& chain, std::vector<HeldTask> tasks,
                                                    int threads = 1);

}}  // namespace glassworks::series
