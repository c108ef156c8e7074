#pragma once

#include <time.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "tools/bench/vector_state.hpp"

namespace glassworks { inline namespace tools {

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

/// Wall clock, or the processor time of the calling thread or of all threads of the process: on a shared machine the
/// latter two leave out what others take.
enum class Clock { wall, thread, process };

/// Seconds from some moment on.
[[nodiscard]] inline double seconds_now(Clock clock) {
  timespec t{};
  clock_gettime(clock == Clock::wall     ? CLOCK_MONOTONIC
                : clock == Clock::thread ? CLOCK_THREAD_CPUTIME_ID
                                         : CLOCK_PROCESS_CPUTIME_ID,
                &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

[[nodiscard]] inline double seconds_of(const std::function<void()>& work, Clock clock = Clock::wall) {
  const double begin = seconds_now(clock);
  work();
  return seconds_now(clock) - begin;
}

/// One thing to be timed.
struct Timed {
  std::function<void()> work;
  double units = 1.0;  ///< what one call does: spin updates, instructions

  Spread nanoseconds_per_unit;       ///< result
  std::vector<double> repeats = {};  ///< result: ns per unit of each repeat
};

/// Times all jobs in turn, `repeats` times over, each for at least `seconds`, so that all of them meet the same load of
/// a shared machine. The first pass warms up and sets the number of calls. Vector registers are cleared before each
/// job, because values that one job leaves there may slow the next.
inline void time_in_turn(const std::vector<Timed*>& jobs, int repeats, double seconds, Clock clock) {
  const auto time_calls = [clock](const Timed& job, int n) {
    const auto calls = [&] {
      for (int i = 0; i < n; ++i) job.work();
    };
    clear_vector_registers();
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
  for (Timed* job : jobs) job->repeats.clear();
  for (int r = 0; r < repeats; ++r) {
    for (std::size_t j = 0; j < jobs.size(); ++j) {
      Timed& job = *jobs[j];
      job.repeats.push_back(1e9 * time_calls(job, calls[j]) / (calls[j] * job.units));
    }
  }
  for (Timed* job : jobs) job->nanoseconds_per_unit = spread_of(job->repeats);
}

/// A part of a mix that is also timed alone, and its units in one unit of the mix.
struct MixPart {
  const Timed* alone;
  double share;
};

/// Time of a mix over that of its parts, sum_p share_p t_p: the median over repeats, whose times belong together. 1
/// where no part slows another one.
[[nodiscard]] inline double mix_over_parts(const Timed& mix, const std::vector<MixPart>& parts) {
  std::vector<double> ratios;
  for (std::size_t r = 0; r < mix.repeats.size(); ++r) {
    double sum = 0.0;
    for (const MixPart& part : parts) sum += part.share * part.alone->repeats.at(r);
    ratios.push_back(mix.repeats[r] / sum);
  }
  return spread_of(std::move(ratios)).median;
}

/// Whether a mix takes so much more or less than its parts that neither figure can be quoted. A shared machine scatters
/// by 10 to 20 %.
[[nodiscard]] inline bool disagrees(double mix_over_parts) {
  constexpr double most = 1.25;
  return !(mix_over_parts <= most && mix_over_parts >= 1.0 / most);
}

}}  // namespace glassworks::tools
