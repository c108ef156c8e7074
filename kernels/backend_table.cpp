#include "kernels/backend_table.hpp"

#include <algorithm>
#include <iterator>

#include "kernels/core/addresses.hpp"
#include "kernels/models/model_facts.hpp"
#include "kernels/rounds/cluster_checks.hpp"

namespace glassworks {
namespace {

struct NamedModel {
  std::string name;
  SpinModel model;
};
struct NamedUpdate {
  const char* name;
  Protocol protocol;
};
struct NamedLattice {
  const char* name;
  Lattice lattice;
};

std::vector<NamedModel> table_models() {
  const SpinModel heisenberg, on{.kind = ModelKind::on};
  const auto with = [](SpinModel model, bool diluted, bool anisotropic) {
    model.diluted = diluted;
    model.anisotropic = anisotropic;
    return model;
  };
  std::vector<NamedModel> models{{"heisenberg", heisenberg},
                                 {"heisenberg, absent sites", with(heisenberg, true, false)},
                                 {"heisenberg, anisotropy", with(heisenberg, false, true)}};
  for (int kind = 0; kind < model_kinds; ++kind) {
    SpinModel model{.kind = static_cast<ModelKind>(kind), .states = 3};
    model.components = components_of(model);
    if (!model.is_discrete()) continue;
    const std::string name{enum_names(ModelKind{})[static_cast<std::size_t>(kind)]};
    models.push_back({name, model});
    if (facts_of(model).may_lack_sites) models.push_back({name + ", absent sites", with(model, true, false)});
  }
  const NamedModel vectors[] = {{"on, n = 2 to 4", on},
                                {"on, n = 5 to 8", {.kind = ModelKind::on, .components = 5}},
                                {"on, absent sites", with(on, true, false)},
                                {"on, anisotropy", with(on, false, true)},
                                {"phi4, lambda = inf", {.kind = ModelKind::phi4, .components = 4}},
                                {"phi4, finite lambda", {.kind = ModelKind::phi4, .components = 4, .lambda = 1.0}}};
  models.insert(models.end(), std::begin(vectors), std::end(vectors));
  return models;
}

std::vector<NamedUpdate> table_updates() {
  Protocol local;
  local.overrelaxation = 1;
  local.exchanges_per_measurement = 1;
  const auto with = [&](auto change) {
    Protocol protocol = local;
    change(protocol);
    return protocol;
  };
  const auto clusters = [&](ProtocolKind kind) {
    return with([&](Protocol& p) {
      p.kind = kind;
      p.cluster_sweeps = 1;
      p.seed_tile = kind == ProtocolKind::few_cluster ? 2 : 0;
    });
  };
  std::vector<NamedUpdate> updates{{"local", local},
                                   {"local, tile", with([](Protocol& p) { p.tile = 2; })},
                                   {"swendsen-wang", clusters(ProtocolKind::swendsen_wang)},
                                   {"wolff", clusters(ProtocolKind::wolff)},
                                   {"few-cluster", clusters(ProtocolKind::few_cluster)},
                                   {"local, isoenergetic", with([](Protocol& p) { p.isoenergetic = 1; })},
                                   {"multispin", with([](Protocol& p) { p.multispin = MultispinRule::metropolis; })},
                                   {"multispin, copies as lanes", with([](Protocol& p) {
                                      p.multispin = MultispinRule::metropolis;
                                      p.lanes = MultispinLanes::copies;
                                      p.exchange = ExchangeSchedule::none;
                                    })},
                                   {"multispin, isoenergetic", with([](Protocol& p) {
                                      p.multispin = MultispinRule::heat_bath;
                                      p.isoenergetic = 1;
                                    })}};
  for (std::size_t i = 1; i < SiteUpdates::size; ++i) {
    const UpdateTraits& traits = SiteUpdates::traits[i];
    updates.push_back({traits.name.data(), with([&](Protocol& p) {
                         p.local = static_cast<SiteRule>(i);
                         p.adaptation = 1;
                         if (traits.has_reserve) p.exchange = ExchangeSchedule::none;
                       })});
  }
  return updates;
}

std::vector<NamedLattice> table_lattices() {
  const auto prism = [](int x, int y, int z, unsigned open) {
    return Lattice{3, std::max({x, y, z}), open, LatticeKind::hypercubic, {x, y, z, 0}};
  };
  Lattice graph{1, 8, 0, LatticeKind::graph, {1, 0, 0, 0}};
  graph.graph_sites = graph.graph_bonds = 8;
  Lattice terms = graph;
  terms.graph_more_ends = 8;
  return {{"1d", {1, 4}},
          {"2d", {2, 4}},
          {"3d", {3, 4}},
          {"4d", {4, 4}},
          {"3d open", {3, 4, 1U}},
          {"3d shape", prism(4, 4, 6, 0)},
          {"3d odd shape", prism(4, 5, 4, 2U)},
          {"triangular", {2, 4, 0, LatticeKind::triangular}},
          {"fcc", {3, 4, 0, LatticeKind::fcc}},
          {"bcc", {3, 4, 0, LatticeKind::bcc}},
          {"graph", graph},
          {"graph with terms", terms}};
}

/// Two copies at two temperatures, one measurement.
Chain chain_of(const SpinModel& model, const Protocol& protocol, const Lattice& lattice) {
  Chain chain;
  chain.model = model;
  chain.lattice = lattice;
  chain.beta = {0.9F, 0.5F};
  chain.protocol = protocol;
  if (model.is_discrete()) chain.protocol.overrelaxation = chain.protocol.adaptation = 0;
  chain.key = lattice_key(1, lattice, 0);
  return chain;
}

std::string kernels_on(BackendKind backend, const Chain& chain) {
  const KernelFamily* const family = family_of(backend, chain);
  return family == nullptr ? "-" : family->name;
}

}  // namespace

std::vector<BackendCell> backend_cells() {
  std::vector<BackendCell> cells;
  for (const NamedModel& model : table_models()) {
    for (const NamedUpdate& update : table_updates()) {
      for (const NamedLattice& lattice : table_lattices()) {
        const Chain chain = chain_of(model.model, update.protocol, lattice.lattice);
        if (problem_of(chain).empty()) cells.push_back({model.name, update.name, lattice.name, chain});
      }
    }
  }
  return cells;
}

std::vector<BackendRow> backend_table() {
  std::vector<BackendRow> rows;
  for (const BackendCell& cell : backend_cells()) {
    BackendRow row{cell.model, cell.update, cell.lattice, {}};
    std::ranges::transform(table_backends, row.kernels.begin(),
                           [&](BackendKind backend) { return kernels_on(backend, cell.chain); });
    if (std::ranges::all_of(row.kernels, [](const std::string& kernels) { return kernels == "-"; })) continue;
    const auto same = std::ranges::find_if(rows, [&](const BackendRow& other) {
      return other.model == row.model && other.update == row.update && other.kernels == row.kernels;
    });
    if (same == rows.end()) {
      rows.push_back(row);
    } else {
      same->lattices += ", " + row.lattices;
    }
  }
  return rows;
}

}  // namespace glassworks
