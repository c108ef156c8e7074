#pragma once

#include "kernels/models/metropolis.hpp"

namespace glassworks { inline namespace models {

/// Microcanonical update by demons: a proposed spin is taken where the demon of the site can pay for it, and the demon
/// gets or pays dE. The energy of a demon is the reserve of a site: an integer >= 0 in units of the energy scale, of
/// the terms that the energy of a replica sums up, so that discrete spins and demons together conserve their energy to
/// the bit, whatever the couplings. In a sweep the demon of site i is that of site (i + shift) mod N, with one shift
/// for all sites (word 0 of the block that the sweep shares): demons wander over the lattice.
///
/// Discrete spins try every second proposal, by the high bit of the word that is left of it.
///
/// Each update maps states of equal energy one to one, so that all of them are equally probable, and a demon has the
/// energy E_d with probability ~ exp(-beta E_d). Source: Creutz, Phys. Rev. Lett. 50, 1411 (1983).
struct Demon {
  static constexpr UpdateTraits traits{.name = "demon", .rejects = true, .has_width = true, .has_reserve = true};

  template <class M, class Context>
  GLASSWORKS_HD static SiteMove<M> move(const Context& site) {
    const Proposed<M> proposed = propose_spin<M>(site);
    const auto shift = uniform_below(site.sweep_words().word[0], static_cast<std::uint32_t>(site.sites()));
    std::int64_t& demon = site.reserve((site.index() + shift) % site.sites());
    const std::int64_t cost = site.energy(proposed.spin) - site.energy(site.here());
    // Moves of Ising spins that cost nothing would else be made for certain: walls of a ring then never turn round, and
    // not all states of an energy are reached.
    const bool tried = !M::discrete || (proposed.word >> 31) != 0;
    const bool accepted = tried && !proposed.none && cost <= demon;
    if (accepted) demon -= cost;
    return {accepted ? proposed.spin : site.here(), accepted};
  }
};

}}  // namespace glassworks::models
