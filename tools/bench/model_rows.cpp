#include "tools/bench/model_rows.hpp"

#include <deque>
#include <memory>

#include "engine/config/config.hpp"
#include "kernels/make_backend.hpp"
#include "tools/bench/plain_loops.hpp"
#include "tools/bench/task_batch.hpp"

namespace glassworks { inline namespace tools {
namespace {

/// What both sides do: sweeps of each kind in a repetition, and the same for the plain loop.
struct BenchUpdate {
  std::string name;
  Protocol protocol;
  std::vector<std::pair<PlainUpdate, int>> plain;
  int replicas, realizations = 1, measurements = 1, copies = 1;
};

struct BenchRow {
  BenchSystem system;
  BenchUpdate update;
};

Protocol repeated(int overrelaxation, int heatbath, ProtocolKind kind = ProtocolKind::local) {
  Protocol p;
  p.overrelaxation = overrelaxation;
  p.heatbath = heatbath;
  p.kind = kind;
  p.cluster_sweeps = kind == ProtocolKind::local ? 0 : 1;
  p.sweeps_per_exchange = overrelaxation > 1 ? 1 : 10;
  p.exchanges_per_measurement = overrelaxation > 1 ? 4 : 10;
  return p;
}

constexpr int many = 16;  // replicas of a glass

BenchUpdate local(int replicas) {
  return {
      replicas == 1 ? "heat bath, one replica" : "heat bath", repeated(0, 1), {{PlainUpdate::heat_bath, 1}}, replicas};
}

/// move: the plain loop's local sweep. Over-relaxation keeps the energy, so no protocol has it alone.
BenchUpdate over_relaxation(int replicas, PlainUpdate move = PlainUpdate::heat_bath) {
  return {replicas == 1 ? "over-relaxation, one replica" : "over-relaxation",
          repeated(40, 1),
          {{PlainUpdate::over_relaxation, 40}, {move, 1}},
          replicas};
}

BenchUpdate multispin(MultispinRule rule) {
  const bool metropolis = rule == MultispinRule::metropolis;
  BenchUpdate u{metropolis ? "multi-spin Metropolis" : "multi-spin heat bath",
                repeated(0, 1),
                {{metropolis ? PlainUpdate::metropolis : PlainUpdate::heat_bath, 1}},
                4,
                512};
  u.protocol.multispin = rule;
  u.measurements = 5;  // a round begins and ends with the states of all realizations as bytes
  return u;
}

/// 512 copies of one realization in the words of a held batch, as a course has them.
BenchUpdate copy_lanes(MultispinRule rule) {
  BenchUpdate u = multispin(rule);
  u.name += ", copies";
  u.protocol.lanes = MultispinLanes::copies;
  u.replicas = u.realizations = 1;
  u.measurements = 0;
  u.copies = 512;
  return u;
}

BenchUpdate clusters(ProtocolKind kind) {
  const bool wolff = kind == ProtocolKind::wolff;
  return {wolff ? "wolff" : "swendsen-wang",
          repeated(0, 0, kind),
          {{wolff ? PlainUpdate::wolff : PlainUpdate::swendsen_wang, 1}},
          1};
}

/// Clusters of few sites: many updates in a round, which begins and ends with all sites.
BenchUpdate small_clusters() {
  BenchUpdate u = clusters(ProtocolKind::wolff);
  u.protocol.sweeps_per_exchange = 100;
  u.protocol.exchanges_per_measurement = 1000;
  return u;
}

/// A cluster update and a local sweep. move: the plain loop's local sweep.
BenchUpdate clusters_and_local(PlainUpdate move) {
  return {"swendsen-wang + local",
          repeated(0, 1, ProtocolKind::swendsen_wang),
          {{PlainUpdate::swendsen_wang, 1}, {move, 1}},
          1};
}

/// phi4 at finite lambda, whose plain local update is Metropolis.
void add_phi4(std::vector<BenchRow>& rows) {
  const BenchSystem system{"phi4 lambda=1", {ModelKind::phi4, 2, 4, 1.0}, CouplingKind::ferromagnet, 1.0 / 0.8};
  rows.push_back({system, BenchUpdate{"local", repeated(0, 1), {{PlainUpdate::metropolis, 1}}, 1}});
  rows.push_back({system, over_relaxation(1, PlainUpdate::metropolis)});
  for (const ProtocolKind kind : {ProtocolKind::swendsen_wang, ProtocolKind::wolff}) {
    BenchUpdate u = clusters(kind);
    u.name += " + local";
    u.protocol.heatbath = 1;
    u.plain.push_back({PlainUpdate::metropolis, 1});
    rows.push_back({system, u});
  }
}

std::vector<BenchRow> glasses() {
  std::vector<BenchRow> rows;
  const BenchSystem heisenberg{"heisenberg", {}, CouplingKind::gaussian, bench_temperature};
  rows.push_back({heisenberg, local(many)});
  rows.push_back({heisenberg, over_relaxation(many)});
  const SpinModel ising{ModelKind::ising, 2, 1};
  const BenchSystem bimodal{"ising +-J", ising, CouplingKind::bimodal, 1.1};
  rows.push_back({bimodal, local(many)});
  rows.push_back({bimodal, local(1)});
  rows.push_back({bimodal, multispin(MultispinRule::metropolis)});
  rows.push_back({bimodal, multispin(MultispinRule::heat_bath)});
  const BenchSystem cold{"ising +-J T=0.7", ising, CouplingKind::bimodal, 0.7};
  for (const BenchSystem& system : {bimodal, cold}) {
    rows.push_back({system, copy_lanes(MultispinRule::metropolis)});
    rows.push_back({system, copy_lanes(MultispinRule::heat_bath)});
  }
  rows.push_back({BenchSystem{"ising gaussian", ising, CouplingKind::gaussian, 0.95}, local(many)});
  rows.push_back({BenchSystem{"ising gaussian", ising, CouplingKind::gaussian, 0.95}, local(1)});
  rows.push_back({BenchSystem{"ising random field", ising, CouplingKind::ferromagnet, 4.0, 1.0}, local(many)});
  for (int n = 2; n <= 4; ++n) {
    const BenchSystem on{"on n=" + std::to_string(n), {ModelKind::on, 2, n}, CouplingKind::gaussian, bench_temperature};
    rows.push_back({on, local(many)});
    rows.push_back({on, over_relaxation(many)});
  }
  return rows;
}

/// Critical points in three dimensions: Ising 0.22165463, potts q = 3 0.55056, O(2) 0.45417, O(3) 0.6930, O(4) 0.9359
/// (beta); q = 10 is in its ordered phase, phi4 at lambda = 1 near it. Clusters of wolff for q = 10 are those of a hot
/// system, as they have few sites from a random start at any temperature.
std::vector<BenchRow> ferromagnets() {
  const double infinite = SpinModel{}.lambda;
  std::vector<BenchRow> rows;
  const auto add = [&rows](const std::string& name, const SpinModel& spins, double beta) {
    const BenchSystem system{name, spins, CouplingKind::ferromagnet, 1.0 / beta};
    rows.push_back({system, local(1)});
    if (!spins.is_discrete()) rows.push_back({system, over_relaxation(1)});
    rows.push_back({system, clusters(ProtocolKind::swendsen_wang)});
    if (name != "potts q=10") rows.push_back({system, clusters(ProtocolKind::wolff)});
    rows.push_back({system, clusters_and_local(PlainUpdate::heat_bath)});
  };
  add("ising", {ModelKind::ising, 2, 1}, 0.22165463);
  add("potts q=3", {ModelKind::potts, 3, 1}, 0.55056);
  add("potts q=10", {ModelKind::potts, 10, 1}, 1.1);
  rows.push_back(
      {BenchSystem{"potts q=10 T=2", {ModelKind::potts, 10, 1}, CouplingKind::ferromagnet, 2.0}, small_clusters()});
  add("on n=2", {ModelKind::on, 2, 2}, 0.45417);
  add("on n=3", {ModelKind::on, 2, 3}, 0.6930);
  add("on n=4", {ModelKind::on, 2, 4}, 0.9359);
  add("phi4 lambda=inf", {ModelKind::phi4, 2, 4, infinite}, 0.9359);
  add_phi4(rows);
  return rows;
}

Chain chain_of(const BenchRow& row, int L) {
  Chain chain;
  chain.model = row.system.spins;
  chain.lattice = {3, L};
  chain.copies = row.update.copies;
  chain.measurements = row.update.measurements;
  chain.beta.assign(static_cast<std::size_t>(row.update.replicas), static_cast<float>(1.0 / row.system.T));
  chain.protocol = row.update.protocol;
  if (chain.model.kind != ModelKind::heisenberg) chain.protocol.exchange = ExchangeSchedule::none;
  chain.key = size_key(1, 3, L);
  return chain;
}

/// One row, ready to be timed: the plain loop and rounds of every instruction set, all after warm-up.
class RowJobs {
 public:
  RowJobs(const BenchRow& row, const BenchOptions& options, int L) : row_(row), chain_(chain_of(row, L)) {
    const Disorder disorder = disorder_of(row.system, chain_.lattice, 0);
    loop_ = make_plain_loop(row.system.spins, chain_.lattice, disorder, 1.0 / row.system.T, 1);
    int sweeps = 0;
    for (const auto& [update, times] : row.update.plain) sweeps += times;
    const bool clusters = row.update.protocol.kind != ProtocolKind::local;
    for (int i = 0; clusters && i < warm_up; ++i) loop_->update(PlainUpdate::swendsen_wang);
    plain.units = static_cast<double>(sweeps) * static_cast<double>(chain_.lattice.sites());
    plain.work = [this] {
      for (const auto& [update, times] : row_.update.plain) {
        for (int i = 0; i < times; ++i) loop_->update(update);
      }
    };
    for (const auto& [update, times] : row.update.plain) {
      if (times == sweeps) break;  // the loop makes this update only, so there is no mix
      const PlainUpdate alone = update;
      parts.push_back({[this, alone] { loop_->update(alone); }, static_cast<double>(chain_.lattice.sites()), {}});
      plain_parts.push_back({&parts.back(), static_cast<double>(times) / sweeps});
    }
    for (const InstructionSet isa : options.sets) add_rounds(isa);
  }
  RowJobs(const RowJobs&) = delete;
  RowJobs& operator=(const RowJobs&) = delete;

