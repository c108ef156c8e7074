#include "tools/glassworks/round_timing.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "base/threads.hpp"
#include "engine/loading/memory.hpp"
#include "kernels/models/model_facts.hpp"
#include "kernels/rounds/course.hpp"
#include "scheduler/campaign/stopwatch.hpp"

namespace glassworks { inline namespace tools {
namespace {

constexpr double wanted_seconds = 0.1, affordable_seconds = 2.0;
constexpr int repeats = 2;  // more after the first; the shortest counts, since others may use the machine

/// A batch ready to be simulated.
class TimedBatch {
 public:
  TimedBatch(const Config& config, const Chain& chain, Backend& backend, int batch, Clock clock)
      : chain_(chain),
        backend_(backend),
        clock_(clock),
        disorder_(static_cast<std::size_t>(batch)),
        states_(disorder_.size()) {
    const auto first = static_cast<std::size_t>(config.disorder.first_realization);
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

  /// Time of such a round of a batch that the backend holds, as campaigns have them [s].
  double once(int measurements, int exchanges) {
    Chain chain = chain_;
    chain.measurements = chain.course != nullptr ? 0 : measurements;  // a course is measured apart
    chain.course = nullptr;
    chain.protocol.exchanges_per_measurement = exchanges;
    std::vector<HeldTask> tasks;
    for (std::size_t i = 0; i < states_.size(); ++i) {
      tasks.push_back({static_cast<std::uint32_t>(i), &disorder_[i], std::move(states_[i])});
    }
    const std::unique_ptr<HeldBatch> held = backend_.hold(chain, std::move(tasks));
    std::vector<RoundRecord> records(states_.size());
    RoundControl control;
    const double seconds = seconds_of([&] { static_cast<void>(held->run_round(records, control)); }, clock_);
    for (std::size_t i = 0; i < states_.size(); ++i) states_[i] = held->state(i);
    return seconds;
  }

 private:
  const Chain& chain_;
  Backend& backend_;
  Clock clock_;
  std::vector<Disorder> disorder_;
  std::vector<ChainState> states_;
};

/// Seconds of a round of a course on average, without its measurement: of its sweeps.
double seconds_of_sweeps(TimedBatch& batch, const Chain& chain) {
  static_cast<void>(batch.once(0, 1));
  const double shortest = batch.once(0, 1);
  int some = std::clamp(static_cast<int>(wanted_seconds / shortest), 2, 1000);
  double many = batch.once(0, some);
  // Spins of large lattices take longer to become words than many sweeps take.
  while (many < 2.0 * shortest && 4.0 * many < affordable_seconds) {
    some *= 4;
    many = batch.once(0, some);
  }
  many = batch.shortest(many, 0, some);
  const double one = std::max((many - shortest) / (some - 1), 0.5 * many / some);
  return one * mean_updates_of_round(chain) / chain.updates_per_stretch();
}

/// Seconds of an exchange and of the moves before it. `shortest`: of a round with one of them, most of which may be
/// what a round takes whatever its length.
double seconds_of_exchange(TimedBatch& batch, double shortest, int exchanges) {
  int some = std::clamp(static_cast<int>(wanted_seconds / shortest), 2, std::max(exchanges, 2));
  double time = batch.once(1, some);
  while (time < 1.5 * shortest && some < exchanges && time < 2.0 * affordable_seconds) {
    some = std::min(4 * some, exchanges);
    time = batch.once(1, some);
  }
  return std::max((time - shortest) / (some - 1), 0.0);
}

/// Seconds of a round. A round has a part that does not grow with its measurements: with multi-spin coding the spins of
/// all realizations become bits at its beginning and bytes at its end.
double seconds_of_round(TimedBatch& batch, const Chain& chain) {
  const int exchanges = chain.protocol.exchanges_per_measurement;
  static_cast<void>(batch.once(1, 1));  // the first round pays for memory and for loading of code
  const double shortest = batch.once(1, 1);
  double exchange = shortest;
  if (exchanges * exchange >= affordable_seconds) exchange = seconds_of_exchange(batch, shortest, exchanges);
  if (exchanges * exchange < affordable_seconds) {
    const double one = batch.shortest(batch.once(1, exchanges), 1, exchanges);
    double time = one;
    int measurements = 1;
    while (measurements < chain.measurements && time < std::max(wanted_seconds, 2.0 * one)) {
      measurements = std::min(2 * measurements, chain.measurements);
      time = batch.shortest(batch.once(measurements, exchanges), measurements, exchanges);
    }
    if (measurements == chain.measurements) return time;
    const double each = std::max((time - one) / (measurements - 1), 0.0);
    return time + (chain.measurements - measurements) * each;
  }
  // One measurement takes long.
  return chain.measurements * (shortest + (exchanges - 1) * exchange);
}

}  // namespace

Config without_files(Config config) {
  ModelConfig& model = config.model;
  if (model.lattice == LatticeChoice::graph) return config;  // there is no other size
  if (model.reads_couplings()) {
    const bool counts_bonds = config.protocol.multispin != MultispinRule::off;
    model.couplings = facts_of(model.spins).cluster_move == ClusterMove::new_state ? CouplingKind::ferromagnet
                      : counts_bonds                                               ? CouplingKind::bimodal
                                                                                   : CouplingKind::gaussian;
  }
  if (model.field == FieldKind::file) model.field = FieldKind::gaussian;
  return config;
}

Chain on_lattice(Chain chain, const Lattice& lattice) {
  if (chain.protocol.tile == chain.lattice.L) chain.protocol.tile = lattice.L;
  chain.lattice = lattice;
  return chain;
}

namespace {

/// Lattices on which a chain can be timed, the real one first.
class Candidates {
 public:
  Candidates(const Config& config, const Chain& chain, Backend& backend, int batch)
      : config_(config), small_config_(without_files(config)), chain_(chain), backend_(backend), batch_(batch) {}

