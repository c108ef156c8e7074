#include "tools/bench/cluster/rounds_bench.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/threads.hpp"
#include "kernels/make_backend.hpp"
#include "tools/bench/cluster/json_line.hpp"
#include "tools/bench/cluster/regular_graph.hpp"
#include "tools/bench/task_batch.hpp"

namespace glassworks { inline namespace tools { namespace bench {
namespace {

struct RoundCase {
  std::string name;
  SpinModel model;
  Lattice lattice;
  int copies = 1;
  std::vector<float> beta;
  Protocol protocol;
  bool disordered = false;
  Start start = Start::random;
  std::shared_ptr<const SiteGraph> graph = nullptr;  ///< of a lattice that is a graph
};

Protocol protocol_of(ProtocolKind kind, int steps_per_measurement, int heatbath = 0) {
  Protocol p;
  p.overrelaxation = 0;
  p.heatbath = heatbath;
  p.exchanges_per_measurement = steps_per_measurement;
  p.exchange = ExchangeSchedule::none;
  p.kind = kind;
  p.cluster_sweeps = kind == ProtocolKind::local ? 0 : 1;
  return p;
}

Disorder couplings_of(const RoundCase& c, std::uint32_t seed) {
  Disorder disorder;
  disorder.graph = c.graph;
  std::uint32_t word = seed;
  for (std::int64_t b = 0; b < c.lattice.bonds(); ++b) {
    word = word * 1664525U + 1013904223U;
    disorder.couplings.push_back(c.disordered && (word >> 31) != 0 ? -1.0F : 1.0F);
  }
  disorder.energy_scale =
      choose_energy_scale(c.lattice, disorder.couplings, disorder.fields, c.model.crystal_field, c.graph.get());
  return disorder;
}

/// A ferromagnet on a random regular graph of degree 6, at a multiple of T_c = J / artanh(1/5).
RoundCase on_regular_graph(int sites, double T_over_T_c, const Protocol& protocol) {
  const RegularGraph regular(sites, 6);
  const std::string name = T_over_T_c == 1.0 ? "T_c" : "T = " + std::to_string(static_cast<int>(T_over_T_c)) + " T_c";
  RoundCase c{"ising on a regular graph, wolff, " + name,
              {ModelKind::ising},
              regular.lattice,
              1,
              {static_cast<float>(std::atanh(0.2) / T_over_T_c)},
              protocol};
  c.graph = regular.graph;
  return c;
}

/// A batch whose states go on from round to round.
class RoundsBench {
 public:
  /// systems  0: as many as the backend prefers
  explicit RoundsBench(const RoundCase& c, int systems = 0, const CudaChoices& choices = {})
      : case_(c), chain_{c.model, c.lattice, c.copies, c.beta, c.protocol, 1, {1, 2}, 0} {
    chain_.start = c.start;
    BackendOptions options;
    options.kind = BackendKind::cuda;
    options.cuda = choices;
    backend_ = make_backend(options);
    tasks_.emplace(static_cast<std::size_t>(systems > 0 ? systems : std::max(1, backend_->preferred_batch(chain_))));
    for (std::size_t i = 0; i < tasks_->size(); ++i) {
      tasks_->begin(i, chain_, couplings_of(c, static_cast<std::uint32_t>(i)));
    }
  }

  [[nodiscard]] int systems() const { return static_cast<int>(tasks_->size()); }

  /// Times one measurement with the steps before it: from the end of the first measurement of a round to the end of the
  /// last one. This excludes the transfers of states before and after a round, whose times vary with the host's paging.
  void print() {
    constexpr int measurements = 16, repeats = 3;
    chain_.measurements = measurements;
    round();
    std::vector<double> seconds;
    for (int i = 0; i < repeats; ++i) seconds.push_back(round() / (measurements - 1));
    std::sort(seconds.begin(), seconds.end());
    const double updates = chain_.updates_per_round() / chain_.measurements * static_cast<double>(tasks_->size());
    const auto ps = [updates](double s) { return rounded(1e12 * s / updates, 2); };
    JsonWriter json;
    json.begin_object().field("model", case_.name + ", round").field("dim", case_.lattice.dim);
    json.field("L", case_.lattice.L).field("systems", tasks_->size() * static_cast<std::size_t>(chain_.replicas()));
    json.field("steps_per_measurement", case_.protocol.exchanges_per_measurement);
    json.field("ps_per_spin", ps(seconds[repeats / 2])).field("least", ps(seconds[0]));
    json.field("most", ps(seconds.back())).end_object();
    print_line(json);
  }

