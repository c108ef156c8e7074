#include "tools/glassworks/instances/instance_search.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>

#include "base/threads.hpp"
#include "kernels/core/addresses.hpp"
#include "kernels/ground/quench.hpp"
#include "kernels/rounds/chain.hpp"
#include "kernels/rounds/held_batch.hpp"

namespace glassworks { inline namespace tools {
namespace {

/// Energies that differ by less are one: sums of the same numbers in another order.
double margin_of(double energy) { return 1e-12 * std::abs(energy); }

/// Root of the mean over the sites of sum_j J_ij^2 + H_i^2: the size of a local field of random spins.
double field_size(const GivenGraph& graph) {
  double sum = 0.0;
  const auto bonds = static_cast<std::int64_t>(graph.graph->bonds().size());
  for (std::int64_t place = 0; place < graph.graph->couplings(); ++place) {
    const double J = graph.couplings[static_cast<std::size_t>(place)];
    const auto ends = place < bonds ? 2.0 : static_cast<double>(graph.graph->terms()[place - bonds].size());
    sum += ends * J * J;
  }
  for (const double H : graph.fields) sum += H * H;
  return std::sqrt(sum / static_cast<double>(graph.graph->sites()));
}

/// Temperatures that reach from free spins to states of which a descent leads to the lowest ones. Their number grows
/// with the root of N, as the acceptance of exchanges asks.
std::vector<float> betas_of(double size, std::int64_t sites) {
  constexpr double lowest = 0.08, highest = 1.5;
  const int slots = std::clamp(static_cast<int>(std::lround(0.6 * std::sqrt(static_cast<double>(sites)))), 12, 80);
  std::vector<float> beta;
  for (int t = 0; t < slots; ++t) {
    const double T = size * lowest * std::pow(highest / lowest, static_cast<double>(t) / (slots - 1));
    beta.push_back(static_cast<float>(1.0 / T));
  }
  return beta;
}

Chain chain_of(const GivenGraph& graph, const SearchEffort& effort) {
  const std::int64_t sites = graph.graph->sites();
  Chain chain;
  chain.model = {ModelKind::ising, 2, 1};
  chain.lattice = {1, static_cast<int>(sites), 0, LatticeKind::graph};
  chain.lattice.lengths[0] = 1;
  chain.lattice.graph_sites = sites;
  chain.lattice.graph_bonds = graph.graph->couplings();
  chain.lattice.graph_more_ends = graph.graph->more_ends();
  chain.copies = 2;
  chain.beta = betas_of(field_size(graph), sites);
  chain.measurements = 0;
  chain.key = lattice_key(effort.seed, chain.lattice);
  chain.protocol.overrelaxation = 0;
  chain.protocol.heatbath = 1;
  // Clusters of differing sites percolate where sites have many neighbours; then they only exchange the copies.
  const double degree = 2.0 * static_cast<double>(chain.lattice.graph_bonds) / static_cast<double>(sites);
  chain.protocol.isoenergetic = degree <= 4.5 && !chain.lattice.has_terms() ? 1 : 0;
  return chain;
}

class InstanceSearch {
 public:
  InstanceSearch(const GivenGraph& graph, InstanceGoal goal, const SearchEffort& effort, Backend& backend, int threads)
      : graph_(graph), goal_(goal), effort_(effort), threads_(threads), chain_(chain_of(graph, effort)) {
    const double sign = goal == InstanceGoal::maximum_cut ? -1.0 : 1.0;
    for (const double J : graph.couplings) given_.couplings.push_back(sign * J);
    given_.fields = graph.fields;
    disorder_.couplings.assign(given_.couplings.begin(), given_.couplings.end());
    disorder_.fields.assign(given_.fields.begin(), given_.fields.end());
    disorder_.graph = graph.graph;
    disorder_.energy_scale =
        choose_energy_scale(chain_.lattice, disorder_.couplings, disorder_.fields, 0.0, disorder_.graph.get());
    std::vector<HeldTask> tasks;
    for (int run = 0; run < effort.runs; ++run) {
      const auto number = static_cast<std::uint32_t>(run);
      tasks.push_back({number, &disorder_, initial_state(chain_, number)});
    }
    result_.sites = chain_.lattice.graph_sites;
    result_.bonds = chain_.lattice.graph_bonds;
    result_.first = graph.first;
    result_.slots = chain_.slots();
    result_.T_max = 1.0 / static_cast<double>(chain_.beta.back());
    result_.T_min = 1.0 / static_cast<double>(chain_.beta.front());
    result_.energy = std::numeric_limits<double>::infinity();
    result_.runs.assign(static_cast<std::size_t>(effort.runs), {result_.energy, 0});
    best_.resize(result_.runs.size());
    parallel_for(tasks.size(), threads_, [&](std::size_t run) { descend(run, tasks[run].state); });
    finish_round();
    held_ = backend.hold(chain_, std::move(tasks));
  }

