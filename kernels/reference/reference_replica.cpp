#include "kernels/reference/reference_replica.hpp"

#include <utility>

namespace glassworks::inline reference {
namespace {

using Vector = exact::Vector<3>;

/// Visits the sites of a tile of edge^dim sites, x fastest.
template <class Visit>
void for_each_site(const Lattice& lattice, const Lattice::Coordinates& origin, int edge, Visit visit) {
  const Lattice tile{lattice.dim, edge};
  for (std::int64_t i = 0; i < tile.sites(); ++i) {
    Lattice::Coordinates c = tile.coordinates(i);
    for (std::size_t axis = 0; axis < c.size(); ++axis) c[axis] += origin[axis];
    visit(c);
  }
}

}  // namespace

Vector ReferenceReplica::spin(std::int64_t site) const {
  const std::int64_t n = chain_.lattice.sites();
  return {{spins_[site], spins_[n + site], spins_[2 * n + site]}};
}

void ReferenceReplica::set_spin(std::int64_t site, const Vector& s) {
  const std::int64_t n = chain_.lattice.sites();
  for (int k = 0; k < 3; ++k) spins_[k * n + site] = s.c[k];
}

Vector ReferenceReplica::site_field(std::int64_t site) const {
  if (!disorder_.has_fields()) return {};
  const float* h = disorder_.fields.data() + 3 * site;
  return {{h[0], h[1], h[2]}};
}

Vector ReferenceReplica::local_field(std::int64_t site) const {
  const Lattice& lattice = chain_.lattice;
  Vector h = site_field(site);
  for (int axis = 0; axis < lattice.dim; ++axis) {
    const std::int64_t forward = lattice.neighbour(site, axis, +1), backward = lattice.neighbour(site, axis, -1);
    const float J_forward = disorder_.couplings[static_cast<std::size_t>(site * lattice.dim + axis)];
    const float J_backward = disorder_.couplings[static_cast<std::size_t>(backward * lattice.dim + axis)];
    const bool first = axis == 0 && !disorder_.has_fields();
    h = first ? exact::first_bond(J_forward, spin(forward)) : exact::add_bond(h, J_forward, spin(forward));
    h = exact::add_bond(h, J_backward, spin(backward));
  }
  return h;
}

void ReferenceReplica::sweep(std::uint64_t step, float beta) {
  const Lattice& lattice = chain_.lattice;
  const Protocol& protocol = chain_.protocol;
  const int edge = protocol.tile == 0 ? lattice.L : protocol.tile;
  const Lattice tiles{lattice.dim, lattice.L / edge};
  const exact::HeatBathTemperature<float> temperature{-2.0F * beta, -1.0F / beta};
  const auto n_T = static_cast<std::uint64_t>(protocol.sweeps_per_exchange);
  const auto n_B = static_cast<std::uint64_t>(protocol.heatbath);
  for (std::uint64_t t = 0; t < n_T; ++t) {
    for (int colour = 0; colour < 2; ++colour) {
      for (std::int64_t tile = 0; tile < tiles.sites(); ++tile) {
        if (tiles.parity(tile) != colour) continue;
        Lattice::Coordinates origin = tiles.coordinates(tile);
        for (int& x : origin) x *= edge;
        update_tile(origin, edge, (step * n_T + t) * n_B, temperature);
      }
    }
  }
}

void ReferenceReplica::update_tile(const Lattice::Coordinates& origin, int edge, std::uint64_t first_heat_bath_sweep,
                                   const exact::HeatBathTemperature<float>& temperature) {
  const Lattice& lattice = chain_.lattice;
  const int n_M = chain_.protocol.overrelaxation, n_B = chain_.protocol.heatbath;
  for (int sweep = 0; sweep < n_M + n_B; ++sweep) {
    for (int parity = 0; parity < 2; ++parity) {
      for_each_site(lattice, origin, edge, [&](const Lattice::Coordinates& c) {
        const std::int64_t site = lattice.site(c);
        if (lattice.parity(site) != parity) return;
        const Vector h = local_field(site);
        if (sweep < n_M) {
          set_spin(site, n_B > 0 ? exact::over_relax(spin(site), h) : exact::over_relax_conserving(spin(site), h));
          return;
        }
        const std::uint64_t index = first_heat_bath_sweep + static_cast<std::uint64_t>(sweep - n_M);
        const HeatBathAddress address = heat_bath_address(lattice, c);
        const RandomBlock u = random_block(chain_.key, Stream::heat_bath, realization_, replica_,
                                           2 * index + static_cast<std::uint64_t>(parity), address.cell);
        set_spin(site, exact::heat_bath(h, temperature, u.word[2 * address.member], u.word[2 * address.member + 1]));
      });
    }
  }
}

void ReferenceReplica::renormalize() {
  for (std::int64_t i = 0; i < chain_.lattice.sites(); ++i) set_spin(i, exact::renormalize(spin(i)));
}

std::int64_t ReferenceReplica::energy() const {
  const float scale = disorder_.energy_scale.multiplier();
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < chain_.lattice.sites(); ++i) {
    const Vector h = chain_.lattice.parity(i) == 1 ? local_field(i) : site_field(i);
    sum += to_fixed(exact::dot(spin(i), h), scale);
  }
  return sum;
}