  Timed plain;
  std::deque<Timed> parts;           ///< the updates that `plain` mixes, each alone; none where it has only one
  std::vector<MixPart> plain_parts;  ///< of `plain`
  std::deque<Timed> ours;            ///< [instruction set]

 private:
  static constexpr int warm_up = 100;

  void add_rounds(InstructionSet isa) {
    const auto realizations = static_cast<std::size_t>(row_.update.realizations);
    TaskBatch& batch = batches_.emplace_back(realizations);
    for (std::size_t r = 0; r < realizations; ++r) {
      batch.begin(r, chain_, disorder_of(row_.system, chain_.lattice, static_cast<std::uint32_t>(r)));
    }
    Backend& backend = *backends_.emplace_back(make_backend({BackendKind::cpu, isa, 1}));
    if (chain_.has_copy_lanes()) return add_held_round(batch, backend);
    const auto run = [&batch, &backend](const Chain& chain) {
      RoundControl control;
      backend.run_round(chain, batch.tasks(), control);
    };
    Chain first = chain_;
    if (first.protocol.kind == ProtocolKind::wolff) {
      first.protocol = clusters(ProtocolKind::swendsen_wang).protocol;
      first.protocol.heatbath = chain_.protocol.heatbath;
      first.protocol.exchange = chain_.protocol.exchange;
    }
    run(first);
    ours.push_back({[this, run] { run(chain_); }, chain_.updates_per_round() * row_.update.realizations, {}});
  }

