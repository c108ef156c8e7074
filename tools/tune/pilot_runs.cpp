#include "tools/tune/pilot_runs.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <utility>

#include "base/threads.hpp"
#include "engine/loading/memory.hpp"
#include "kernels/rounds/bin_layout.hpp"
#include "scheduler/campaign/stopwatch.hpp"
#include "scheduler/convergence/walk_times.hpp"
#include "scheduler/devices/batch_size.hpp"
#include "tools/bench/timing.hpp"
#include "tools/tune/start_states.hpp"

namespace glassworks { inline namespace tools {
namespace {

constexpr int most_rounds = 64;  // of a run: what tau of the walk is resolved with
constexpr int start_rounds = 4;  // of the fifth of a run that is left out at its start
constexpr int few = 8;           // runs at once that keep the threads of a processor busy, at least

/// Numbers of the random streams of runs: those of equilibration, and those of measuring.
constexpr std::uint32_t first_number = 1U << 31, second_number = first_number + (1U << 30);

std::vector<Estimator> compared(const Config& config, int L, const Columns& columns) {
  std::vector<Estimator> all = make_estimators(config, L, columns), some;
  const auto take = [&](const char* name) {
    const auto found = std::ranges::find(all, name, &Estimator::name);
    if (found != all.end()) some.push_back(*found);
    return found != all.end();
  };
  take("energy");
  if (config.is_pure() || !take("chi_sg")) {
    take("chi_m");
  } else {
    take("chi_cg");
  }
  return some;
}

}  // namespace

/// Runs that are simulated together, and what they cost.
class PilotRuns::Batch {
 public:
  Batch(PilotRuns& pilots, const Chain& chain, std::vector<HeldTask> tasks)
      : pilots_(pilots), size_(tasks.size()), held_(pilots.backend_.hold(chain, std::move(tasks))) {}

  /// One round; false if it was abandoned.
  bool run() {
    records_.resize(size_);
    RoundOutcome outcome = RoundOutcome::abandoned;
    const double spent = tools::seconds_of([&] { outcome = held_->run_round(records_, pilots_.control_); },
                                           pilots_.is_processor_ ? Clock::process : Clock::wall);
    seconds_ = spent / static_cast<double>(size_);
    return outcome != RoundOutcome::abandoned;
  }

  /// Device or core seconds of the last round, of one realization.
  [[nodiscard]] double seconds() const { return seconds_; }
  [[nodiscard]] std::vector<RoundRecord> take() { return std::move(records_); }
  [[nodiscard]] ChainState state(std::size_t task) const { return held_->state(task); }