  /// The largest one that takes neither too long nor too much memory, by trials of small ones.
  Lattice choose(double memory) {
    std::vector<Lattice> all{chain_.lattice};  // descending
    while (spins(all.back()) > trial_spins || bytes(all.back()) > memory) {
      const auto next = smaller_lattice(on_lattice(chain_, all.back()));
      if (!next) break;
      all.push_back(*next);
    }
    if (all.size() == 1) return all.front();
    // What a lattice takes has a part that does not grow with its size.
    static_cast<void>(cost(all.back()));
    double seconds = cost(all.back()), each = seconds / spins(all.back());
    double affordable = 4.0 * affordable_seconds;  // `each` is too much
    if (const auto least = smaller_lattice(on_lattice(chain_, all.back()))) {
      each = std::max(seconds - cost(*least), 0.0) / (spins(all.back()) - spins(*least));
      affordable = affordable_seconds;
    }
    for (std::size_t i = all.size() - 1; i > 0; --i) {
      const double more = spins(all[i - 1]) - spins(all[i]);
      if (seconds + each * more > affordable || bytes(all[i - 1]) > memory) return all[i];
      if (i == 1) break;
      affordable = affordable_seconds;
      const double before = seconds;
      seconds = cost(all[i - 1]);
      each = std::max(seconds - before, 0.0) / more;
    }
    return all.front();
  }

  [[nodiscard]] const Config& config_of(const Lattice& lattice) const {
    return lattice == chain_.lattice ? config_ : small_config_;
  }

 private:
  static constexpr double trial_spins = 0x1p21;  ///< of a batch: a fraction of a second with any backend

  [[nodiscard]] double spins(const Lattice& lattice) const {
    return static_cast<double>(lattice.sites()) * chain_.replicas() * batch_;
  }
  [[nodiscard]] double bytes(const Lattice& lattice) const {
    return batch_need(config_of(lattice), on_lattice(chain_, lattice), backend_).of(batch_);
  }
  /// Of the preparation and of one exchange, which the timing repeats [s].
  double cost(const Lattice& lattice) {
    const Chain chain = on_lattice(chain_, lattice);
    const Stopwatch watch;
    TimedBatch timed(config_of(lattice), chain, backend_, batch_, Clock::wall);
    static_cast<void>(timed.once(1, 1));
    return watch.total();
  }

  const Config& config_;
  const Config small_config_;
  const Chain& chain_;
  Backend& backend_;
  int batch_;
};

}  // namespace

std::optional<Lattice> smaller_lattice(const Chain& chain) {
  constexpr int least = 4;
  Lattice lattice = chain.lattice;
  if (lattice.is_graph()) return std::nullopt;
  const Protocol& p = chain.protocol;
  const int tiles = p.tile == 0 || p.tile == lattice.L ? 2 : 2 * p.tile;
  const int step = p.kind == ProtocolKind::few_cluster ? std::lcm(tiles, p.seed_tile) : tiles;
  if (lattice.is_cube()) {
    lattice.L = lattice.L / 2 / step * step;
    return lattice.L < least ? std::nullopt : std::optional(lattice);
  }
  const auto axes = std::span(lattice.lengths).first(static_cast<std::size_t>(lattice.dim));
  int& longest = *std::ranges::max_element(axes);
  longest = longest / 4 * 2;
  if (longest < least) return std::nullopt;
  lattice.L = std::ranges::max(axes);
  return lattice;
}

RoundTiming time_round(const Config& config, const Chain& chain, Backend& backend, int batch, double memory,
                       Clock clock) {
  Candidates candidates(config, chain, backend, batch);
  const Lattice lattice = candidates.choose(memory);
  const Chain timed_chain = on_lattice(chain, lattice);
  TimedBatch timed(candidates.config_of(lattice), timed_chain, backend, batch, clock);
  const double sites = static_cast<double>(chain.lattice.sites()) / static_cast<double>(lattice.sites());
  const bool in_time = chain.course != nullptr;
  const double seconds = in_time ? seconds_of_sweeps(timed, timed_chain) : seconds_of_round(timed, timed_chain);
  return {seconds * sites / batch, batch, lattice};
}

}}  // namespace glassworks::tools
