#include "tools/bench/cluster_updates.hpp"

#include <deque>
#include <stdexcept>

#include "kernels/make_backend.hpp"
#include "tools/bench/plain_swendsen_wang.hpp"

namespace glassworks { inline namespace tools {
namespace {

constexpr double critical_beta = 0.44068679350977151;
constexpr int sweeps_per_round = 100, measured_sweeps = 20;

Chain cluster_chain(int L, bool measure_every_sweep) {
  Chain chain;
  chain.model.kind = ModelKind::ising;
  chain.lattice = {2, L};
  chain.copies = 1;
  chain.beta = {static_cast<float>(critical_beta)};
  chain.protocol.overrelaxation = chain.protocol.heatbath = 0;
  chain.protocol.exchanges_per_measurement = 1;
  chain.protocol.kind = ProtocolKind::swendsen_wang;
  chain.protocol.cluster_sweeps = measure_every_sweep ? 1 : sweeps_per_round;
  chain.measurements = measure_every_sweep ? measured_sweeps : 1;
  chain.key = size_key(1, 2, L);
  return chain;
}

Disorder ferromagnet(const Lattice& lattice) {
  Disorder d;
  d.couplings.assign(static_cast<std::size_t>(lattice.bonds()), 1.0F);
  d.energy_scale = choose_energy_scale(lattice, d.couplings, d.fields);
  return d;
}

void run_round(const Chain& chain, const Disorder& disorder, InstructionSet isa, ChainState& state) {
  RoundRecord record;
  const RoundTask task{0, &disorder, &state, &record};
  RoundControl control;
  make_backend({.kind = BackendKind::cpu, .isa = isa, .threads = 1})->run_round(chain, {&task, 1}, control);
}

}  // namespace

std::vector<ClusterResult> bench_cluster(const ClusterBenchOptions& options, int L) {
  const Chain chain = cluster_chain(L, false), measured = cluster_chain(L, true);
  const Disorder disorder = ferromagnet(chain.lattice);
  const auto sites = static_cast<double>(chain.lattice.sites());
  ChainState warm = initial_state(chain, 0);
  run_round(chain, disorder, InstructionSet::automatic, warm);

  PlainSwendsenWang plain(chain, warm);
  ChainState check = warm;
  run_round(chain, disorder, InstructionSet::automatic, check);
  std::uint64_t update = sweeps_per_round;
  for (int s = 0; s < sweeps_per_round; ++s) plain.sweep(update++);
  if (plain.state() != check.states) {
    throw std::runtime_error(
        "The benchmark cannot continue (plain and fast Swendsen-Wang ended in different states). Run "
        "glassworks doctor.");
  }

  constexpr int plain_sweeps = 4;
  Timed plain_job{[&] {
                    for (int s = 0; s < plain_sweeps; ++s) plain.sweep(update++);
                  },
                  sites * plain_sweeps,
                  {}};
  std::deque<ChainState> states;
  std::deque<Timed> jobs;
  std::vector<Timed*> all{&plain_job};
  for (const InstructionSet isa : options.sets) {
    for (const Chain* c : {&chain, &measured}) {
      ChainState& state = states.emplace_back(warm);
      const double updates = sites * (c == &chain ? sweeps_per_round : measured_sweeps);
      all.push_back(&jobs.emplace_back(Timed{[&, c, isa] { run_round(*c, disorder, isa, state); }, updates, {}}));
    }
  }
  time_in_turn(all, options.repeats, options.seconds, Clock::thread);
  std::vector<ClusterResult> results;
  for (std::size_t i = 0; i < options.sets.size(); ++i) {
    results.push_back({L, options.sets[i], jobs[2 * i].nanoseconds_per_unit, jobs[2 * i + 1].nanoseconds_per_unit,
                       plain_job.nanoseconds_per_unit});
  }
  return results;
}

}}  // namespace glassworks::tools
