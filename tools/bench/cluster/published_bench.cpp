#include "tools/bench/cluster/published_bench.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/core/addresses.hpp"
#include "kernels/cuda/cluster/ising_updates.hpp"
#include "kernels/cuda/cluster/potts_updates.hpp"
#include "kernels/models/activation.hpp"
#include "tools/bench/cluster/json_line.hpp"
#include "tools/bench/cluster/labelling_bench.hpp"
#include "tools/bench/cluster/rounds_bench.hpp"

namespace glassworks { inline namespace tools { namespace bench {
namespace {

constexpr PhiloxKey key{20, 11};
/// Updates from random states. At q = 2 clusters have their sizes after 100; at q = 3 and 4 the largest still grow.
constexpr int warm_up = 300;

double beta_of(int q, double beta_ratio) { return beta_ratio * std::log(1.0 + std::sqrt(q)); }

std::vector<std::uint8_t> random_states(std::size_t sites, int q) {
  std::vector<std::uint8_t> states(sites);
  std::uint32_t word = 1;
  for (std::uint8_t& state : states) {
    word = word * 1664525U + 1013904223U;
    state = static_cast<std::uint8_t>(uniform_below(word, static_cast<std::uint32_t>(q)));
  }
  return states;
}

/// Whole Swendsen-Wang updates of one Potts model, labelled in many ways; every line is one way.
class PottsBench {
 public:
  PottsBench(int q, int L)
      : q_(q), L_(L), updates_(L, q, 0.0F), ours_(make_device_labelling(updates_.graph(), LabellingMethod::tiles)) {
    updates_.set_states(random_states(updates_.graph().sites(), q));
  }

  /// To beta_ratio beta_c, from the states of the last one.
  void equilibrate(double beta_ratio) {
    beta_ratio_ = beta_ratio;
    updates_.set_beta(static_cast<float>(beta_of(q_, beta_ratio)));
    for (int i = 0; i < warm_up; ++i) update(*ours_, [](const char*) {});
  }

  /// edge  of the tiles of the methods of Weigel 2011
  void print(LabellingMethod method, std::optional<int> edge = std::nullopt) {
    const auto labelling =
        edge ? make_square_labelling(updates_.graph(), method, *edge) : make_device_labelling(updates_.graph(), method);
    const Times times = time([&](const StageMark& mark) { update(*labelling, mark); });
    print(to_string(method), edge.value_or(0), times, labelling->passes());
  }
  /// Self-labelling with every edge of the tiles; relaxation while it takes no more than 1024 tiles along an edge,
  /// whose passes last for seconds beyond.
  void print_self_labelling(const std::vector<int>& edges) {
    for (const int edge : edges) {
      print(LabellingMethod::self_sewing, edge);
      if (L_ <= 1024 * edge) print(LabellingMethod::self_relaxation, edge);
    }
  }
  /// Methods without such tiles, and for q = 2 the update of campaigns, which activates bonds and labels tiles at once.
  void print_others() {
    for (const auto method : {LabellingMethod::label_equivalence, LabellingMethod::direct, LabellingMethod::tiles}) {
      print(method);
    }
    if (q_ != 2) return;
    const auto campaigns = make_ising_updates({2, L_}, 1);
    const std::uint32_t threshold = bond_threshold(1.0, static_cast<float>(beta_of(2, beta_ratio_)), 1.0F);
    campaigns->set_systems(std::vector<IsingSystem>{{0, 0, threshold, 0}});
    std::vector<std::uint8_t> states(updates_.graph().sites());
    updates_.get_states(states);
    campaigns->set_states(states);
    const Times times = time([&](const StageMark& mark) { campaigns->enqueue(key, sweep_++, nullptr, mark); });
    print("campaigns", 0, times, 0.0);
  }

 private:
  void update(DeviceLabelling& labelling, const StageMark& mark) {
    updates_.enqueue(labelling, key, sweep_++, nullptr, mark);
  }

  /// Up to 15 repeats in about a tenth of a second, and one at least.
  Times time(const std::function<void(const StageMark&)>& work) {
    const double once = timer_.measure(1, 1, work).median;
    return timer_.measure(0, std::clamp(static_cast<int>(50.0 / once), 1, 15), work,
                          std::clamp(static_cast<int>(2.0 / once), 1, 20));
  }