 private:
  PilotRuns& pilots_;
  std::size_t size_;
  double seconds_ = 0.0;
  std::unique_ptr<HeldBatch> held_;
  std::vector<RoundRecord> records_;
};

PilotRuns::PilotRuns(const Config& config, std::size_t size_index, Backend& backend, bool is_processor,
                     RoundControl& control)
    : config_(config),
      size_index_(size_index),
      backend_(backend),
      is_processor_(is_processor),
      control_(control),
      configured_(configured_choice(config, size_index)),
      threads_(config.backend.options.threads > 0 ? config.backend.options.threads : hardware_threads()) {
  const Columns columns(BinLayout(chain_of(configured_)).names(), config.model.dim);
  columns_ = columns.size();
  estimators_ = compared(config, config.model.L.at(size_index), columns);
}

std::vector<std::string> PilotRuns::observables() const {
  std::vector<std::string> names;
  for (const Estimator& estimator : estimators_) names.push_back(estimator.name);
  return names;
}

Chain PilotRuns::chain_of(const ProtocolChoice& choice) const {
  Chain chain = make_chain(with_choice(config_, size_index_, choice), size_index_);
  chain.samples = 0;
  return chain;
}

double PilotRuns::bytes_of_run() const { return batch_need(config_, chain_of(configured_), backend_).of(1.0); }

int PilotRuns::batch(const ProtocolChoice& choice) const {
  const Chain chain = chain_of(choice);
  const int preferred = backend_.preferred_batch(chain);
  if (config_.backend.batch > 0) return config_.backend.batch;
  if (preferred == 0) return threads_ * ((few + threads_ - 1) / threads_);
  return automatic_batch(chain, preferred, 0.0, 0.25 * physical_memory_bytes(), batch_need(config_, chain, backend_));
}

void PilotRuns::make_disorders(int realizations) {
  disorders_.resize(static_cast<std::size_t>(realizations));
  const Lattice lattice = config_.lattice(config_.model.L.at(size_index_));
  const auto first = static_cast<std::size_t>(config_.disorder.first_realization);
  parallel_for(disorders_.size(), threads_, [&](std::size_t r) {
    disorders_[r] = make_disorder(config_, lattice, static_cast<std::uint32_t>(first + r));
  });
}

std::vector<HeldTask> PilotRuns::fresh_tasks(const Chain& chain, std::size_t first, std::size_t count,
                                             std::size_t runs) const {
  std::vector<HeldTask> tasks(count);
  parallel_for(count, threads_, [&](std::size_t i) {
    const std::uint32_t number = first_number + static_cast<std::uint32_t>(first + i);
    tasks[i] = {number, &disorders_[(first + i) / runs], initial_state(chain, number)};
  });
  return tasks;
}

PilotSeries PilotRuns::empty_series(const ProtocolChoice& choice, int rounds, int round_measurements) const {
  PilotSeries series{.choice = choice, .measurements = rounds * round_measurements};
  series.round_measurements = round_measurements;
  for (auto* sums : {&series.means, &series.first, &series.second}) {
    sums->assign(estimators_.size(), std::vector<double>(static_cast<std::size_t>(shape_.tasks()), 0.0));
  }
  for (auto& of_function : series.walk) {
    of_function.assign(disorders_.size(), std::vector<double>(static_cast<std::size_t>(rounds / 2) + 1, 0.0));
  }
  return series;
}

bool PilotRuns::equilibrate(const PilotShape& shape) {
  shape_ = shape;
  make_disorders(shape.realizations);
  states_.assign(static_cast<std::size_t>(shape.tasks()), {});
  Chain chain = chain_of(configured_);
  chain.measurements = std::max((shape.equilibration + most_rounds - 1) / most_rounds, 1);
  const int rounds = (shape.equilibration + chain.measurements - 1) / chain.measurements;
  const auto K = static_cast<std::size_t>(shape.runs), size = static_cast<std::size_t>(batch(configured_));
  for (std::size_t first = 0; first < states_.size(); first += size) {
    const std::size_t count = std::min(size, states_.size() - first);
    Batch batch(*this, chain, fresh_tasks(chain, first, count, K));
    for (int round = 0; round < rounds; ++round) {
      if (!batch.run()) return false;
    }
    for (std::size_t i = 0; i < count; ++i) states_[first + i] = batch.state(i);
  }
  return true;
}

std::optional<PilotSeries> PilotRuns::measure(const ProtocolChoice& choice) {
  const Chain base = chain_of(configured_);
  Chain chain = chain_of(choice);
  const double sweeps = sweeps_per_measurement(configured_, chain.model) * shape_.measurements;
  const int wanted = static_cast<int>(std::max(std::lround(sweeps / sweeps_per_measurement(choice, chain.model)), 2L));
  chain.measurements = (wanted + most_rounds - 1) / most_rounds;
  const int rounds = (wanted + chain.measurements / 2) / chain.measurements;
  Chain start = chain;
  start.measurements = ((rounds + 4) / 5 * chain.measurements + start_rounds - 1) / start_rounds;
  PilotSeries series = empty_series(choice, rounds, chain.measurements);
  series.long_measurements = start.measurements;

  const auto K = static_cast<std::size_t>(shape_.runs), size = static_cast<std::size_t>(batch(choice));
  for (std::size_t first = 0; first < states_.size(); first += size) {
    std::vector<HeldTask> tasks(std::min(size, states_.size() - first));
    parallel_for(tasks.size(), threads_, [&](std::size_t i) {
      tasks[i] = {second_number + static_cast<std::uint32_t>(first + i), &disorders_[(first + i) / K],
                  moved_to_ladder(states_[first + i], base, chain)};
    });
    const bool is_timed = first == 0 || tasks.size() == size;
    series.batch = std::max(series.batch, static_cast<int>(tasks.size()));
    std::vector<HeldTask> started(tasks.size());
    for (std::size_t i = 0; i < started.size(); ++i) {
      started[i].realization = tasks[i].realization;
      started[i].disorder = tasks[i].disorder;
    }
    {
      Batch batch(*this, start, std::move(tasks));
      for (int round = 0; round < start_rounds; ++round) {
        if (!batch.run()) return std::nullopt;
        if (is_timed && round > 0) series.long_seconds.push_back(batch.seconds());  // the first one pays for memory
      }
      for (std::size_t i = 0; i < started.size(); ++i) started[i].state = batch.state(i);
    }
    Batch batch(*this, chain, std::move(started));
    std::vector<std::vector<RoundRecord>> records;
    for (int round = 0; round < rounds; ++round) {
      if (!batch.run()) return std::nullopt;
      records.push_back(batch.take());
      if (is_timed) series.seconds.push_back(batch.seconds());
    }
    take_records(chain, records, first, series);
  }
  return series;
}

MedianTime PilotRuns::measurement_time(const PilotSeries& series) const {
  const MedianTime round = median_time(series.seconds);
  // On a processor the time of both kinds of rounds is that of their measurements, and there are more short ones.
  if (!is_processor_ && series.long_measurements > series.round_measurements) {
    const MedianTime slope =
        time_between(round, series.round_measurements, median_time(series.long_seconds), series.long_measurements);
    if (slope.seconds > 0.0) return slope;
  }
  return {round.seconds / series.round_measurements, round.relative_variance};
}

/// Sums go over runs and replicas in a fixed order, so that figures do not depend on threads.
void PilotRuns::take_records(const Chain& chain, std::span<const std::vector<RoundRecord>> rounds,
                             std::size_t first_task, PilotSeries& series) const {
  const std::size_t n = rounds.size(), half = n / 2, tasks = rounds.front().size();
  const auto K = static_cast<std::size_t>(shape_.runs);
  const double beta = static_cast<double>(chain.beta.front());
  parallel_for(tasks, threads_, [&](std::size_t i) {
    std::vector<double> averages(columns_, 0.0);
    for (std::size_t round = 0; round < n; ++round) {
      const std::vector<double>& mean = rounds[round][i].mean;
      const std::size_t stored = mean.size() / static_cast<std::size_t>(chain.slots());
      std::copy_n(mean.begin(), stored, averages.begin());
      for (std::size_t o = 0; o < estimators_.size(); ++o) {
        const double x = estimators_[o].value(averages, beta);
        series.means[o][first_task + i] += x / static_cast<double>(n);
        if (round < half) series.first[o][first_task + i] += x / static_cast<double>(half);
        if (round >= n - half) series.second[o][first_task + i] += x / static_cast<double>(half);
      }
    }
  });
  if (chain.slots() == 1 || chain.protocol.exchange == ExchangeSchedule::none) return;
  const auto replicas = static_cast<std::size_t>(chain.replicas());
  const std::size_t first_realization = first_task / K, end = (first_task + tasks - 1) / K + 1;
  parallel_for(end - first_realization, threads_, [&](std::size_t at) {
    const std::size_t r = first_realization + at;
    for (std::size_t task = std::max(r * K, first_task); task < std::min((r + 1) * K, first_task + tasks); ++task) {
      for (std::size_t column = 0; column < replicas * walk_functions; ++column) {
        std::vector<double>& sums = series.walk[column % walk_functions][r];
        const auto x = [&](std::size_t round) { return rounds[round][task - first_task].walk_mean[column]; };
        for (std::size_t t = 0; t < sums.size(); ++t) {
          double sum = 0.0;
          for (std::size_t round = 0; round + t < n; ++round) sum += x(round) * x(round + t);
          sums[t] += sum / static_cast<double>((n - t) * K * replicas);
        }
      }
    }
  });
}

std::optional<PilotTrial> PilotRuns::try_out(double seconds) {
  constexpr int wanted_rounds = 256;
  shape_ = {batch(configured_), 1, 1, 0};
  make_disorders(shape_.realizations);
  const auto size = static_cast<std::size_t>(shape_.realizations);
  Chain chain = chain_of(configured_);
  double shortest = 0.0;
  {
    Chain single = chain;
    single.measurements = 1;
    Batch batch(*this, single, fresh_tasks(single, 0, size, 1));
    for (int round = 0; round < 2; ++round) {  // the first one pays for memory and for loading of code
      const Stopwatch watch;
      if (!batch.run()) return std::nullopt;
      shortest = watch.total();
    }
    chain.measurements = static_cast<int>(std::clamp(seconds / (wanted_rounds * shortest), 1.0, 1000.0));
  }
  Batch batch(*this, chain, fresh_tasks(chain, 0, size, 1));
  std::vector<std::vector<RoundRecord>> records;
  const Stopwatch watch;
  while ((watch.total() < seconds || records.size() < 4) && records.size() < 2 * std::size_t{wanted_rounds}) {
    if (!batch.run()) return std::nullopt;
    records.push_back(batch.take());
  }
  const std::size_t half = records.size() / 2;
  const double round = watch.total() / static_cast<double>(records.size());
  PilotTrial trial{.seconds = round / chain.measurements};
  if (!is_processor_ && chain.measurements > 1 && round > shortest) {
    trial.seconds = time_between({shortest}, 1, {round}, chain.measurements).seconds;
  }
  trial.batch = shape_.realizations;
  PilotSeries series = empty_series(configured_, static_cast<int>(records.size() - half), chain.measurements);
  trial.measurements = series.measurements;
  take_records(chain, std::span(records).subspan(half), 0, series);
  if (const auto walk = walk_figure(series)) {
    trial.walks = true;
    trial.tau = walk->tau;
    trial.tau_resolved = walk->resolved;
  }
  return trial;
}

std::optional<WalkFigure> walk_figure(const PilotSeries& series) {
  const Protocol& protocol = series.choice.protocol;
  if (series.choice.slots == 1 || protocol.exchange == ExchangeSchedule::none) return std::nullopt;
  const auto variances = walk_variances(series.choice.slots);
  const std::size_t R = series.walk[0].size();
  // The longest time of all test functions, of all realizations or without one of them.
  const auto time_of = [&](std::optional<std::size_t> left_out) {
    WalkTime longest{0.5, true};
    for (std::size_t f = 0; f < walk_functions; ++f) {
      if (!(variances[f] > 0.0)) continue;
      std::vector<double> mean(series.walk[f].front().size(), 0.0);
      for (std::size_t r = 0; r < R; ++r) {
        if (r == left_out) continue;
        for (std::size_t t = 0; t < mean.size(); ++t) mean[t] += series.walk[f][r][t];
      }
      for (double& c : mean) c /= static_cast<double>(left_out ? R - 1 : R);
      const WalkTime time = integrated_time(mean, variances[f], series.round_measurements);
      longest = {std::max(longest.tau, time.tau), longest.resolved && time.resolved};
    }
    return longest;
  };
  const WalkTime all = time_of(std::nullopt);
  WalkFigure figure{.tau = all.tau, .resolved = all.resolved};
  figure.log_tau.value = std::log(all.tau);
  for (std::size_t r = 0; r < R; ++r) {
    figure.log_tau.without.push_back(R > 1 ? std::log(time_of(r).tau) : figure.log_tau.value);
  }
  figure.error = all.tau * log_value(figure.log_tau).error;
  return figure;
}

}}  // namespace glassworks::tools
