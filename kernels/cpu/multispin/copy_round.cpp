#include "kernels/cpu/multispin/copy_round.hpp"

#include <deque>
#include <optional>
#include <stdexcept>
#include <utility>

#include "kernels/core/addresses.hpp"
#include "kernels/cpu/multispin/copy_words.hpp"
#include "kernels/cpu/rows/fast_cluster_replica.hpp"
#include "kernels/rounds/cluster_replicas.hpp"
#include "kernels/rounds/exchange.hpp"
#include "kernels/rounds/kernel_families.hpp"
#include "kernels/rounds/round_record.hpp"
#include "kernels/rounds/round_teams.hpp"

namespace glassworks { inline namespace cpu {
namespace {

/// A realization: its spins in words, the rest of its state, and its record.
struct CopyTask {
  std::uint32_t realization;
  const Disorder* disorder;
  ChainState walk;  ///< without spins
  CopyWords words;
  RoundRecord record = {};
};

ChainState walk_of(const ChainState& s) {
  ChainState walk;
  walk.steps = s.steps;
  walk.slot = s.slot;
  walk.heading = s.heading;
  walk.round_trips = s.round_trips;
  return walk;
}

/// The same chain without updates: its replicas measure spins as they are.
Chain without_updates(const Chain& chain) {
  Chain still = chain;
  still.protocol.multispin = MultispinRule::off;
  still.protocol.lanes = MultispinLanes::realizations;
  still.protocol.heatbath = still.protocol.overrelaxation = 0;
  still.protocol.moves = {};
  return still;
}

/// One round of a realization. Members of a team share the rows of each half-sweep. Unless it is stored, its
/// destructor puts everything back as it was.
class CopyRound {
 public:
  CopyRound(const Chain& chain, CopyTask& task, InstructionSet isa, int members)
      : chain_(chain),
        still_(without_updates(chain)),
        task_(task),
        isa_(isa),
        walk_(task.walk),
        record_(empty_record(chain)),
        before_(task.words.copy_of_spins()),
        replica_at_(static_cast<std::size_t>(chain.slots())),
        energy_(static_cast<std::size_t>(chain.replicas())) {
    for (const float beta : chain.beta) {
      levels_.push_back(copy_levels(chain.protocol.multispin, beta, task.words.modulus(), 2 * chain.lattice.dim));
    }
    for (int member = 0; member < members; ++member) {
      scratch_.emplace_back(static_cast<std::size_t>(task.words.scratch_words()));
    }
  }
  CopyRound(const CopyRound&) = delete;
  CopyRound& operator=(const CopyRound&) = delete;
  ~CopyRound() {
    if (!stored_) task_.words.swap_spins(before_);
  }

  RoundOutcome run(int member, Team& team, RoundControl& control) {
    const auto updates = static_cast<std::uint64_t>(chain_.updates_per_stretch());
    for (int m = 0; m < chain_.stretches(); ++m) {
      for (int s = 0; s < chain_.protocol.exchanges_per_measurement; ++s) {
        if (member == 0) abandon_ = control.stop || team.broken();
        team.synchronize();
        if (abandon_) return RoundOutcome::abandoned;
        step(member, team);
        if (member == 0) end_step();
      }
      if (member != 0) continue;
      if (chain_.measurements > 0) measure(m);
      control.updates.fetch_add(updates, std::memory_order_relaxed);
    }
    if (member == 0) finish_record(chain_, record_);
    team.synchronize();
    return RoundOutcome::finished;
  }

  void store() {
    task_.walk = std::move(walk_);
    task_.record = std::move(record_);
    stored_ = true;
  }

 private:
  void step(int member, Team& team) {
    std::uint32_t* const scratch = scratch_[static_cast<std::size_t>(member)].data();
    const auto of_step = static_cast<std::uint64_t>(chain_.protocol.sweeps_per_exchange) *
                         static_cast<std::uint64_t>(chain_.protocol.heatbath);
    const std::uint64_t first = walk_.steps * of_step;
    if (team.size == 1) {
      for (int slot = 0; slot < chain_.slots(); ++slot) {
        for (std::uint64_t n = first; n < first + of_step; ++n) {
          task_.words.sweep(chain_, levels_[static_cast<std::size_t>(slot)], slot, n, scratch);
        }
      }
      return;
    }
    const std::int64_t pairs = chain_.lattice.sites() / chain_.lattice.L / 2;
    for (std::uint64_t half = 2 * first; half < 2 * (first + of_step); ++half) {
      for (int slot = 0; slot < chain_.slots(); ++slot) {
        task_.words.half_sweep(chain_, levels_[static_cast<std::size_t>(slot)], slot, half, pairs * member / team.size,
                               pairs * (member + 1) / team.size, scratch);
      }
      team.synchronize();
    }
  }
  /// There are no exchanges, but the walk notes its steps.
  void end_step() {
    exchange_replicas(chain_, task_.realization, walk_.steps, energy_.data(), task_.disorder->energy_scale.unit(),
                      walk_, record_, replica_at_.data());
    ++walk_.steps;
  }

