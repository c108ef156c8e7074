#include "tools/bench/graph_rows.hpp"

#include <algorithm>
#include <deque>
#include <memory>
#include <utility>

#include "engine/config/config.hpp"
#include "tools/bench/model_rows.hpp"
#include "tools/bench/task_batch.hpp"

namespace glassworks { inline namespace tools {
namespace {

constexpr int edge = 16, sites = edge * edge * edge, replicas = 16;

Chain chain_on(const Lattice& lattice, const SpinModel& model, double T, bool over_relaxation) {
  Chain chain;
  chain.model = model;
  chain.lattice = lattice;
  chain.copies = 1;
  chain.beta.assign(replicas, static_cast<float>(1.0 / T));
  chain.protocol.overrelaxation = over_relaxation ? 40 : 0;
  chain.protocol.heatbath = 1;
  chain.protocol.sweeps_per_exchange = over_relaxation ? 1 : 10;
  chain.protocol.exchanges_per_measurement = over_relaxation ? 4 : 10;
  chain.protocol.exchange = ExchangeSchedule::none;
  chain.key = size_key(1, 3, lattice.L);
  return chain;
}

/// The cubic lattice as a list of bonds, with the same couplings.
std::pair<Lattice, Disorder> as_graph(const Lattice& lattice, const Disorder& disorder) {
  std::vector<std::pair<GraphBond, float>> bonds;
  std::vector<std::int32_t> colours;
  for (std::int64_t i = 0; i < lattice.sites(); ++i) {
    colours.push_back(lattice.parity(i));
    for (int axis = 0; axis < lattice.dim; ++axis) {
      const std::int64_t j = lattice.neighbour(i, axis, +1);
      bonds.push_back({{static_cast<std::int32_t>(std::min(i, j)), static_cast<std::int32_t>(std::max(i, j))},
                       disorder.couplings[static_cast<std::size_t>(i * lattice.dim + axis)]});
    }
  }
  std::ranges::sort(bonds);
  Disorder result = disorder;
  std::vector<GraphBond> ends;
  result.couplings.clear();
  for (const auto& [bond, J] : bonds) {
    ends.push_back(bond);
    result.couplings.push_back(J);
  }
  result.graph = std::make_shared<const SiteGraph>(lattice.sites(), std::move(ends), std::vector<GraphAxis>{}, colours);
  Lattice graph{1, static_cast<int>(lattice.sites()), 0, LatticeKind::graph};
  graph.lengths[0] = 1;
  graph.graph_sites = lattice.sites();
  graph.graph_bonds = lattice.bonds();
  return {graph, result};
}

std::pair<Lattice, Disorder> random_regular(const SpinModel& model, double T) {
  Config config;
  config.model.spins = model;
  config.model.lattice = LatticeChoice::random_regular;
  config.model.graph.degree = 6;
  config.model.couplings = CouplingKind::gaussian;
  config.ladder.kind = LadderKind::list;
  config.ladder.temperatures = {T};
  const Lattice lattice = config.model.lattice_of(sites);
  return {lattice, make_disorder(config, lattice, 0)};
}

/// Rounds of a realization by an instruction set, ready to be timed.
class Rounds {
 public:
  Rounds(const Chain& chain, const Disorder& disorder, InstructionSet isa)
      : Rounds(chain, std::vector<Disorder>{disorder}, isa) {}
  /// Of several realizations together.
  Rounds(const Chain& chain, const std::vector<Disorder>& disorder, InstructionSet isa)
      : chain_(chain), backend_(make_backend({BackendKind::cpu, isa, 1})), batch_(disorder.size()) {
    for (std::size_t r = 0; r < disorder.size(); ++r) batch_.begin(r, chain_, disorder[r]);
    timed.units = chain_.updates_per_round() * static_cast<double>(disorder.size());
    timed.work = [this] {
      RoundControl control;
      backend_->run_round(chain_, batch_.tasks(), control);
    };
  }
  Rounds(const Rounds&) = delete;
  Rounds& operator=(const Rounds&) = delete;

