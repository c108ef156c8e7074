#include "kernels/reference/reference_replica.hpp"

#include <utility>

namespace glassworks { inline namespace reference {

using Vector = exact::Vector<3>;

ReferenceReplica::ReferenceReplica(const Chain& chain, const Disorder& disorder, std::uint32_t realization,
                                   std::uint32_t replica, float* spins, std::shared_ptr<const LatticeTable> table,
                                   std::int64_t* beside)
    : chain_(chain),
      disorder_(disorder),
      sweeps_(chain, disorder, realization, replica, {nullptr, spins, chain.lattice.sites()},
              table ? std::move(table) : std::make_shared<const LatticeTable>(chain.lattice), beside) {}

void ReferenceReplica::sweep(std::uint64_t step, int slot) {
  const Step moves(chain_);
  sweeps_.clear_accepted();
  for (int t = 0; t < moves.repetitions(); ++t) sweeps_.sweep(moves, moves.moves(), moves.repetition(step, t), slot);
}

void ReferenceReplica::renormalize() {
  for (std::int64_t i = 0; i < chain_.lattice.sites(); ++i) sweeps_.set_site(i, exact::renormalize(spin(i)));
}

std::int64_t ReferenceReplica::energy() const {
  const float scale = disorder_.energy_scale.multiplier();
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < chain_.lattice.sites(); ++i) {
    const Vector h = chain_.lattice.parity(i) == 1 ? local_field(i) : site_field(i);
    sum += to_fixed(exact::dot(spin(i), h), scale) + to_fixed(sweeps_.anisotropy(i), scale);
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
    sums.field += to_fixed(exact::dot(s, site_field(i)), energy_scale) + to_fixed(sweeps_.anisotropy(i), energy_scale);
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

}}  // namespace glassworks::reference