 private:
  /// One round; seconds from the end of its first measurement to that of its last one.
  double round() {
    RoundControl control;
    std::atomic<bool> ended = false;
    double begin = 0.0, end = 0.0;
    Thread watch([&] {
      std::uint64_t seen = 0;
      while (!ended.load()) {
        const std::uint64_t updates = control.updates.load();
        if (updates == seen) {
          std::this_thread::sleep_for(std::chrono::microseconds(20));
          continue;
        }
        end = std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
        if (seen == 0) begin = end;
        seen = updates;
      }
    });
    backend_->run_round(chain_, tasks_->tasks(), control);
    ended = true;
    watch.join();
    return end - begin;
  }

  RoundCase case_;
  Chain chain_;
  std::unique_ptr<Backend> backend_;
  std::optional<TaskBatch> tasks_;
};

std::vector<float> ladder(int slots, double T_min, double T_max) {
  std::vector<float> beta;
  for (int t = 0; t < slots; ++t) {
    beta.push_back(static_cast<float>(1.0 / (T_min + (T_max - T_min) * t / std::max(1, slots - 1))));
  }
  return beta;
}

Protocol wolff(int steps) { return protocol_of(ProtocolKind::wolff, steps); }

/// Single systems, and as many as a device takes, by each way to find clusters.
void print_ways(const std::vector<RoundCase>& cases) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::pair<const char*, CudaChoices> ways[] = {
      {"labelled", {.most_grown = -1.0}}, {"grown", {.most_grown = infinity}}, {"by cost", {}}};
  for (const RoundCase& c : cases) {
    const int many = RoundsBench(c).systems();
    for (const int systems : {1, 64, many}) {
      if (systems > many) break;
      for (const auto& [way, choices] : ways) {
        RoundCase of_way = c;
        of_way.name += std::string(", ") + way;
        RoundsBench(of_way, systems, choices).print();
      }
    }
  }
}

}  // namespace

void time_cluster_rounds(int scale) {
  const SpinModel ising{ModelKind::ising}, potts{ModelKind::potts, 3}, phi4{ModelKind::phi4};
  const SpinModel free_modulus{ModelKind::phi4, 2, 4, 1.0}, heisenberg{ModelKind::on, 2, 3};
  constexpr ProtocolKind swendsen_wang = ProtocolKind::swendsen_wang;
  Protocol few = protocol_of(ProtocolKind::few_cluster, 10);
  few.seed_tile = 32;
  Protocol glass = protocol_of(swendsen_wang, 10, 1);
  glass.isoenergetic = 1;
  glass.exchange = ExchangeSchedule::even_odd;
  Protocol vectors = protocol_of(ProtocolKind::local, 10, 1);
  vectors.overrelaxation = 10;
  vectors.exchange = ExchangeSchedule::even_odd;
  const SpinModel xy{ModelKind::on, 2, 2}, o4{ModelKind::on, 2, 4};
  const std::vector<RoundCase> cases = {
      {"ising", ising, {2, 4096 / scale}, 1, {0.4406868F}, protocol_of(swendsen_wang, 10)},
      {"ising", ising, {2, 512 / scale}, 1, {0.4406868F}, protocol_of(swendsen_wang, 10)},
      {"ising", ising, {2, 32}, 1, {0.4406868F}, protocol_of(swendsen_wang, 10)},
      {"ising", ising, {2, 1024 / scale}, 1, {0.4406868F}, protocol_of(swendsen_wang, 10)},
      {"ising, few-cluster", ising, {2, 1024 / scale}, 1, {0.4406868F}, few},
      {"potts, q = 3", potts, {2, 4096 / scale}, 1, {1.0050525F}, protocol_of(swendsen_wang, 10)},
      {"phi4, lambda = inf", phi4, {4, 28}, 1, {0.608F}, protocol_of(swendsen_wang, 10)},
      {"phi4, lambda = 1", free_modulus, {4, 16}, 1, {0.4F}, protocol_of(swendsen_wang, 10, 1)},
      {"on, n = 3", heisenberg, {3, 32}, 2, ladder(8, 1.3, 1.7), protocol_of(swendsen_wang, 10, 1)},
      {"ising +-J, copies moved", ising, {3, 12}, 2, ladder(24, 0.5, 2.0), glass, true},
      {"ising +-J, local", ising, {3, 12}, 2, ladder(24, 0.5, 2.0), protocol_of(ProtocolKind::local, 10, 10), true},
      {"ising +-J, local", ising, {3, 8}, 2, ladder(24, 0.5, 2.0), protocol_of(ProtocolKind::local, 10, 10), true},
      {"ising +-J, local", ising, {3, 16}, 2, ladder(24, 0.5, 2.0), protocol_of(ProtocolKind::local, 10, 10), true},
      {"XY +-J, local", xy, {3, 8}, 2, ladder(24, 0.2, 0.8), vectors, true},
      {"XY +-J, local", xy, {3, 12}, 2, ladder(24, 0.2, 0.8), vectors, true},
      {"XY +-J, local", xy, {3, 16}, 2, ladder(24, 0.2, 0.8), vectors, true},
      {"O(3) +-J, local", heisenberg, {3, 12}, 2, ladder(24, 0.1, 0.4), vectors, true},
      {"O(4) +-J, local", o4, {3, 8}, 2, ladder(24, 0.1, 0.4), vectors, true},
      {"O(4) +-J, local", o4, {3, 12}, 2, ladder(24, 0.1, 0.4), vectors, true}};
  for (const RoundCase& c : cases) RoundsBench(c).print();
}

void time_few_cluster_rounds(int scale) {
  for (int L = 32; L <= 8192 / scale; L *= 2) {
    const auto print = [L](const std::string& name, const Protocol& protocol) {
      const RoundCase c{name, {ModelKind::ising}, {2, L}, 1, {0.4406868F}, protocol};
      RoundsBench(c, 1).print();
      if (L < 1024) RoundsBench(c).print();
    };
    for (const int part : {2, 4}) {
      Protocol few = protocol_of(ProtocolKind::few_cluster, 10);
      few.seed_tile = L / part;
      few.p_flip = 0.95;
      print("ising, few-cluster, tile L/" + std::to_string(part), few);
    }
    print("ising, wolff", protocol_of(ProtocolKind::wolff, 10));
  }
}

void time_single_clusters(int scale) {
  const SpinModel ising{ModelKind::ising}, potts{ModelKind::potts, 10}, heisenberg{ModelKind::on, 2, 3};
  Protocol ladder_of_wolff = wolff(10), few = protocol_of(ProtocolKind::few_cluster, 50);
  ladder_of_wolff.exchange = ExchangeSchedule::even_odd;
  ladder_of_wolff.sweeps_per_exchange = 10;
  few.seed_tile = 16;
  few.p_flip = 0.95;
  const auto at_T_c = [](const std::string& name, const SpinModel& model, const Lattice& lattice, float beta,
                         const Protocol& protocol) {
    return RoundCase{name + ", T_c", model, lattice, 1, {beta}, protocol, false, Start::ordered};
  };
  const std::vector<RoundCase> cases = {
      {"potts, q = 10, T = 2, wolff", potts, {2, 32}, 1, {0.5F}, wolff(200)},
      at_T_c("potts, q = 10, wolff", potts, {2, 32}, 1.4260624F, wolff(50)),
      at_T_c("ising, wolff", ising, {2, 64}, 0.4406868F, wolff(50)),
      at_T_c("ising, wolff", ising, {2, 128}, 0.4406868F, wolff(50)),
      at_T_c("ising, wolff", ising, {2, 1024 / scale}, 0.4406868F, wolff(10)),
      at_T_c("ising, wolff", ising, {3, 64 / scale}, 0.22165F, wolff(20)),
      at_T_c("on, n = 3, wolff", heisenberg, {3, 32}, 0.693F, wolff(20)),
      at_T_c("ising, few-cluster, tile 16", ising, {2, 64}, 0.4406868F, few),
      {"potts, q = 10, 16 temperatures, wolff", potts, {2, 32}, 1, ladder(16, 0.6, 1.2), ladder_of_wolff}};
  print_ways(cases);
}

void time_single_clusters_on_graphs(int scale) {
  print_ways({on_regular_graph(4096, 2.0, wolff(200)), on_regular_graph(4096, 1.0, wolff(50)),
              on_regular_graph(65536 / scale, 1.0, wolff(20))});
}

void time_cluster_measurements(int scale) {
  const SpinModel ising{ModelKind::ising}, potts{ModelKind::potts, 3}, phi4{ModelKind::phi4};
  const SpinModel free_modulus{ModelKind::phi4, 2, 4, 1.0}, xy{ModelKind::on, 2, 2}, heisenberg{ModelKind::on, 2, 3};
  const Protocol each = protocol_of(ProtocolKind::swendsen_wang, 1);
  const std::vector<RoundCase> cases = {
      {"ising", ising, {2, 4096 / scale}, 1, {0.4406868F}, each},
      {"phi4, lambda = inf", phi4, {4, 28}, 1, {0.608F}, each},
      {"ising", ising, {2, 512 / scale}, 1, {0.4406868F}, each},
      {"ising", ising, {2, 32}, 1, {0.4406868F}, each},
      {"ising", ising, {3, 128}, 1, {0.22165F}, each},
      {"ising, two copies", ising, {3, 16}, 2, ladder(8, 4.0, 5.0), each},
      {"potts, q = 3", potts, {2, 2048 / scale}, 1, {1.0050525F}, each},
      {"on, n = 2", xy, {3, 64}, 1, {0.4542F}, each},
      {"on, n = 3, two copies", heisenberg, {3, 32}, 2, ladder(4, 1.3, 1.7), each},
      {"phi4, lambda = 1", free_modulus, {4, 16}, 1, {0.4F}, protocol_of(ProtocolKind::swendsen_wang, 1, 1)}};
  for (const RoundCase& c : cases) RoundsBench(c).print();
}

}}}  // namespace glassworks::tools::bench