  Timed timed;

 private:
  Chain chain_;
  std::unique_ptr<Backend> backend_;
  TaskBatch batch_;
};

/// As many as fill the longest words, with J = +-1: the signs of a Gaussian realization that are turned around by
/// number.
std::vector<Disorder> in_words(const Lattice& lattice, const Disorder& gaussian) {
  std::vector<Disorder> all(512, gaussian);
  std::uint32_t word = 1;
  for (Disorder& one : all) {
    for (float& J : one.couplings) {
      word = word * 1664525U + 1013904223U;
      J = (J < 0.0F) != (word >> 31 != 0) ? -1.0F : 1.0F;
    }
    one.energy_scale = choose_energy_scale(lattice, one.couplings, one.fields, 0.0, one.graph.get());
  }
  return all;
}

/// Multi-spin coding of realizations that share a graph, and of the cubic lattice.
void add_words(const std::pair<Lattice, Disorder>& regular, const std::pair<Lattice, Disorder>& cubic,
               const std::pair<Lattice, Disorder>& cube, const BenchOptions& options,
               std::vector<GraphResult>& results) {
  for (const InstructionSet isa : options.sets) {
    std::deque<Rounds> rounds;
    std::vector<Timed*> timed;
    for (const auto* one : {&regular, &cubic, &cube}) {
      Chain chain = chain_on(one->first, {ModelKind::ising, 2, 1}, 1.0, false);
      chain.beta.resize(2);
      chain.protocol.multispin = MultispinRule::metropolis;
      chain.protocol.exchanges_per_measurement = 1;
      timed.push_back(&rounds.emplace_back(chain, in_words(one->first, one->second), isa).timed);
    }
    time_in_turn(timed, options.repeats, options.seconds, Clock::thread);
    constexpr const char* model = "ising +-J";
    results.push_back({"random-regular z=6", model, "multispin", isa, timed[0]->nanoseconds_per_unit, {}});
    results.push_back(
        {"cubic as a graph", model, "multispin", isa, timed[1]->nanoseconds_per_unit, timed[2]->nanoseconds_per_unit});
  }
}

}  // namespace

std::vector<GraphResult> bench_graphs(const BenchOptions& options) {
  std::vector<GraphResult> results;
  const std::pair<const char*, SpinModel> models[] = {{"ising gaussian", {ModelKind::ising, 2, 1}},
                                                      {"on n=3", {ModelKind::on, 2, 3}}};
  for (const auto& [name, model] : models) {
    const double T = model.is_discrete() ? 1.0 : bench_temperature;
    const Lattice cube{3, edge};
    const Disorder of_cube = disorder_of({name, model, CouplingKind::gaussian, T}, cube, 0);
    const auto regular = random_regular(model, T), cubic = as_graph(cube, of_cube);
    if (model.is_discrete()) add_words(regular, cubic, {cube, of_cube}, options, results);
    for (const bool over_relaxation : {false, true}) {
      if (over_relaxation && model.is_discrete()) continue;
      for (const InstructionSet isa : options.sets) {
        std::deque<Rounds> rounds;
        std::vector<Timed*> timed;
        const auto add = [&](const Lattice& lattice, const Disorder& disorder) {
          timed.push_back(&rounds.emplace_back(chain_on(lattice, model, T, over_relaxation), disorder, isa).timed);
        };
        add(regular.first, regular.second);
        add(cubic.first, cubic.second);
        add(cube, of_cube);
        time_in_turn(timed, options.repeats, options.seconds, Clock::thread);
        const char* const update = over_relaxation ? "over-relaxation" : "heat bath";
        results.push_back({"random-regular z=6", name, update, isa, timed[0]->nanoseconds_per_unit, {}});
        results.push_back(
            {"cubic as a graph", name, update, isa, timed[1]->nanoseconds_per_unit, timed[2]->nanoseconds_per_unit});
      }
    }
  }
  return results;
}

}}  // namespace glassworks::tools
