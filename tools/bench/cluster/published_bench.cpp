#include "tools/bench/cluster/published_bench.hpp"

#include <cmath>
#include <vector>

#include "kernels/core/addresses.hpp"
#include "kernels/cuda/cluster/ising_updates.hpp"
#include "kernels/make_backend.hpp"
#include "kernels/models/activation.hpp"
#include "tools/bench/cluster/labelling_bench.hpp"

namespace glassworks { inline namespace tools { namespace bench {
namespace {

constexpr PhiloxKey key{20, 11};
constexpr int sweeps = 100;  ///< from random states; the size of clusters has settled

struct Line {
  int q;
  double beta_ratio;  ///< beta / beta_c
  int L;
};

double beta_of(const Line& line) { return line.beta_ratio * std::log(1.0 + std::sqrt(line.q)); }

/// States of the model with two states after Swendsen-Wang updates on the device.
std::vector<std::uint8_t> two_states(const Line& line) {
  const Lattice lattice{2, line.L};
  const auto updates = make_ising_updates(lattice, 1);
  const std::uint32_t threshold = bond_threshold(1.0, static_cast<float>(beta_of(line)), 1.0F);
  updates->set_systems(std::vector<IsingSystem>{{0, 0, threshold, 0}});
  std::vector<std::uint8_t> states(static_cast<std::size_t>(lattice.sites()));
  std::uint32_t word = 1;
  for (std::uint8_t& state : states) {
    word = word * 1664525U + 1013904223U;
    state = static_cast<std::uint8_t>(word >> 31);
  }
  updates->set_states(states);
  for (std::uint64_t sweep = 0; sweep < sweeps; ++sweep) updates->enqueue(key, sweep, nullptr, [](const char*) {});
  updates->get_states(states);
  return states;
}

/// The same for any q on the processor.
std::vector<std::uint8_t> potts_states(const Line& line) {
  Chain chain;
  chain.model.kind = ModelKind::potts;
  chain.model.states = line.q;
  chain.lattice = {2, line.L};
  chain.copies = 1;
  chain.beta = {static_cast<float>(beta_of(line))};
  chain.protocol.overrelaxation = chain.protocol.heatbath = 0;
  chain.protocol.exchanges_per_measurement = 1;
  chain.protocol.kind = ProtocolKind::swendsen_wang;
  chain.protocol.cluster_sweeps = sweeps;
  chain.key = key;
  Disorder disorder;
  disorder.couplings.assign(static_cast<std::size_t>(chain.lattice.bonds()), 1.0F);
  disorder.energy_scale = choose_energy_scale(chain.lattice, disorder.couplings, disorder.fields);
  ChainState state = initial_state(chain, 0);
  RoundRecord record;
  const RoundTask task{0, &disorder, &state, &record};
  RoundControl control;
  make_backend({.kind = BackendKind::cpu})->run_round(chain, {&task, 1}, control);
  return state.states;
}

/// Active bonds of the next update.
BondSet active_bonds(const Graph& graph, const Line& line, const std::vector<std::uint8_t>& states) {
  const Lattice lattice{2, line.L};
  const std::uint32_t threshold = bond_threshold(1.0, static_cast<float>(beta_of(line)), 1.0F);
  BondSet bonds(graph);
  graph.for_each_bond([&](BondIndex b, Site site, Site neighbour) {
    if (states[site] != states[neighbour]) return;
    const WordAddress own = bond_address(lattice, site, b >= graph.stride() ? 1 : 0);
    if (random_block(key, Stream::bonds, 0, 0, sweeps, own.block).word[own.word] < threshold) bonds.activate(b);
  });
  return bonds;
}

}  // namespace

void label_weigel_table(int scale) {
  constexpr Line lines[] = {{2, 1.0, 512},  {2, 1.0, 8192}, {2, 1.0, 16384}, {2, 0.6, 8192},
                            {2, 1.4, 8192}, {3, 1.0, 8192}, {4, 1.0, 8192}};
  for (Line line : lines) {
    line.L /= scale;
    const Graph graph = Graph::hypercubic({line.L, line.L});
    const auto states = line.q == 2 ? two_states(line) : potts_states(line);
    LabellingBench bench(graph, {{"q", line.q}, {"beta_ratio", line.beta_ratio}}, active_bonds(graph, line, states));
    for (const LabellingMethod method : cuda_labelling_methods(graph)) bench.print(method);
  }
}

void label_komura_figures(int scale) {
  constexpr double honeycomb = 0.652703644666139, triangular = 0.347296355333861;
  for (int L = 512 / scale; L <= 4096 / scale; L *= 2) {
    for (const double ratio : {0.5, 1.0, 1.5}) {
      for (const auto& [graph, p] :
           {std::pair{Graph::honeycomb(L, L), ratio * honeycomb}, {Graph::triangular(L, L), ratio * triangular}}) {
        LabellingBench bench(graph, {{"p", p}}, random_bonds(graph, p, 17));
        bench.print(LabellingMethod::direct);
        bench.print(LabellingMethod::tiles);
      }
    }
  }
  const int smaller = static_cast<int>(std::lround(2.0 * std::log2(scale)));
  for (int generations = 17 - smaller; generations <= 22 - smaller; ++generations) {
    for (const Numbering numbering : {Numbering::standard, Numbering::random}) {
      const Graph tree = Graph::bethe(3, generations, numbering, 1);
      for (const double p : {0.25, 0.5, 0.75}) {
        LabellingBench bench(tree, {{"p", p}}, random_bonds(tree, p, 17));
        bench.print(LabellingMethod::direct);
      }
    }
  }
}

}}}  // namespace glassworks::tools::bench
