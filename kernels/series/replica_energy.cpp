#include "kernels/series/replica_energy.hpp"

#include <vector>

#include "kernels/models/anisotropy.hpp"
#include "kernels/models/cluster_sums.hpp"
#include "kernels/models/for_model.hpp"
#include "kernels/models/site_array.hpp"

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

template <class M>
class EnergyOfReplica {
  using Site = typename M::Site;
  static constexpr int n = M::components;

 public:
  EnergyOfReplica(const Chain& chain, const Disorder& disorder, const float* spins, const std::uint8_t* states)
      : model_(chain.model),
        lattice_(chain.lattice),
        disorder_(disorder),
        // Only read.
        sites_(const_cast<std::uint8_t*>(states), const_cast<float*>(spins), chain.lattice.sites()),
        owned_(chain.lattice.owned()),
        scale_(disorder.energy_scale.multiplier()) {}

  [[nodiscard]] std::int64_t by_bonds() const {
    std::int64_t energy = 0;
    for_sites([&](std::int64_t i, int x, const RowNeighbours& next) {
      const Site s = sites_.load(i);
      if constexpr (M::has_fields) {
        if (disorder_.has_fields()) energy -= to_fixed_clamped(M::in_field(model_, site_field(i), s), scale_);
      }
      if constexpr (M::has_site_energy) {
        energy += to_fixed_clamped(static_cast<float>(M::site_energy(model_, s)), scale_);
      }
      energy -= to_fixed_clamped(anisotropy(i, s), scale_);
      for (int bond = 0; bond < owned_; ++bond) {
        const float product = M::product(model_, s, sites_.load(next.forward(x, bond)));
        energy -= to_fixed_clamped(exact::mul(coupling(i, bond), product), scale_);
      }
    });
    return energy;
  }

  /// s.h of odd sites and s.H of even ones.
  [[nodiscard]] std::int64_t by_odd_sites() const {
    std::int64_t energy = 0;
    for_sites([&](std::int64_t i, int x, const RowNeighbours& next) {
      const Site s = sites_.load(i);
      exact::Vector<n> h{};
      if (disorder_.has_fields()) h = site_field(i);
      for (int bond = 0; bond < owned_ && lattice_.parity(i) == 1; ++bond) {
        const std::int64_t forward = next.forward(x, bond), backward = next.backward(x, bond);
        M::add_bond(model_, h, coupling(i, bond), sites_.load(forward), bond == 0 && !disorder_.has_fields());
        M::add_bond(model_, h, coupling(backward, bond), sites_.load(backward), false);
      }
      energy -= to_fixed(exact::dot(s, h), scale_) + to_fixed(anisotropy(i, s), scale_);
    });
    return energy;
  }

 private:
  template <class F>
  void for_sites(const F& f) const {
    const int length = lattice_.length(0);
    for (std::int64_t row = 0; row < lattice_.rows(); ++row) {
      const RowNeighbours next(lattice_, row);
      for (int x = 0; x < length; ++x) f(row * length + x, x, next);
    }
  }
  [[nodiscard]] float coupling(std::int64_t site, int bond) const {
    return disorder_.couplings[static_cast<std::size_t>(site * owned_ + bond)];
  }
  [[nodiscard]] exact::Vector<n> site_field(std::int64_t i) const {
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

  const SpinModel& model_;
  const Lattice& lattice_;
  const Disorder& disorder_;
  SiteArray<Site> sites_;
  int owned_;
  float scale_;
};

}  // namespace

std::int64_t replica_energy(const Chain& chain, const Disorder& disorder, const float* spins,
                            const std::uint8_t* states) {
  return for_any_model(chain.model, [&](auto m) {
    using M = decltype(m);
    const EnergyOfReplica<M> energy(chain, disorder, spins, states);
    if constexpr (std::is_same_v<typename M::Site, exact::Vector<3>>) {
      if (chain.model.kind == ModelKind::heisenberg) return energy.by_odd_sites();
    }
    return energy.by_bonds();
  });
}

}}  // namespace glassworks::series
