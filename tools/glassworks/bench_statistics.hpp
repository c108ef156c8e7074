#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace glassworks {

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

[[nodiscard]] inline double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// One thing to be timed.
struct Timed {
  std::function<void()> work;
  double units = 1.0;  ///< what one call does: spin updates, instructions

  Spread nanoseconds_per_unit;  ///< result
};

/// Times all jobs in turn, `repeats` times over, each for at least `seconds`: what they are compared for meets the same
/// state of a shared machine. The first pass warms up and sets the number of calls.
inline void time_in_turn(const std::vector<Timed*>& jobs, int repeats, double seconds) {
  std::vector<int> calls;
  for (Timed* job : jobs) {
    job->work();
    int n = 1;
    for (double elapsed = 0.0; elapsed < seconds;) {
      elapsed = seconds_of([&] {
        for (int i = 0; i < n; ++i) job->work();
      });
      if (elapsed >= seconds) break;
      const double wanted = elapsed > 0.0 ? 1.1 * n * seconds / elapsed : 10.0 * n;
      n = std::max(n + 1, static_cast<int>(std::min(wanted, 10.0 * n)));
    }
    calls.push_back(n);
  }
  std::vector<std::vector<double>> samples(jobs.size());
  for (int r = 0; r < repeats; ++r) {
    for (std::size_t j = 0; j < jobs.size(); ++j) {
      const double elapsed = seconds_of([&] {
        for (int i = 0; i < calls[j]; ++i) jobs[j]->work();
      });
      samples[j].push_back(1e9 * elapsed / (calls[j] * jobs[j]->units));
    }
  }
  for (std::size_t j = 0; j < jobs.size(); ++j) jobs[j]->nanoseconds_per_unit = spread_of(samples[j]);
}

}  // namespace glassworks
