#include "tools/bench/cluster/multispin_bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <vector>

#include "base/threads.hpp"
#include "kernels/core/open_ends.hpp"
#include "kernels/make_backend.hpp"
#include "tools/bench/cluster/json_line.hpp"
#include "tools/bench/cluster/regular_graph.hpp"

namespace glassworks { inline namespace tools { namespace bench {
namespace {

constexpr int slots = 16, copies = 2;

/// What rows may have beside a lattice and a rule.
struct RowOptions {
  std::shared_ptr<const SiteGraph> graph{};  ///< of LatticeKind::graph, which all realizations share
  std::string kernel{};                      ///< CudaChoices
  float field = 0.0F;                        ///< the same at all sites
};

/// J = +-1 and spins from a generator of the host that costs nothing.
HeldTask random_task(const Chain& chain, std::uint32_t realization, Disorder& disorder, const RowOptions& options) {
  std::uint32_t word = realization * 2654435761U + 1;
  const auto bit = [&word] {
    word = word * 1664525U + 1013904223U;
    return word >> 31;
  };
  disorder.couplings.resize(static_cast<std::size_t>(chain.lattice.bond_places()));
  for (float& J : disorder.couplings) J = bit() != 0 ? -1.0F : 1.0F;
  cut_open_ends(chain.lattice, disorder.couplings);
  if (options.field != 0.0F) disorder.fields.assign(static_cast<std::size_t>(chain.lattice.sites()), options.field);
  disorder.graph = options.graph;
  disorder.energy_scale =
      choose_energy_scale(chain.lattice, disorder.couplings, disorder.fields, 0.0, options.graph.get());
  HeldTask task{realization, &disorder, {}};
  task.state.states.resize(static_cast<std::size_t>(chain.replicas() * chain.lattice.sites()));
  for (std::uint8_t& state : task.state.states) state = static_cast<std::uint8_t>(bit());
  for (int r = 0; r < chain.replicas(); ++r) task.state.slot.push_back(static_cast<std::uint16_t>(r % chain.slots()));
  task.state.heading.resize(task.state.slot.size());
  task.state.round_trips.resize(task.state.slot.size());
  return task;
}

void time_rounds(const Lattice& lattice, MultispinRule rule, int realizations, const RowOptions& of_row = {}) {
  Protocol protocol;
  protocol.overrelaxation = 0;
  protocol.heatbath = 10;
  protocol.multispin = rule;
  std::vector<float> beta;
  const double lowest = lattice.is_graph() ? 1.5 : lattice.dim == 2 ? 0.4 : lattice.dim == 3 ? 0.7 : 1.2;
  for (int t = 0; t < slots; ++t) beta.push_back(static_cast<float>(1.0 / (lowest * (1.0 + 2.0 * t / (slots - 1)))));
  Chain chain{{ModelKind::ising}, lattice, copies, beta, protocol, 1, {1, 2}, 0};
  const double of_measurement = chain.updates_per_round() * realizations;
  chain.measurements = std::clamp(static_cast<int>(0.25 / (of_measurement * 0.08e-12)), 4, 400);

  BackendOptions options;
  options.kind = BackendKind::cuda;
  options.cuda.kernel = of_row.kernel;
  const std::unique_ptr<Backend> backend = make_backend(options);
  std::vector<Disorder> disorder(static_cast<std::size_t>(realizations));
  std::vector<HeldTask> tasks(disorder.size());
  parallel_for(tasks.size(), hardware_threads(), [&](std::size_t i) {
    tasks[i] = random_task(chain, static_cast<std::uint32_t>(i), disorder[i], of_row);
  });
  const std::unique_ptr<HeldBatch> held = backend->hold(chain, std::move(tasks));
  std::vector<RoundRecord> records(disorder.size());
  std::vector<double> ps;
  for (int i = 0; i < 4; ++i) {
    RoundControl control;
    const auto begin = std::chrono::steady_clock::now();
    static_cast<void>(held->run_round(records, control));
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    if (i > 0) ps.push_back(1e12 * seconds.count() / (chain.updates_per_round() * realizations));
  }
  std::sort(ps.begin(), ps.end());
  JsonWriter json;
  json.begin_object().field("model", fmt::format("ising +-J, multi-spin, {}",
                                                 rule == MultispinRule::metropolis ? "metropolis" : "heat-bath"));
  if (of_row.graph != nullptr) json.field("graph", "random-regular").field("z", of_row.graph->largest_degree());
  if (lattice.open != 0) json.field("open_axes", static_cast<int>(lattice.open));
  if (of_row.field != 0.0F) json.field("field", rounded(of_row.field, 4));
  json.field("kernel", backend->kernel_description(chain));
  json.field("dim", lattice.dim).field("L", lattice.L).field("realizations", realizations).field("slots", slots);
  json.field("copies", copies).field("measurements", chain.measurements).field("ps_per_spin", rounded(ps[1], 4));
  json.field("least", rounded(ps[0], 4)).field("most", rounded(ps[2], 4)).end_object();
  print_line(json);
}

/// All realizations on one random regular graph.
void time_rounds_on_graph(int sites, int degree, MultispinRule rule, int realizations, const std::string& kernel = {}) {
  const RegularGraph regular(sites, degree);
  time_rounds(regular.lattice, rule, realizations, {regular.graph, kernel});
}

}  // namespace

void time_multispin_graphs(int scale) {
  constexpr auto metropolis = MultispinRule::metropolis, heat_bath = MultispinRule::heat_bath;
  const int many = std::max(128, 4096 / scale);
  for (const MultispinRule rule : {metropolis, heat_bath}) {
    for (const int degree : {3, 4, 6}) time_rounds_on_graph(4096, degree, rule, many);
  }
  for (const int sites : {256, 1024, 8192, 16384, 32768}) {
    time_rounds_on_graph(sites, 6, metropolis, std::max(128, many * 4096 / sites / 128 * 128));
  }
  for (const char* const kernel : {"words 2", "words 1", "words memory", "plain"}) {
    time_rounds_on_graph(4096, 6, metropolis, std::max(128, many / (kernel[0] == 'p' ? 8 : 1)), kernel);
  }
}

void time_multispin_rounds(int scale, const MultispinRow& only) {
  constexpr auto metropolis = MultispinRule::metropolis, heat_bath = MultispinRule::heat_bath;
  const int many = std::max(128, 4096 / scale), few = std::max(128, 512 / scale);
  if (only.L != 0)
    return time_rounds({only.dim, only.L, only.open}, metropolis, many, {nullptr, only.kernel, only.field});
  for (const int L : {4, 6, 8, 10, 12, 16, 20, 24, 32}) time_rounds({3, L}, metropolis, many);
  for (const int L : {16, 32, 64, 128}) time_rounds({2, L}, metropolis, many);
  for (const int L : {4, 6, 8, 10}) time_rounds({4, L}, metropolis, many);
  for (const int L : {8, 12, 16, 24, 32}) time_rounds({3, L}, metropolis, few);
  for (const int L : {8, 16}) time_rounds({3, L}, heat_bath, many);
  time_rounds({3, 8}, metropolis, 4 * many);
  // Beside the rows above: open ends, a field, and both.
  constexpr float field = 0.1F;
  for (const int L : {4, 8, 12, 16, 24, 32}) {
    time_rounds({3, L, 7}, metropolis, many);
    time_rounds({3, L}, metropolis, many, {.field = field});
  }
  for (const Lattice lattice : {Lattice{2, 32}, Lattice{2, 64}, Lattice{4, 4}, Lattice{4, 6}}) {
    const Lattice open{lattice.dim, lattice.L, (1U << lattice.dim) - 1};
    time_rounds(open, metropolis, many);
    time_rounds(lattice, metropolis, many, {.field = field});
  }
  for (const int L : {8, 16}) time_rounds({3, L, 7}, metropolis, many, {.field = field});
  time_rounds({3, 8, 7}, heat_bath, many);
}

}}}  // namespace glassworks::tools::bench