  void print(const std::string& labelling, int edge, const Times& times, double passes) const {
    const auto ps = [this](double ms) { return rounded(1e9 * ms / updates_.graph().sites(), 2); };
    JsonWriter json;
    json.begin_object().field("q", q_).field("beta_ratio", rounded(beta_ratio_, 6)).field("L", L_);
    json.field("labelling", labelling).field("B", edge).field("ps_per_spin", ps(times.median));
    json.field("least", ps(times.least)).field("most", ps(times.most)).field("passes", rounded(passes, 2));
    json.key("stages_ps").begin_object();
    for (const auto& [name, ms] : times.stages) json.field(name, ps(ms));
    print_line(json.end_object().end_object());
  }

  int q_, L_;
  double beta_ratio_ = 0.0;
  PottsUpdates updates_;
  std::unique_ptr<DeviceLabelling> ours_;
  std::uint64_t sweep_ = 0;
  DeviceTimer timer_;
};

constexpr LabellingMethod serial_tiles[] = {LabellingMethod::bfs_sewing, LabellingMethod::bfs_relaxation,
                                            LabellingMethod::union_sewing, LabellingMethod::union_relaxation};

}  // namespace

void time_weigel_figures(int scale) {
  const std::vector<int> edges(std::begin(square_tile_edges), std::end(square_tile_edges));
  const int largest = 16384 / scale, large = 8192 / scale;
  for (int L = std::min(64, largest); L <= largest; L *= 2) {
    PottsBench bench(2, L);
    bench.equilibrate(1.0);
    bench.print_self_labelling(edges);
    if (2 * L == large) {
      for (const int edge : edges) {
        for (const auto method : {LabellingMethod::bfs_sewing, LabellingMethod::union_sewing})
          bench.print(method, edge);
      }
    }
    if (L == 512 || L == large) {
      for (const LabellingMethod method : serial_tiles) bench.print(method, 16);
    }
    bench.print_others();
  }
  PottsBench against_beta(2, large);
  for (const double ratio : {0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 1.05, 1.1, 1.2, 1.4, 1.6}) {
    against_beta.equilibrate(ratio);
    against_beta.print_self_labelling({16, 32, 64});
    if (ratio == 0.6 || ratio == 1.4) {
      for (const LabellingMethod method : serial_tiles) against_beta.print(method, 16);
    }
    against_beta.print_others();
  }
  for (const int q : {3, 4}) {
    PottsBench bench(q, large);
    bench.equilibrate(1.0);
    bench.print_self_labelling({16, 32, 64});
    for (const LabellingMethod method : serial_tiles) bench.print(method, 16);
    bench.print_others();
  }
  time_few_cluster_rounds(scale);
}

void label_komura_figures(int scale) {
  constexpr double honeycomb = 0.652703644666139, triangular = 0.347296355333861;
  for (int L = 512 / scale; L <= 4096 / scale; L *= 2) {
    for (const double ratio : {0.5, 1.0, 1.5}) {
      for (const auto& [graph, p] :
           {std::pair{Graph::honeycomb(L, L), ratio * honeycomb}, {Graph::triangular(L, L), ratio * triangular}}) {
        LabellingBench bench(graph, {{"p", p}}, random_bonds(graph, p, 17));
        for (const LabellingMethod method : cuda_labelling_methods(graph)) bench.print(method);
      }
    }
  }
  const int smaller = static_cast<int>(std::lround(2.0 * std::log2(scale)));
  for (int generations = 17 - smaller; generations <= 22 - smaller; ++generations) {
    for (const Numbering numbering : {Numbering::standard, Numbering::random}) {
      const Graph tree = Graph::bethe(3, generations, numbering, 1);
      for (const double p : {0.25, 0.5, 0.75}) {
        LabellingBench bench(tree, {{"p", p}}, random_bonds(tree, p, 17));
        for (const LabellingMethod method : cuda_labelling_methods(tree)) bench.print(method);
      }
    }
  }
}

}}}  // namespace glassworks::tools::bench
