#pragma once

#include <string>
#include <vector>

#include "kernels/make_backend.hpp"
#include "tools/bench/timing.hpp"

namespace glassworks { inline namespace tools {

struct CourseBenchOptions {
  std::vector<int> sizes{64, 128};
  BackendOptions backend;  ///< processors: one thread
  int repeats = 7;
  double seconds = 0.5;  ///< at least, of one timed piece
};

/// Sweeps of a history in time in d = 3, without exchanges and over-relaxation, and one measurement of it.
struct CourseResult {
  int L = 0;
  std::string model, update;  ///< "ising +-J", "multi-spin Metropolis"
  double T = 0.0;             ///< of the only, or of the lowest temperature
  int realizations = 0, copies = 0, slots = 0;
  std::string kernel;          ///< for people; empty: the backend has no choice
  Spread sweeps;               ///< rounds without a measurement, ns per spin update
  double measurement = 0.0;    ///< one slot of one realization [s]; all columns, no reference time
  bool on_device = false;      ///< whether it is measured where the states lie
  double sweeps_of_one = 0.0;  ///< sweeps of that slot that take as long as the measurement
};

/// All rows of one size: words of 128 copies at T = 0.7 and 1.1, heat baths of unit vectors with Gaussian couplings,
/// four copies at five temperatures from 0.12 to 0.17.
[[nodiscard]] std::vector<CourseResult> bench_courses(const CourseBenchOptions& options, Backend& backend, int L);

/// Bytes of the host that a size takes.
[[nodiscard]] double bytes_of_courses(const CourseBenchOptions& options, int L);

[[nodiscard]] std::string course_header(const CourseBenchOptions& options, const Backend& backend);
[[nodiscard]] std::string course_table(const CourseBenchOptions& options, const std::vector<CourseResult>& results);
[[nodiscard]] std::string course_json(const CourseBenchOptions& options, const Backend& backend,
                                      const std::vector<CourseResult>& results);

}}  // namespace glassworks::tools
