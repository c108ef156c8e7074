#include "kernels/cpu/neighbours/graph_replicas.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "kernels/core/addresses.hpp"
#include "kernels/cpu/neighbours/graph_bundle.hpp"
#include "kernels/cpu/neighbours/graph_measurement.hpp"
#include "kernels/rounds/copy_pairs.hpp"
#include "kernels/rounds/exchange.hpp"
#include "kernels/rounds/round_record.hpp"

namespace glassworks { inline namespace cpu {
namespace {

class GraphReplicas final : public Replicas {
 public:
  GraphReplicas(const Chain& chain, const RoundTask& task, const GraphTable& kernels, const Team& team)
      : chain_(chain),
        realization_(task.realization),
        beside_(beside_at_start(chain, *task.disorder, task.realization, *task.state)),
        proposed_(proposals_of_step(chain, *task.disorder)),
        system_(chain, *task.disorder, task.realization, beside_.data()),
        graph_(chain.lattice, *task.disorder),
        measurement_(system_, graph_, kernels, team.size),
        last_slot_(task.state->slot),
        energy_(static_cast<std::size_t>(chain.replicas())) {
    for (int first = 0; first < chain.replicas(); first += bundle_lanes) {
      bundles_.emplace_back(system_, graph_, kernels, *task.state, first);
    }
  }

  void step(const ChainState& state, bool observe, int member, Team& team) override {
    const Step& step = system_.step;
    for_bundles(member, team, [&](GraphBundle& b) { b.begin_step(state.slot); });
    for (int t = 0; t < step.repetitions(); ++t) {
      const std::uint64_t repetition = step.repetition(state.steps, t);
      const bool observed = observe && t + 1 == step.repetitions();
      step.for_each_run([&](const MoveRun& run) {
        if (run.between_copies) {
          team.synchronize();
          isoenergetic(run.moves, repetition, state, member, team);
          team.synchronize();
          return;
        }
        for_bundles(member, team, [&](GraphBundle& b) { b.make(run.moves, repetition, observed); });
      });
    }
    const bool energies = observe || exchanges_move_replicas(chain_);
    for_bundles(member, team, [&](GraphBundle& b) { b.finish_step(energies ? energy_.data() : nullptr); });
    if (member == 0 && observe) last_slot_ = state.slot;
  }

  std::span<const std::int64_t> energies() override { return energy_; }

  void measure(int m, const ChainState& state, RoundRecord& record, int member, Team& team) override {
    const std::vector<std::size_t> at = replicas_at(chain_, state.slot);
    for (int group = member; group < measurement_.groups(); group += team.size) {
      measurement_.sum_up(group, bundles_, at, energy_, member);
    }
    team.synchronize();
    if (member != 0) return;
    std::vector<ClusterSums> clusters;
    for (const std::size_t r : replicas_at(chain_, last_slot_)) clusters.push_back(sums_of_step(r));
    measurement_.add(m, clusters, record);
    if (adapts_after(chain_, state.steps)) adapt();
  }

  void store(ChainState& state) override {
    state.beside = std::move(beside_);
    for (const GraphBundle& b : bundles_) b.store(state);
  }

 private:
  template <class Body>
  void for_bundles(int member, const Team& team, const Body& body) {
    for (auto b = static_cast<std::size_t>(member); b < bundles_.size(); b += static_cast<std::size_t>(team.size)) {
      body(bundles_[b]);
    }
  }
  [[nodiscard]] GraphBundle& bundle_of(std::size_t replica) { return bundles_[replica / bundle_lanes]; }
  [[nodiscard]] static int lane_of(std::size_t replica) { return static_cast<int>(replica % bundle_lanes); }

  [[nodiscard]] ClusterSums sums_of_step(std::size_t r) {
    ClusterSums sums = bundle_of(r).sums(lane_of(r));
    sums.proposed = proposed_;
    return sums;
  }
  void adapt() {
    std::vector<std::uint64_t> accepted(static_cast<std::size_t>(chain_.slots()), 0);
    for (std::size_t r = 0; r < last_slot_.size(); ++r) accepted[last_slot_[r]] += sums_of_step(r).accepted;
    adapt_widths(chain_, accepted, proposed_, beside_);
  }

  /// Moves between copies; slots are dealt out to the members.
  void isoenergetic(std::span<const PlacedMove> moves, std::uint64_t repetition, const ChainState& state, int member,
                    const Team& team) {
    const std::vector<std::size_t> at = replicas_at(chain_, state.slot);
    for (int slot = member; slot < chain_.isoenergetic_slots(); slot += team.size) {
      system_.step.for_each(moves, repetition, [&](const NumberedMove& move) {
        for_moved_pairs(
            chain_, realization_, move.number, slot, at,
            [&](std::size_t first, std::size_t second, std::uint32_t word) {
              GraphSpins &a = bundle_of(first).spins(), &b = bundle_of(second).spins();
              isoenergetic_move(
                  system_, word,
                  [&](std::int64_t i) { return GraphSpins::differ(a, lane_of(first), b, lane_of(second), i); },
                  [&](std::int64_t i) { GraphSpins::swap(a, lane_of(first), b, lane_of(second), i); });
            });
      });
    }
  }

  const Chain& chain_;
  std::uint32_t realization_;
  std::vector<std::int64_t> beside_;
  const std::uint64_t proposed_;
  const ClusterSystem system_;
  const GraphRealization graph_;
  GraphMeasurement measurement_;
  std::vector<GraphBundle> bundles_;
  std::vector<std::uint16_t> last_slot_;  ///< slots during the last step [replica]
  std::vector<std::int64_t> energy_;      ///< [replica]
};

}  // namespace

std::unique_ptr<Replicas> make_graph_replicas(const Chain& chain, const RoundTask& task, InstructionSet isa,
                                              Team& team) {
  return std::make_unique<GraphReplicas>(chain, task, graph_kernels(isa, chain.model), team);
}

}}  // namespace glassworks::cpu
