#include "tools/bench/rounds.hpp"

#include <algorithm>
#include <cmath>
#include <deque>

#include "engine/config/config.hpp"
#include "engine/loading/memory.hpp"
#include "kernels/cpu/cpu_backend.hpp"
#include "kernels/cpu/lanes/cpu_bundle.hpp"
#include "tools/bench/task_batch.hpp"

namespace glassworks { inline namespace tools {
namespace {

Chain round_chain(int L, int copies, int measurements) {
  Chain chain;
  chain.lattice = {3, L};
  chain.copies = copies;
  for (int k = 0; k < bench_slots; ++k) {
    const double T = bench_temperature * std::pow(5.0, static_cast<double>(k) / (bench_slots - 1));
    chain.beta.push_back(static_cast<float>(1.0 / T));
  }
  chain.measurements = measurements;
  chain.key = size_key(1, 3, L);
  return chain;
}

/// Measurements that make a round of about 50 million updates, so that loading and storing do not count.
int measurements_of(int L, int copies) {
  constexpr double updates = 50e6;
  return std::clamp(static_cast<int>(updates / round_chain(L, copies, 1).updates_per_round()), 1, 100);
}

/// A batch of realizations with a backend of its own, ready to be timed round by round.
class BatchJob {
 public:
  BatchJob(const Chain& chain, InstructionSet isa, int threads, int batch)
      : chain_(chain),
        backend_(make_backend({BackendKind::cpu, isa, threads})),
        tasks_(static_cast<std::size_t>(batch)) {
    for (std::size_t r = 0; r < tasks_.size(); ++r) {
      tasks_.begin(r, chain_, make_disorder(Config{}, chain_.lattice, static_cast<std::uint32_t>(r)));
    }
    timed.units = chain_.updates_per_round() * batch;
    timed.work = [this] {
      RoundControl control;
      backend_->run_round(chain_, tasks_.tasks(), control);
    };
  }
  BatchJob(const BatchJob&) = delete;
  BatchJob& operator=(const BatchJob&) = delete;

  [[nodiscard]] const Disorder& disorder() const { return tasks_.disorder(0); }
  [[nodiscard]] const ChainState& state() const { return tasks_.state(0); }

  Timed timed;

 private:
  Chain chain_;
  std::unique_ptr<Backend> backend_;
  TaskBatch tasks_;
};

}  // namespace

std::vector<int> thread_counts(int largest) {
  std::vector<int> counts;
  for (int n = 1; n < largest; n *= 2) counts.push_back(n);
  counts.push_back(largest);
  return counts;
}

double bytes_of_threads(const BenchOptions& options, int L) {
  const Chain chain = round_chain(L, 2, 1);
  const double one = realization_bytes(chain.lattice, chain.slots(), chain.copies, chain.model);
  double bytes = 0.0;
  for (const int threads : thread_counts(options.threads)) bytes += 2.0 * threads * one;
  return bytes;
}

std::vector<ThreadResult> bench_threads(const BenchOptions& options, int L) {
  const Chain chain = round_chain(L, 2, measurements_of(L, 2));
  std::deque<BatchJob> jobs;
  std::vector<Timed*> timed;
  std::vector<ThreadResult> results;
  for (const int threads : thread_counts(options.threads)) {
    timed.push_back(&jobs.emplace_back(chain, options.sets.back(), threads, 2 * threads).timed);
    results.push_back({L, threads, 2 * threads, {}, 0.0});
  }
  time_in_turn(timed, options.repeats, options.seconds, Clock::wall);
  for (std::size_t i = 0; i < results.size(); ++i) {
    results[i].update = timed[i]->nanoseconds_per_unit;
    results[i].speed_up = results.front().update.median / results[i].update.median;
  }
  return results;
}

std::vector<ShareResult> bench_shares(const BenchOptions& options, int L) {
  const CpuLattice lattice({3, L});
  const SweepPlan plan{&kernels_of(options.sets.back()), &lattice, nullptr,
                       choose_wavefront_depth(lattice.lattice(), second_level_cache_bytes())};
  std::vector<ShareResult> results;
  for (const int copies : {2, 4}) {
    const Chain chain = round_chain(L, copies, measurements_of(L, copies));
    BatchJob rounds(chain, options.sets.back(), 1, 1);
    rounds.timed.work();

    std::deque<CpuBundle> bundles;
    for (int first = 0; first < chain.replicas(); first += bundle_lanes) {
      bundles.emplace_back(chain, rounds.disorder(), 0, first).load(rounds.state());
    }
    const std::vector<std::uint16_t> slot = rounds.state().slot;
    std::vector<std::int64_t> energy(static_cast<std::size_t>(chain.replicas()));
    std::uint64_t step = 0;
    const int steps = chain.measurements * chain.protocol.exchanges_per_measurement;
    Timed sweeps{[&] {
                   for (int i = 0; i < steps; ++i, ++step) {
                     for (CpuBundle& b : bundles) b.sweep(plan, step, slot.data(), energy.data());
                   }
                 },
                 chain.updates_per_round(),
                 {}};
    time_in_turn({&sweeps, &rounds.timed}, options.repeats, options.seconds, Clock::thread);
    results.push_back({L, copies, chain.measurements, rounds.timed.nanoseconds_per_unit, sweeps.nanoseconds_per_unit});
  }
  return results;
}

}}  // namespace glassworks::tools
