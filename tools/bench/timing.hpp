#pragma once

#include <time.h>

#include <algorithm>
#include <functional>
#include <vector>

namespace glassworks::inline tools {

/// Median and spread of repeated measurements.
struct Spread {
  double median = 0.0, low = 0.0, high = 0.0;  ///< low and high: smallest and largest value
  int count = 0;

  /// (high - low) / median.
  [[nodiscard]] double relative() const { return median != 0.0 ? (high - low) / median : 0.0; }
};

[[nodiscard]] inline Spread spread_of(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size(), middle = n / 2;
  const double median = n % 2 == 1 ? values[middle] : 0.5 * (values[middle - 1] + values[middle]);
  return {median, values.front(), values.back(), static_cast<int>(n)};
}

/// Wall clock, or the processor time of the calling thread: on a shared machine the latter leaves out what others take.
enum class Clock { wall, thread };

[[nodiscard]] inline double seconds_of(const std::function<void()>& work, Clock clock = Clock::wall) {
  const auto now = [clock] {
    timespec t{};
    clock_gettime(clock == Clock::thread ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  };
  const double begin = now();
  work();
  return now() - begin;
}

/// One thing to be timed.
struct Timed {
  std::function<void()> work;
  double units = 1.0;  ///< what one call does: spin updates, instructions

  Spread nanoseconds_per_unit;  ///< result
};

/// Times all jobs in turn, `repeats` times over, each for at least `seconds`: what they are compared for meets the same
/// state of a shared machine. The first pass warms up and sets the number of calls.
inline void time_in_turn(const std::vector<Timed*>& jobs, int repeats, double seconds, Clock clock) {
  const auto time_calls = [clock](const Timed& job, int n) {
    const auto calls = [&] {
      for (int i = 0; i < n; ++i) job.work();
    };
    return seconds_of(calls, clock);
  };
  std::vector<int> calls;
  for (const Timed* job : jobs) {
    job->work();
    int n = 1;
    for (double elapsed = time_calls(*job, n); elapsed < seconds; elapsed = time_calls(*job, n)) {
      const double wanted = elapsed > 0.0 ? 1.1 * n * seconds / elapsed : 10.0 * n;
      n = std::max(n + 1, static_cast<int>(std::min(wanted, 10.0 * n)));
    }
    calls.push_back(n);
  }
  std::vector<std::vector<double>> samples(jobs.size());
  for (int r = 0; r < repeats; ++r) {
    for (std::size_t j = 0; j < jobs.size(); ++j) {
      samples[j].push_back(1e9 * time_calls(*jobs[j], calls[j]) / (calls[j] * jobs[j]->units));
    }
  }
  for (std::size_t j = 0; j < jobs.size(); ++j) jobs[j]->nanoseconds_per_unit = spread_of(samples[j]);
}

}  // namespace glassworks::inline tools
