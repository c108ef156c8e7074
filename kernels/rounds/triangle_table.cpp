#include "kernels/rounds/triangle_table.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "kernels/rounds/bond_view.hpp"

namespace glassworks { inline namespace rounds {
namespace {

/// A neighbour with a larger number.
struct Next {
  std::int32_t site;
  float J;
};

std::vector<std::vector<Next>> larger_neighbours(const BondView& bonds, const Disorder& disorder, std::int64_t sites) {
  std::vector<std::vector<Next>> next(static_cast<std::size_t>(sites));
  for (std::int64_t i = 0; i < sites; ++i) {
    bonds.for_owned(i, [&](std::int64_t j, std::int64_t place) {
      const float J = disorder.couplings[static_cast<std::size_t>(place)];
      if (J != 0.0F && i != j) {
        next[static_cast<std::size_t>(std::min(i, j))].push_back({static_cast<std::int32_t>(std::max(i, j)), J});
      }
    });
  }
  for (std::vector<Next>& of_site : next) std::ranges::sort(of_site, {}, &Next::site);
  return next;
}

/// Of the places of three corners on a closed axis, the one from which the others are the fewest steps ahead.
int first_of(const int (&x)[3], int length) {
  int first = 0, fewest = std::numeric_limits<int>::max();
  for (const int from : x) {
    int farthest = 0;
    for (const int to : x) farthest = std::max(farthest, to < from ? to - from + length : to - from);
    if (farthest >= fewest) continue;
    fewest = farthest;
    first = from;
  }
  return first;
}

}  // namespace

std::int64_t TriangleTable::count(const SiteGraph& graph) {
  std::int64_t count = 0;
  for (const GraphBond& bond : graph.bonds()) {  // a < b < c
    const auto of_a = graph.neighbours(bond.a), of_b = graph.neighbours(bond.b);
    auto c = of_a.begin();
    for (const SiteGraph::Neighbour& n : of_b) {
      if (n.site <= bond.b) continue;
      while (c != of_a.end() && c->site < n.site) ++c;
      if (c == of_a.end()) break;
      count += c->site == n.site ? 1 : 0;
    }
    if (count > most) break;
  }
  return count;
}

double TriangleTable::expected(const Lattice& lattice) {
  const auto sites = static_cast<double>(lattice.sites());
  switch (lattice.kind) {
    case LatticeKind::triangular:
      return 2.0 * sites;
    case LatticeKind::fcc:
      return 8.0 * sites;
    case LatticeKind::graph:
      return sites * lattice.ends_per_site() * std::max(0.0, lattice.ends_per_site() - 1.0) / 6.0;
    case LatticeKind::hypercubic:
    case LatticeKind::bcc:
      break;
  }
  return 0.0;
}

TriangleTable::TriangleTable(const Chain& chain, const Disorder& disorder) : axes_(chain.lattice.dim) {
  const Lattice& lattice = chain.lattice;
  const BondView bonds(lattice, disorder.graph.get());
  const std::vector<std::vector<Next>> next = larger_neighbours(bonds, disorder, lattice.sites());
  for (std::size_t a = 0; a < next.size(); ++a) {
    for (auto b = next[a].begin(); b != next[a].end(); ++b) {
      const std::vector<Next>& of_b = next[static_cast<std::size_t>(b->site)];
      auto c = std::next(b);
      for (const Next& at : of_b) {
        while (c != next[a].end() && c->site < at.site) ++c;
        if (c == next[a].end()) break;
        if (c->site == at.site) {
          if (size() == most) {
            throw std::runtime_error(
                "The chirality of triangles cannot be measured (there are more than 2^25 of them). Leave "
                "triangle_chirality out of round.observables, or use a smaller lattice.");
          }
          triangles_.push_back({{static_cast<std::int32_t>(a), b->site, at.site}, {b->J, at.J, c->J}});
        }
      }
    }
  }
  planes_.reserve(triangles_.size() * static_cast<std::size_t>(axes_));
  for (const Triangle& t : triangles_) {
    int x[Lattice::max_dim][3] = {};
    for (int corner = 0; corner < 3; ++corner) {
      bonds.for_planes(t.site[corner], [&](int axis, int at, int) { x[axis][corner] = at; });
    }
    for (int axis = 0; axis < axes_; ++axis) {
      planes_.push_back(lattice.plane(axis, first_of(x[axis], lattice.length(axis))));
    }
  }
}

}}  // namespace glassworks::rounds
