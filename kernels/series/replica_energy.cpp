#include "kernels/series/replica_energy.hpp"

#include <span>
#include <vector>

#include "kernels/models/anisotropy.hpp"
#include "kernels/models/for_model.hpp"
#include "kernels/models/site_array.hpp"
#include "kernels/rounds/bond_view.hpp"
#include "kernels/series/site_energy.hpp"

namespace glassworks { inline namespace series {
namespace {

/// Neighbours of the sites of one row along +v_b and -v_b; past an open end, where J = 0, those at the other end.
class RowNeighbours {
 public:
  RowNeighbours(const Lattice& lattice, std::int64_t row) : length_(lattice.length(0)), bonds_(lattice.owned()) {
    const std::int64_t first = row * length_;
    for (int bond = 0; bond < bonds_; ++bond) {
      for (const int side : {0, 1}) {
        const int direction = 1 - 2 * side;
        Place& p = place_[side][bond];
        p.dx = direction * lattice.step(bond, 0);
        p.row = lattice.neighbour(first, bond, direction) / length_ * length_;
      }
    }
  }
  [[nodiscard]] std::int64_t forward(int x, int bond) const { return at(place_[0][bond], x); }
  [[nodiscard]] std::int64_t backward(int x, int bond) const { return at(place_[1][bond], x); }

 private:
  struct Place {
    int dx = 0;
    std::int64_t row = 0;
  };
  [[nodiscard]] std::int64_t at(const Place& p, int x) const {
    x += p.dx;
    return p.row + (x < 0 ? x + length_ : (x >= length_ ? x - length_ : x));
  }

  int length_, bonds_;
  Place place_[2][Lattice::most_owned];
};

/// Those of the site x of a row.
struct SiteNeighbours {
  const RowNeighbours& row;
  int x;
  [[nodiscard]] std::int64_t forward(int bond) const { return row.forward(x, bond); }
  [[nodiscard]] std::int64_t backward(int bond) const { return row.backward(x, bond); }
};

/// For the terms of a site alone.
struct NoNeighbours {
  [[nodiscard]] static std::int64_t forward(int) { return 0; }
};

/// What site_energy.hpp asks for.
template <class M>
class SitesOfReplica {
  using Site = typename M::Site;
  static constexpr int n = M::components;

 public:
  SitesOfReplica(const Chain& chain, const Disorder& disorder, const float* spins, const std::uint8_t* states)
      : disorder_(disorder),
        // Only read.
        sites_(const_cast<std::uint8_t*>(states), const_cast<float*>(spins), chain.lattice.sites()),
        owned_(chain.lattice.owned()) {}

  [[nodiscard]] Site at(std::int64_t i) const { return sites_.load(i); }
  [[nodiscard]] float coupling(std::int64_t site, int bond) const {
    return disorder_.couplings[static_cast<std::size_t>(site * owned_ + bond)];
  }
  [[nodiscard]] bool has_fields() const { return disorder_.has_fields(); }
  [[nodiscard]] exact::Vector<n> field(std::int64_t i) const {
    exact::Vector<n> H;
    for (int k = 0; k < n; ++k) H.c[k] = disorder_.fields[static_cast<std::size_t>(i * n + k)];
    return H;
  }
  [[nodiscard]] float anisotropy(std::int64_t i, const Site& s) const {
    if constexpr (!M::discrete) {
      if (!disorder_.axes.empty()) {
        exact::Vector<n> axis;
        for (int k = 0; k < n; ++k) axis.c[k] = disorder_.axes[static_cast<std::size_t>(i * n + k)];
        return exact::anisotropy_term(disorder_.anisotropy, axis, s);
      }
    }
    return 0.0F;
  }

 private:
  const Disorder& disorder_;
  SiteArray<Site> sites_;
  int owned_;
};

/// Minus the energy on a graph: of the sites, of the bonds and of terms of more than two spins.
template <class M>
std::int64_t graph_terms(const Chain& chain, const Disorder& disorder, const SitesOfReplica<M>& sites, float scale) {
  std::int64_t sum = 0;
  const BondView bonds(chain.lattice, disorder.graph.get());
  for (std::int64_t i = 0; i < chain.lattice.sites(); ++i) {
    sum += site_terms<M>(chain.model, sites, NoNeighbours{}, i, 0, scale);
    bonds.for_owned(i, [&](std::int64_t j, std::int64_t place) {
      const float J = disorder.couplings[static_cast<std::size_t>(place)];
      sum += to_fixed_clamped(exact::mul(J, M::product(chain.model, sites.at(i), sites.at(j))), scale);
    });
    if constexpr (has_products<M>) {
      bonds.for_owned_terms(i, [&](std::span<const std::int32_t> term, std::int64_t place) {
        const float J = disorder.couplings[static_cast<std::size_t>(place)];
        const auto others = product_of_others<M>(term, i, [&](std::int64_t j) { return sites.at(j); });
        sum += to_fixed_clamped(exact::mul(J, M::product(chain.model, sites.at(i), others)), scale);
      });
    }
  }
  return sum;
}

/// Sum of term(i, neighbours) over all sites.
template <class Term>
std::int64_t sum_over_sites(const Lattice& lattice, const Term& term) {
  std::int64_t sum = 0;
  const int length = lattice.length(0);
  for (std::int64_t row = 0; row < lattice.rows(); ++row) {
    const RowNeighbours next(lattice, row);
    for (int x = 0; x < length; ++x) sum += term(row * length + x, SiteNeighbours{next, x});
  }
  return sum;
}

}  // namespace

std::int64_t replica_energy(const Chain& chain, const Disorder& disorder, const float* spins,
                            const std::uint8_t* states) {
  return for_any_model(chain.model, [&](auto m) {
    using M = decltype(m);
    const SitesOfReplica<M> sites(chain, disorder, spins, states);
    const Lattice& lattice = chain.lattice;
    const float scale = disorder.energy_scale.multiplier();
    if (lattice.is_graph()) return -graph_terms<M>(chain, disorder, sites, scale);
    if constexpr (std::is_same_v<typename M::Site, exact::Vector<3>>) {
      if (chain.model.kind == ModelKind::heisenberg) {
        return -sum_over_sites(lattice, [&](std::int64_t i, const SiteNeighbours& next) {
          return field_terms<M>(chain.model, sites, next, i, lattice.owned(), lattice.parity(i) == 1, scale);
        });
      }
    }
    return -sum_over_sites(lattice, [&](std::int64_t i, const SiteNeighbours& next) {
      return site_terms<M>(chain.model, sites, next, i, lattice.owned(), scale);
    });
  });
}

}}  // namespace glassworks::series