  InstanceResult run(const StopFlag& stop, const std::function<void(const InstanceResult&)>& progress) {
    const auto start = std::chrono::steady_clock::now();
    std::vector<RoundRecord> records(result_.runs.size());
    RoundControl control;
    while (!is_over()) {
      const std::uint64_t steps =
          std::min(std::clamp<std::uint64_t>(result_.sweeps / 16, 16, 4096), effort_.sweeps - result_.sweeps);
      held_->set_conditions({chain_.beta, 1.0F}, {static_cast<int>(steps), 0});
      if (stop || held_->run_round(records, control) != RoundOutcome::finished) {
        result_.stopped = true;
        break;
      }
      result_.sweeps += steps;
      parallel_for(result_.runs.size(), threads_, [&](std::size_t run) {
        if (const ChainState* const there = held_->state_in_memory(run)) {
          descend(run, *there);
        } else {
          descend(run, held_->state(run));
        }
      });
      finish_round();
      const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
      result_.seconds = spent.count();
      progress(result_);
      if (effort_.seconds > 0.0 && result_.seconds >= effort_.seconds) break;
    }
    return std::move(result_);
  }

 private:
  /// All runs have met the lowest energy, and as many sweeps again have found none that is lower.
  [[nodiscard]] bool is_over() const {
    if (result_.sweeps >= effort_.sweeps) return true;
    if (result_.met() < effort_.runs) return false;
    std::uint64_t latest = 0;
    for (const RunResult& run : result_.runs) latest = std::max(latest, run.sweeps);
    return result_.sweeps >= std::max<std::uint64_t>(2 * latest, 64);
  }

  /// From the coldest slots of a run, of which each thread has another.
  void descend(std::size_t run, const ChainState& state) {
    const auto sites = static_cast<std::size_t>(result_.sites);
    const int slots = std::max(2, chain_.slots() / 8);
    Quench quench(chain_.model, chain_.lattice, disorder_, given_);
    RunResult& of_run = result_.runs[run];
    for (std::size_t replica = 0; replica < state.slot.size(); ++replica) {
      if (state.slot[replica] >= slots) continue;
      const QuenchEnd end = quench.run({}, std::span(state.states).subspan(replica * sites, sites));
      const double energy = end.energy + graph_.constant;
      if (energy >= of_run.energy - margin_of(energy)) continue;
      of_run = {energy, result_.sweeps};
      best_[run] = quench.spins();
    }
  }
  void finish_round() {
    for (std::size_t run = 0; run < result_.runs.size(); ++run) {
      if (result_.runs[run].energy >= result_.energy - margin_of(result_.energy)) continue;
      result_.energy = result_.runs[run].energy;
      result_.spins.assign(best_[run].begin(), best_[run].end());
    }
    if (goal_ != InstanceGoal::maximum_cut) return;
    double total = 0.0;
    for (const double w : graph_.couplings) total += w;
    result_.cut = 0.5 * (total - result_.energy);
  }

  const GivenGraph& graph_;
  InstanceGoal goal_;
  SearchEffort effort_;
  int threads_;
  Chain chain_;
  Disorder disorder_;
  GivenDisorder given_;
  InstanceResult result_;
  std::vector<std::vector<double>> best_;  ///< spins of the lowest state of a run [run][site]
  std::unique_ptr<HeldBatch> held_;
};

}  // namespace

int InstanceResult::met() const {
  return static_cast<int>(
      std::ranges::count_if(runs, [&](const RunResult& run) { return run.energy <= energy + margin_of(energy); }));
}

double InstanceResult::sweeps_to_target() const {
  std::vector<std::uint64_t> times;
  for (const RunResult& run : runs) {
    if (run.energy <= energy + margin_of(energy)) times.push_back(std::max<std::uint64_t>(run.sweeps, 1));
  }
  std::ranges::sort(times);
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < times.size(); ++i) {
    const double p = static_cast<double>(i + 1) / static_cast<double>(runs.size());
    const double repeats = p > 0.99 ? 1.0 : std::log(0.01) / std::log1p(-p);
    best = std::min(best, std::max(repeats, 1.0) * static_cast<double>(times[i]));
  }
  return best;
}

double InstanceResult::seconds_to_target() const {
  if (sweeps == 0) return 0.0;
  return sweeps_to_target() * seconds / (static_cast<double>(sweeps) * static_cast<double>(runs.size()));
}

InstanceResult search_instance(const GivenGraph& graph, InstanceGoal goal, const SearchEffort& effort, Backend& backend,
                               int threads, const StopFlag& stop,
                               const std::function<void(const InstanceResult&)>& progress) {
  return InstanceSearch(graph, goal, effort, backend, threads).run(stop, progress);
}

}}  // namespace glassworks::tools
