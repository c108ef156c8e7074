#include "tools/glassworks/round_timing.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/core/threads.hpp"
#include "scheduler/stopwatch.hpp"

namespace glassworks::inline tools {
namespace {

constexpr double wanted_seconds = 0.1, affordable_seconds = 2.0;
constexpr int repeats = 2;  // more after the first; the shortest counts, since others may use the machine

/// A batch ready to be simulated.
class TimedBatch {
 public:
  TimedBatch(const Config& config, const Chain& chain, Backend& backend, int batch)
      : chain_(chain), backend_(backend), disorder_(static_cast<std::size_t>(batch)), states_(disorder_.size()) {
    const auto first = static_cast<std::size_t>(config.first_realization);
    parallel_for(disorder_.size(), hardware_threads(), [&](std::size_t i) {
      disorder_[i] = make_disorder(config, chain.lattice, static_cast<std::uint32_t>(first + i));
      states_[i] = initial_state(chain, static_cast<std::uint32_t>(i));
    });
  }

  /// The shortest of `first` and of repeated rounds of so many measurements and exchanges between them [s].
  double shortest(double first, int measurements, int exchanges) {
    for (int i = 0; i < repeats; ++i) first = std::min(first, once(measurements, exchanges));
    return first;
  }

  /// Time of such a round [s].
  double once(int measurements, int exchanges) {
    Chain chain = chain_;
    chain.measurements = measurements;
    chain.protocol.exchanges_per_measurement = exchanges;
    std::vector<RoundRecord> records(states_.size());
    std::vector<RoundTask> tasks;
    for (std::size_t i = 0; i < states_.size(); ++i) {
      tasks.push_back({static_cast<std::uint32_t>(i), &disorder_[i], &states_[i], &records[i]});
    }
    RoundControl control;
    const Stopwatch watch;
    static_cast<void>(backend_.run_round(chain, tasks, control));
    return watch.total();
  }

 private:
  const Chain& chain_;
  Backend& backend_;
  std::vector<Disorder> disorder_;
  std::vector<ChainState> states_;
};

/// Seconds of a round. A round has a part that does not grow with its measurements: with multi-spin coding the spins of
/// all realizations become bits at its beginning and bytes at its end.
double seconds_of_round(TimedBatch& batch, const Chain& chain) {
  const int exchanges = chain.protocol.exchanges_per_measurement;
  static_cast<void>(batch.once(1, 1));  // the first round pays for memory and for loading of code
  const double shortest = batch.once(1, 1);
  if (exchanges * shortest < affordable_seconds) {
    const double one = batch.shortest(batch.once(1, exchanges), 1, exchanges);
    double time = one;
    int measurements = 1;
    while (measurements < chain.measurements && time < std::max(wanted_seconds, 2.0 * one)) {
      measurements = std::min(2 * measurements, chain.measurements);
      time = batch.once(measurements, exchanges);
    }
    if (measurements > 1) time = batch.shortest(time, measurements, exchanges);
    if (measurements == chain.measurements) return time;
    const double each = std::max((time - one) / (measurements - 1), 0.0);
    return time + (chain.measurements - measurements) * each;
  }
  // One measurement takes long: its exchanges are timed apart.
  const int some = std::clamp(static_cast<int>(wanted_seconds / shortest), 2, std::max(exchanges, 2));
  const double exchange = std::max((batch.once(1, some) - shortest) / (some - 1), 0.0);
  return chain.measurements * (shortest + (exchanges - 1) * exchange);
}

}  // namespace

RoundTiming time_round(const Config& config, const Chain& chain, Backend& backend, int batch) {
  TimedBatch timed(config, chain, backend, batch);
  return {seconds_of_round(timed, chain) / batch, batch};
}

}  // namespace glassworks::inline tools