  void add_held_round(TaskBatch& batch, Backend& backend) {
    std::vector<HeldTask> tasks;
    for (const RoundTask& task : batch.tasks()) tasks.push_back({task.realization, task.disorder, *task.state});
    HeldBatch& held = *held_.emplace_back(backend.hold(chain_, std::move(tasks)));
    const auto run = [this, &held] {
      std::vector<RoundRecord> records(static_cast<std::size_t>(row_.update.realizations));
      RoundControl control;
      held.run_round(records, control);
    };
    run();
    ours.push_back({run, chain_.updates_per_round() * row_.update.realizations, {}});
  }

  const BenchRow& row_;
  Chain chain_;
  std::unique_ptr<PlainLoop> loop_;
  std::deque<TaskBatch> batches_;
  std::vector<std::unique_ptr<Backend>> backends_;
  std::vector<std::unique_ptr<HeldBatch>> held_;
};

}  // namespace

Disorder disorder_of(const BenchSystem& system, const Lattice& lattice, std::uint32_t realization) {
  Config config;
  config.model.spins = system.spins;
  config.model.couplings = system.couplings;
  config.ladder.kind = LadderKind::list;
  config.ladder.temperatures = {system.T};
  if (system.field > 0.0) {
    config.model.field = FieldKind::gaussian;
    config.model.field_strength = system.field;
  }
  return make_disorder(config, lattice, realization);
}

std::vector<ModelResult> bench_models(const BenchOptions& options, int L) {
  std::vector<BenchRow> rows = glasses();
  for (BenchRow& row : ferromagnets()) rows.push_back(std::move(row));
  std::vector<ModelResult> results;
  for (const BenchRow& row : rows) {
    RowJobs jobs(row, options, L);
    std::vector<Timed*> timed{&jobs.plain};
    for (Timed& part : jobs.parts) timed.push_back(&part);
    for (Timed& job : jobs.ours) timed.push_back(&job);
    time_in_turn(timed, options.repeats, options.seconds, Clock::thread);
    const double over_parts = jobs.parts.empty() ? 1.0 : mix_over_parts(jobs.plain, jobs.plain_parts);
    for (std::size_t i = 0; i < options.sets.size(); ++i) {
      results.push_back({L, row.system.name, row.update.name, options.sets[i], jobs.ours[i].nanoseconds_per_unit,
                         jobs.plain.nanoseconds_per_unit, over_parts});
    }
  }
  return results;
}

}}  // namespace glassworks::tools