ReplicaSums ReferenceReplica::sums() const {
  const Lattice& lattice = chain_.lattice;
  const float energy_scale = disorder_.energy_scale.multiplier();
  const float spin_scale = overlap_scale(lattice).multiplier(), bond_scale = site_scale(lattice).multiplier();
  ReplicaSums sums;
  sums.energy = energy();
  for (std::int64_t i = 0; i < lattice.sites(); ++i) {
    const Vector s = spin(i);
    sums.field += to_fixed(exact::dot(s, site_field(i)), energy_scale);
    for (int k = 0; k < 3; ++k) sums.magnetization[k] += to_fixed(s.c[k], spin_scale);
    const Lattice::Coordinates c = lattice.coordinates(i);
    float squares = 0.0F;
    for (int axis = 0; axis < lattice.dim; ++axis) {
      if (!lattice.has_bond(c, axis, +1)) continue;
      const float product = exact::dot(s, spin(lattice.neighbour(i, axis, +1)));
      squares = exact::fma(product, product, squares);
    }
    sums.q_s += to_fixed(squares, bond_scale);
  }
  return sums;
}

PairSums pair_sums(const Chain& chain, const ReferenceReplica& a, const ReferenceReplica& b, PairSums empty) {
  const Lattice& lattice = chain.lattice;
  const Modes modes(lattice.dim);
  const float scale = overlap_scale(lattice).multiplier(), bond_scale = site_scale(lattice).multiplier();
  PairSums sums = std::move(empty);
  for (std::int64_t i = 0; i < lattice.sites(); ++i) {
    const Lattice::Coordinates c = lattice.coordinates(i);
    const Vector u = a.spin(i), v = b.spin(i);
    float link = 0.0F;
    for (int axis = 0; axis < lattice.dim; ++axis) {
      if (!lattice.has_bond(c, axis, +1)) continue;
      const std::int64_t forward = lattice.neighbour(i, axis, +1), backward = lattice.neighbour(i, axis, -1);
      link = exact::fma(exact::dot(u, a.spin(forward)), exact::dot(v, b.spin(forward)), link);
      if (!lattice.has_bond(c, axis, -1)) continue;  // the chirality of an end is 0
      const float kappa_a = exact::chirality(a.spin(forward), u, a.spin(backward));
      const float kappa_b = exact::chirality(b.spin(forward), v, b.spin(backward));
      const std::int32_t kappa = to_fixed(exact::mul(kappa_a, kappa_b), scale);
      for (int direction = 0; direction < modes.directions(); ++direction) {
        const int plane = modes.plane(direction, lattice, c);
        sums.chirality[static_cast<std::size_t>((axis * modes.directions() + direction) * lattice.L + plane)] += kappa;
      }
    }
    sums.link += to_fixed(link, bond_scale);
    for (int direction = 0; direction < modes.directions(); ++direction) {
      const int plane = modes.plane(direction, lattice, c);
      std::int64_t* q = sums.overlap.data() + (direction * lattice.L + plane) * 9;
      for (int mu = 0; mu < 3; ++mu) {
        for (int nu = 0; nu < 3; ++nu) q[mu * 3 + nu] += to_fixed(exact::mul(u.c[mu], v.c[nu]), scale);
      }
    }
  }
  return sums;
}

}  // namespace glassworks::inline reference
