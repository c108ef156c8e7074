#include "kernels/rounds/chiral_sums.hpp"

#include "kernels/models/plaquettes.hpp"
#include "kernels/models/site_array.hpp"

namespace glassworks { inline namespace rounds {
namespace {

constexpr int max_dim = Lattice::max_dim;

/// f(site, coordinates, step) for all sites, step[a]: to the neighbour along axis a.
template <class F>
void for_sites(const Lattice& lattice, const F& f) {
  Lattice::Coordinates c{};
  std::ptrdiff_t step[max_dim] = {}, distance[max_dim] = {};
  std::ptrdiff_t sites = 1;
  for (int axis = 0; axis < lattice.dim; ++axis) {
    distance[axis] = step[axis] = sites;
    sites *= lattice.length(axis);
  }
  for (std::ptrdiff_t i = 0; i < sites; ++i) {
    f(i, c, step);
    for (int axis = 0; axis < lattice.dim; ++axis) {
      const int L = lattice.length(axis);
      int& x = c[static_cast<std::size_t>(axis)];
      x = x + 1 < L ? x + 1 : 0;
      step[axis] = x + 1 < L ? distance[axis] : (1 - L) * distance[axis];
      if (x > 0) break;
    }
  }
}

/// bond_sine of the bonds along the axes of one replica, so that neighbouring plaquettes need not form it again.
class BondSines {
 public:
  BondSines(const ClusterSystem& system, ClusterReplica& replica)
      : dim_(system.chain.lattice.dim), sine_(2 * static_cast<std::size_t>(system.chain.lattice.sites() * dim_)) {
    const auto owned = static_cast<std::size_t>(system.chain.lattice.owned());
    const SiteArray<exact::Vector<2>> spins(nullptr, replica.spins(), replica.stride());
    for_sites(system.chain.lattice, [&](std::ptrdiff_t i, const Lattice::Coordinates&, const std::ptrdiff_t* step) {
      const auto s = spins.load(i);
      for (int axis = 0; axis < dim_; ++axis) {
        const float J = system.disorder.couplings[static_cast<std::size_t>(i) * owned + static_cast<std::size_t>(axis)];
        const auto t = spins.load(i + step[axis]);
        float* const sine = sine_.data() + place(i, axis);
        sine[0] = bond_sine(J, s, t);
        sine[1] = bond_sine(J, t, s);
      }
    });
  }

  /// plaquette_sine of the plaquette at i; at_a, at_b: its corners i + a, i + b.
  [[nodiscard]] float plaquette(std::ptrdiff_t i, std::ptrdiff_t at_a, std::ptrdiff_t at_b,
                                const PlaquettePlane& plane) const {
    float sum = exact::add(sine_[place(i, plane.a)], sine_[place(at_a, plane.b)]);
    sum = exact::add(sum, sine_[place(at_b, plane.a) + 1]);
    return exact::add(sum, sine_[place(i, plane.b) + 1]);
  }

 private:
  [[nodiscard]] std::size_t place(std::ptrdiff_t i, int axis) const {
    return 2 * static_cast<std::size_t>(i * dim_ + axis);
  }

  int dim_;
  std::vector<float> sine_;  ///< [site][axis][along it, against it]
};

}  // namespace

void add_chiral_sums(const ClusterSystem& system, ClusterReplica& a, ClusterReplica& b, OverlapSums& sums) {
  const Lattice& lattice = system.chain.lattice;
  const int orientations = plaquette_planes(lattice.dim);
  const float scale = system.scales.product.multiplier();
  const BondSines of_a(system, a), of_b(system, b);
  for_sites(lattice, [&](std::ptrdiff_t i, const Lattice::Coordinates& c, const std::ptrdiff_t* step) {
    for (int mu = 0; mu < orientations; ++mu) {
      const PlaquettePlane plane = plaquette_plane(mu, lattice.dim);
      if (!lattice.has_bond(c, plane.a, +1) || !lattice.has_bond(c, plane.b, +1)) continue;
      const std::ptrdiff_t at_a = i + step[plane.a], at_b = i + step[plane.b];
      const std::int32_t term = to_fixed(
          chirality_product(of_a.plaquette(i, at_a, at_b, plane), of_b.plaquette(i, at_a, at_b, plane)), scale);
      for (int axis = 0; axis < lattice.dim; ++axis) {
        const int at = lattice.plane(axis, c[static_cast<std::size_t>(axis)]) * orientations + mu;
        sums.chirality[static_cast<std::size_t>(at)] += term;
      }
    }
  });
}

}}  // namespace glassworks::rounds
