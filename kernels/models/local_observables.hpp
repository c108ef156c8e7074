#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

#include "kernels/core/fixed_point.hpp"
#include "kernels/core/lattice_site.hpp"
#include "kernels/models/for_model.hpp"
#include "kernels/models/plaquettes.hpp"
#include "kernels/models/site_array.hpp"

/// Optional observables of a campaign (round.observables): sums over the sites of one replica of a term that depends on
/// the spins near a site. All backends evaluate the list below and get the same bits, because terms are rounded to
/// integers before they are added.
namespace glassworks { inline namespace models {

/// The spins and couplings of one replica as the terms see them. couplings(site, bond): J of a bond that a site owns.
template <class M, class Couplings>
struct LocalSpins {
  using Model = M;

  Lattice lattice;
  SiteArray<typename M::Site> sites;
  Couplings couplings;

  [[nodiscard]] GLASSWORKS_HD typename M::Site at(std::uint32_t site) const { return sites.load(site); }
  /// s_i.s_j of vectors.
  [[nodiscard]] GLASSWORKS_HD float product(std::uint32_t i, std::uint32_t j) const { return exact::dot(at(i), at(j)); }
  [[nodiscard]] GLASSWORKS_HD float coupling(std::uint32_t site, int bond) const { return couplings(site, bond); }
};

// A local observable is a type with these members, for host and device.
//
//   name            as in round.observables, in columns and in files
//   of<M>           whether model M (for_model.hpp) has it
//   term(spins, i)  the term of a site i, at most 64 in modulus
//   terms(lattice)  what the sum over all sites is divided by
//   on_graphs       what is summed on graphs: bond_term(spins, i, j) of bonds, or site_term(spins, i) of sites

enum class GraphTerms { none, of_bonds, of_sites };

/// Nematic order of bonds: the mean of (s_i.s_j)^2 over bonds, 1/n at T = infinity, 1 where all are parallel.
struct BondNematic {
  static constexpr const char* name = "bond_nematic";
  static constexpr GraphTerms on_graphs = GraphTerms::of_bonds;
  template <class M>
  static constexpr bool of = !M::discrete && !M::free_modulus;

  template <class Spins>
  GLASSWORKS_HD static float term(const Spins& spins, const LatticeSite& i) {
    float sum = 0.0F;
    for (int bond = 0; bond < spins.lattice.owned(); ++bond) {
      if (!i.has_bond(spins.lattice, bond)) continue;
      const float x = spins.product(i.site, i.forward(bond));
      sum = exact::fma(x, x, sum);
    }
    return sum;
  }
  template <class Spins>
  GLASSWORKS_HD static float bond_term(const Spins& spins, std::uint32_t i, std::uint32_t j) {
    const float x = spins.product(i, j);
    return exact::mul(x, x);
  }
  static double terms(const Lattice& lattice) { return static_cast<double>(lattice.bonds()); }
};

/// XY chirality of the plaquettes of all pairs of axes (plaquettes.hpp): the mean of kappa^2, 1/4 at T = infinity.
struct PlaquetteChirality {
  static constexpr const char* name = "plaquette_chirality_2";
  static constexpr GraphTerms on_graphs = GraphTerms::none;
  template <class M>
  static constexpr bool of = has_chirality<M>;

  template <class Spins>
  GLASSWORKS_HD static float term(const Spins& spins, const LatticeSite& i) {
    float sum = 0.0F;
    for (int mu = 0; mu < plaquette_planes(spins.lattice.dim); ++mu) {
      const PlaquettePlane plane = plaquette_plane(mu, spins.lattice.dim);
      if (!i.has_bond(spins.lattice, plane.a) || !i.has_bond(spins.lattice, plane.b)) continue;
      const PlaquetteCorners corners{i.site, i.forward(plane.a), i.forward(plane.b)};
      const float sine = plaquette_sine(spins, corners, plane);
      sum = exact::fma(exact::mul(0.125F, sine), sine, sum);
    }
    return sum;
  }
  static double terms(const Lattice& lattice) {
    double plaquettes = 0.0;
    for (int a = 0; a < lattice.dim; ++a) {
      for (int b = a + 1; b < lattice.dim; ++b) {
        double of_plane = static_cast<double>(lattice.sites());
        for (const int axis : {a, b}) of_plane *= lattice.is_open(axis) ? 1.0 - 1.0 / lattice.length(axis) : 1.0;
        plaquettes += of_plane;
      }
    }
    return plaquettes > 0.0 ? plaquettes : 1.0;
  }
};

/// <s^2> of blume-capel: the density of spins that are not 0, 2/3 at T = infinity and Delta = 0.
struct Quadrupole {
  static constexpr const char* name = "quadrupole";
  static constexpr GraphTerms on_graphs = GraphTerms::of_sites;
  template <class M>
  static constexpr bool of = std::is_same_v<M, BlumeCapel>;

  template <class Spins>
  GLASSWORKS_HD static float term(const Spins& spins, const LatticeSite& i) {
    return site_term(spins, i.site);
  }
  template <class Spins>
  GLASSWORKS_HD static float site_term(const Spins& spins, std::uint32_t i) {
    const float s = static_cast<float>(BlumeCapel::value(spins.at(i)));
    return exact::mul(s, s);
  }
  static double terms(const Lattice& lattice) { return static_cast<double>(lattice.sites()); }
};

/// The magnetization with its sign: of s of ising and blume-capel, of the last component of unit vectors, along which a
/// constant field points unless it is given another direction. 0 at T = infinity.
struct SignedMagnetization {
  static constexpr const char* name = "signed_magnetization";
  static constexpr GraphTerms on_graphs = GraphTerms::none;
  template <class M>
  static constexpr bool of =
      M::discrete ? std::is_base_of_v<Ising, M> || std::is_same_v<M, BlumeCapel> : !M::free_modulus;

  template <class Spins>
  GLASSWORKS_HD static float term(const Spins& spins, const LatticeSite& i) {
    using M = typename Spins::Model;
    if constexpr (M::discrete) {
      return static_cast<float>(M::value(spins.at(i.site)));
    } else {
      return spins.at(i.site).c[M::components - 1];
    }
  }
  static double terms(const Lattice& lattice) { return static_cast<double>(lattice.sites()); }
};

/// All of them. Their order is that of bins.
using LocalObservables = std::tuple<BondNematic, PlaquetteChirality, Quadrupole, SignedMagnetization>;
constexpr std::size_t local_observable_count = std::tuple_size_v<LocalObservables>;

static_assert(local_observable_count <= 32);

/// Terms are rounded to multiples of 2^-24.
constexpr FixedScale local_scale{24};

/// f(O{}, i) for the observables of a selection (bit number of the list) in their order; i counts them.
template <class F>
void for_local_observables(std::uint32_t selection, const F& f) {
  int i = 0;
  [&]<std::size_t... number>(std::index_sequence<number...>) {
    ((((selection >> number) & 1U) != 0U ? f(std::tuple_element_t<number, LocalObservables>{}, i++) : void()), ...);
  }
  (std::make_index_sequence<local_observable_count>{});
}

/// The same for those that model M has.
template <class M, class F>
void for_local_observables_of(std::uint32_t selection, const F& f) {
  for_local_observables(selection, [&](auto o, int i) {
    if constexpr (decltype(o)::template of<M>) f(o, i);
  });
}

}}  // namespace glassworks::models
