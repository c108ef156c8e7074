#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "kernels/models/model_facts.hpp"
#include "tests/kernels/cluster/cluster_support.hpp"

/// Chains whose sites differ in more than couplings and fields: absent ones, and random axes.
namespace glassworks::test {

/// Axes of lengths of their own; bit a of `open`: axis a has open ends.
inline Lattice prism_of(std::array<int, 4> lengths, int dim, unsigned open = 0) {
  Lattice lattice{dim, *std::max_element(lengths.begin(), lengths.end()), open};
  lattice.lengths = lengths;
  return lattice;
}

/// Adds Gaussian couplings of the bonds that site i owns; J = 0 at absent sites and across open ends.
inline void add_couplings(const Lattice& lattice, std::int64_t i, Source& source, Disorder& d) {
  for (int bond = 0; bond < lattice.owned(); ++bond) {
    const bool cut = !lattice.has_bond(lattice.coordinates(i), bond, +1) || d.is_absent(i) ||
                     d.is_absent(lattice.neighbour(i, bond, +1));
    const auto J = static_cast<float>(source.normal());
    d.couplings.push_back(cut ? 0.0F : J);
  }
}

/// Adds the n components of a Gaussian field of a standard deviation, or 0, at site i; H = 0 at absent sites.
inline void add_field(int n, double field, std::int64_t i, Source& source, Disorder& d) {
  for (int k = 0; k < n; ++k) {
    const float H = field > 0.0 ? static_cast<float>(field * source.normal()) : 0.0F;
    d.fields.push_back(d.is_absent(i) ? 0.0F : H);
  }
}

/// Gaussian couplings and fields of a lattice that lacks a fraction of its sites.
inline Disorder diluted(const Chain& chain, double field, std::uint32_t seed, double fraction = 0.35) {
  Source source(seed);
  const Lattice& lattice = chain.lattice;
  Disorder d;
  for (std::int64_t i = 0; i < lattice.sites(); ++i) d.absent.push_back(source.uniform() < fraction ? 1 : 0);
  for (std::int64_t i = 0; i < lattice.sites(); ++i) {
    add_couplings(lattice, i, source, d);
    add_field(components_of(chain.model), field, i, source, d);
  }
  d.energy_scale = choose_energy_scale(lattice, d.couplings, d.fields, std::abs(chain.model.crystal_field));
  return d;
}

/// The same with parts of the sites and of the bonds absent; fields only where sites are, or where there is one.
inline Disorder with_absent_bonds(const Chain& chain, double field, double absent_sites, double absent_bonds) {
  Disorder d = diluted(chain, field, 21, absent_sites);
  if (absent_sites == 0.0) {
    d.absent.clear();
    if (field == 0.0) d.fields.clear();
  }
  Source source(8);
  for (float& J : d.couplings) J = source.uniform() < absent_bonds ? 0.0F : J;
  return d;
}

/// The same as `diluted` with all sites where the model lacks none.
inline Disorder with_fields(Chain& chain, double field, std::uint32_t seed, double fraction) {
  chain.model.diluted = facts_of(chain.model).may_lack_sites;
  Disorder d = diluted(chain, field, seed, chain.model.diluted ? fraction : 0.0);
  if (!chain.model.diluted) d.absent.clear();
  return d;
}

inline Chain diluted_chain(SpinModel model, const Lattice& lattice, int isoenergetic = 0) {
  model.diluted = true;
  Chain chain = short_chain(model, lattice);
  chain.protocol.isoenergetic = isoenergetic;
  return chain;
}

struct DilutedCase {
  Chain chain;
  double field, fraction = 0.35;
};
inline std::vector<DilutedCase> diluted_cases() {
  const SpinModel heisenberg;
  return {{diluted_chain(heisenberg, {3, 4}), 0.0},
          {diluted_chain(heisenberg, {3, 4, 1U}), 0.4},
          {diluted_chain(ising(), {3, 4}), 0.0},
          {diluted_chain(ising(), {2, 6}, 1), 0.0},
          {diluted_chain(ising(), {3, 4, 0, LatticeKind::fcc}), 0.3},
          {diluted_chain(on(2), {2, 6}), 0.0},
          {diluted_chain(on(2), {2, 6}), 0.0, 0.7},  // isolated spins
          {diluted_chain(heisenberg, {2, 6}), 0.0, 0.7},
          {diluted_chain(on(2), {3, 4, 0, LatticeKind::bcc}), 0.2},
          {diluted_chain(on(4), {3, 4}), 0.0},
          {diluted_chain(on(5), {2, 4}), 0.3}};
}

/// Gaussian couplings, fields and axes; sites of number 5 mod 7 are absent where the chain is diluted.
inline Disorder with_axes(const Chain& chain, double field, float D, std::uint32_t seed) {
  Source source(seed);
  const Lattice& lattice = chain.lattice;
  const int n = components_of(chain.model);
  Disorder d;
  if (chain.model.diluted) {
    for (std::int64_t i = 0; i < lattice.sites(); ++i) d.absent.push_back(i % 7 == 5 ? 1 : 0);
  }
  for (std::int64_t i = 0; i < lattice.sites(); ++i) {
    add_couplings(lattice, i, source, d);
    std::vector<double> axis;
    double square = 0.0;
    for (int k = 0; k < n; ++k) {
      axis.push_back(source.normal());
      square += axis.back() * axis.back();
    }
    for (const double x : axis) d.axes.push_back(static_cast<float>(x / std::sqrt(square)));
    if (field > 0.0 || chain.model.diluted) add_field(n, field, i, source, d);
  }
  d.anisotropy = D;
  d.energy_scale = choose_energy_scale(lattice, d.couplings, d.fields, D);
  return d;
}

inline Chain axis_chain(SpinModel model, const Lattice& lattice, bool diluted = false, int tile = 0) {
  model.anisotropic = true;
  model.diluted = diluted;
  Chain chain = short_chain(model, lattice);
  chain.protocol.tile = tile;
  return chain;
}

struct AxisCase {
  Chain chain;
  double field;
  float D;
};
inline std::vector<AxisCase> axis_cases() {
  const SpinModel heisenberg;
  return {{axis_chain(heisenberg, {3, 4}), 0.0, 1.5F},
          {axis_chain(heisenberg, {3, 4}, false, 2), 0.0, 1.5F},
          {axis_chain(heisenberg, {3, 4, 1U}, true), 0.4, -2.0F},
          {axis_chain(on(2), {2, 6}), 0.0, 0.7F},
          {axis_chain(on(3), {3, 4, 0, LatticeKind::bcc}), 0.2, 3.0F},
          {axis_chain(on(4), {3, 4}), 0.0, 1.0F},
          {axis_chain(on(5), {2, 4}, true), 0.3, 1.0F}};
}

}  // namespace glassworks::test
