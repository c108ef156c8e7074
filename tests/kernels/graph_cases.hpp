#pragma once

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "kernels/core/site_graph.hpp"
#include "tests/kernels/cluster/cluster_support.hpp"

/// Small graphs for comparisons of bits, made here so that they depend on no code of the program.
namespace glassworks::test {

struct GraphCase {
  std::string name;
  std::shared_ptr<const SiteGraph> graph;
  Lattice lattice;
};

inline Lattice lattice_of(const SiteGraph& graph, std::uint32_t tag) {
  Lattice lattice{1, static_cast<int>(graph.sites()), 0, LatticeKind::graph};
  lattice.lengths[0] = 1;
  lattice.graph_sites = graph.sites();
  lattice.graph_bonds = graph.couplings();
  lattice.graph_more_ends = graph.more_ends();
  lattice.graph_tag = tag;
  if (!graph.axes().empty()) lattice.dim = static_cast<int>(graph.axes().size());
  for (std::size_t a = 0; a < graph.axes().size(); ++a) lattice.lengths[a] = graph.axes()[a].planes;
  return lattice;
}
inline GraphCase graph_case(const std::string& name, SiteGraph graph) {
  auto shared = std::make_shared<const SiteGraph>(std::move(graph));
  return {name, shared, lattice_of(*shared, static_cast<std::uint32_t>(name.size()))};
}

/// z neighbours of each of N sites, by exchanges of the ends of the bonds of a ring with bonds to the nearest sites.
inline SiteGraph random_regular(int sites, int z, std::uint32_t seed) {
  Source source(seed);
  std::vector<GraphBond> bonds;
  std::set<std::pair<int, int>> there;
  const auto ordered = [](int a, int b) { return std::pair{std::min(a, b), std::max(a, b)}; };
  for (int i = 0; i < sites; ++i) {
    for (int k = 1; k <= z / 2; ++k) bonds.push_back({i, (i + k) % sites});
  }
  for (const GraphBond& bond : bonds) there.insert(ordered(bond.a, bond.b));
  for (std::size_t turn = 0; turn < 20 * bonds.size(); ++turn) {
    GraphBond &x = bonds[static_cast<std::size_t>(source.below(static_cast<int>(bonds.size())))],
              &y = bonds[static_cast<std::size_t>(source.below(static_cast<int>(bonds.size())))];
    if (x.a == y.b || y.a == x.b || there.contains(ordered(x.a, y.b)) || there.contains(ordered(y.a, x.b))) continue;
    there.erase(ordered(x.a, x.b));
    there.erase(ordered(y.a, y.b));
    std::swap(x.b, y.b);
    there.insert(ordered(x.a, x.b));
    there.insert(ordered(y.a, y.b));
  }
  return SiteGraph(sites, bonds);
}
/// Each pair has a bond with probability c/(N - 1): sites of every degree, 0 too.
inline SiteGraph erdos_renyi(int sites, double c, std::uint32_t seed) {
  Source source(seed);
  std::vector<GraphBond> bonds;
  for (int i = 0; i < sites; ++i) {
    for (int j = i + 1; j < sites; ++j) {
      if (source.uniform() < c / (sites - 1)) bonds.push_back({i, j});
    }
  }
  return SiteGraph(sites, bonds);
}
inline SiteGraph complete_graph(int sites) { return erdos_renyi(sites, sites, 1); }

/// L x L cells of three sites, with half cells as planes and the places in the cell as colours.
inline SiteGraph kagome(int L) {
  std::vector<GraphBond> bonds;
  std::vector<GraphAxis> axes(2, {2 * L, {}});
  std::vector<std::int32_t> colours;
  const auto site = [L](int x, int y, int b) { return 3 * ((x + L) % L + L * ((y + L) % L)) + b; };
  for (int y = 0; y < L; ++y) {
    for (int x = 0; x < L; ++x) {
      for (const auto& [a, b] : {std::pair{0, 1}, std::pair{0, 2}, std::pair{1, 2}}) {
        bonds.push_back({site(x, y, a), site(x, y, b)});
        colours.push_back(static_cast<std::int32_t>(colours.size() % 3));
      }
      bonds.push_back({site(x, y, 1), site(x + 1, y, 0)});
      bonds.push_back({site(x, y, 2), site(x, y + 1, 0)});
      bonds.push_back({site(x, y, 1), site(x + 1, y - 1, 2)});
      for (int b = 0; b < 3; ++b) {
        axes[0].plane.push_back(2 * x + (b == 1 ? 1 : 0));
        axes[1].plane.push_back(2 * y + (b == 2 ? 1 : 0));
      }
    }
  }
  return SiteGraph(3 * L * L, bonds, axes, colours);
}

/// Bonds along a ring, and terms of 3 to most_sites sites of any place, some of one site alone.
inline SiteGraph mixed_terms(int sites, int count, int most_sites, std::uint32_t seed) {
  Source source(seed);
  std::vector<GraphBond> bonds;
  for (int i = 0; i + 1 < sites; i += 2) bonds.push_back({i, i + 1});
  std::set<std::set<int>> there;
  TermList terms;
  while (terms.size() < count) {
    const auto size = static_cast<std::size_t>(3 + source.below(most_sites - 2));
    std::set<int> term;
    while (term.size() < size) term.insert(source.below(sites));
    if (there.insert(term).second) terms.add(std::vector<std::int32_t>(term.rbegin(), term.rend()));
  }
  return SiteGraph(sites, bonds, {}, {}, terms);
}

/// Terms of each site and the next two.
inline SiteGraph ring_of_terms(int sites) {
  TermList terms;
  for (int i = 0; i < sites; ++i) terms.add(std::vector<std::int32_t>{i, (i + 1) % sites, (i + 2) % sites});
  return SiteGraph(sites, {}, {}, {}, terms);
}

inline std::vector<GraphCase> graph_cases() {
  return {graph_case("regular", random_regular(50, 4, 3)), graph_case("erdos-renyi", erdos_renyi(61, 2.5, 5)),
          graph_case("complete", complete_graph(24)), graph_case("kagome", kagome(4))};
}

enum class GraphCouplings { gaussian, positive, bimodal };

/// Couplings, and Gaussian fields of n components where `field` is not 0.
inline Disorder graph_disorder(const GraphCase& c, const SpinModel& model, GraphCouplings kind, std::uint32_t seed,
                               double field = 0.0) {
  Source source(seed);
  Disorder d;
  d.graph = c.graph;
  for (std::int64_t b = 0; b < c.lattice.graph_bonds; ++b) {
    const auto J = static_cast<float>(source.normal());
    d.couplings.push_back(kind == GraphCouplings::gaussian   ? J
                          : kind == GraphCouplings::positive ? std::fabs(J)
                                                             : std::copysign(0.7F, J));
  }
  const std::int64_t fields = field > 0.0 ? c.lattice.graph_sites * components_of(model) : 0;
  for (std::int64_t i = 0; i < fields; ++i) d.fields.push_back(static_cast<float>(field * source.normal()));
  d.energy_scale = choose_energy_scale(c.lattice, d.couplings, d.fields, std::fabs(model.crystal_field), c.graph.get());
  return d;
}

}  // namespace glassworks::test