  /// Few copies, so that plain bytes do.
  void measure(int m) {
    ChainState state = walk_;
    task_.words.store(chain_, state);
    BarrierGroup barriers;
    Team alone(1, barriers);
    const RoundTask task{task_.realization, task_.disorder, &state, &record_};
    const auto replicas = make_cluster_replicas(
        still_, task, alone, [&](const ClusterSystem& system, const ChainState& from, int members) {
          const auto shared = std::make_shared<const FastClusterSystem>(system, true);
          std::vector<std::unique_ptr<ClusterReplica>> made;
          for (int r = 0; r < chain_.replicas(); ++r) {
            made.push_back(make_fast_cluster_replica(shared, isa_, r, from, members));
          }
          return made;
        });
    replicas->step(state, true, 0, alone);
    static_cast<void>(replicas->energies());
    replicas->measure(m, state, record_, 0, alone);
    record_walk(chain_, walk_, record_);
  }

  const Chain& chain_;
  const Chain still_;
  CopyTask& task_;
  InstructionSet isa_;
  ChainState walk_;
  RoundRecord record_;
  AlignedBuffer<std::uint32_t> before_;
  std::vector<CopyLevels> levels_;                    ///< [slot]
  std::deque<AlignedBuffer<std::uint32_t>> scratch_;  ///< [member]
  std::vector<int> replica_at_;
  std::vector<std::int64_t> energy_;
  bool abandon_ = false, stored_ = false;
};

RoundOutcome run_tasks(const Chain& chain, std::deque<CopyTask>& tasks, RoundControl& control, InstructionSet isa,
                       int threads) {
  return run_in_teams<CopyRound>(tasks.size(), threads, control,
                                 [&](std::optional<CopyRound>& round, std::size_t task, Team& team) {
                                   round.emplace(chain, tasks[task], isa, team.size);
                                 });
}

/// Words of a realization, from its state.
void add_task(const Chain& chain, std::uint32_t realization, const Disorder& disorder, const ChainState& state,
              const CopyLattice& lattice, const CopyTable& table, std::deque<CopyTask>& tasks) {
  tasks.push_back({realization, &disorder, walk_of(state), {chain, disorder, realization, lattice, table}});
  tasks.back().words.load(chain, state);
}

class CopyBatch final : public HeldBatch {
 public:
  CopyBatch(const Chain& chain, std::vector<HeldTask> tasks, InstructionSet isa, int threads)
      : chain_(chain), isa_(isa), threads_(threads), lattice_(chain.lattice) {
    for (HeldTask& task : tasks) {
      check_batch(BackendKind::cpu, still(), std::vector<RoundTask>{{task.realization, task.disorder, &task.state}});
      add_task(chain, task.realization, *task.disorder, task.state, lattice_, copy_table_for(isa, chain.copies),
               tasks_);
      task.state = {};
    }
  }

  RoundOutcome run_round(std::span<RoundRecord> records, RoundControl& control) override {
    check_batch(BackendKind::cpu, chain_, {});
    const RoundOutcome outcome = run_tasks(chain_, tasks_, control, isa_, threads_);
    for (std::size_t i = 0; i < tasks_.size() && outcome == RoundOutcome::finished; ++i) {
      records[i] = std::move(tasks_[i].record);
    }
    return outcome;
  }

  void set_conditions(const Conditions& conditions, RoundLength length) override {
    for (const CopyTask& task : tasks_) static_cast<void>(scaled_fields(*task.disorder, conditions.field));
    set_round(chain_, conditions, length);
  }

  [[nodiscard]] ChainState state(std::size_t task) const override {
    ChainState state = tasks_[task].walk;
    tasks_[task].words.store(chain_, state);
    return state;
  }

 private:
  /// Disorder is checked when it comes, and the length of rounds before each of them.
  [[nodiscard]] Chain still() const {
    Chain chain = chain_;
    chain.measurements = 0;
    return chain;
  }

  Chain chain_;
  InstructionSet isa_;
  int threads_;
  CopyLattice lattice_;
  std::deque<CopyTask> tasks_;
};

}  // namespace

RoundOutcome run_copies(const Chain& chain, std::span<const RoundTask> batch, RoundControl& control, InstructionSet isa,
                        int threads) {
  const CopyLattice lattice(chain.lattice);
  std::deque<CopyTask> tasks;
  for (const RoundTask& task : batch) {
    add_task(chain, task.realization, *task.disorder, *task.state, lattice, copy_table_for(isa, chain.copies), tasks);
  }
  const RoundOutcome outcome = run_tasks(chain, tasks, control, isa, threads);
  for (std::size_t i = 0; i < batch.size() && outcome == RoundOutcome::finished; ++i) {
    ChainState& state = *batch[i].state;
    tasks[i].walk.states = std::move(state.states);
    tasks[i].words.store(chain, tasks[i].walk);
    state = std::move(tasks[i].walk);
    *batch[i].record = std::move(tasks[i].record);
  }
  return outcome;
}

std::unique_ptr<HeldBatch> hold_copies(const Chain& chain, std::vector<HeldTask> tasks, InstructionSet isa,
                                       int threads) {
  return std::make_unique<CopyBatch>(chain, std::move(tasks), isa, threads);
}

}}  // namespace glassworks::cpu
