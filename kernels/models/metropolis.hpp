#pragma once

#include "kernels/core/addresses.hpp"
#include "kernels/models/anisotropy.hpp"
#include "kernels/models/update_traits.hpp"

namespace glassworks { inline namespace models {

/// A spin that is proposed, and a word that is left for its acceptance. none: the spin stays.
template <class M>
struct Proposed {
  typename M::Site spin;
  std::uint32_t word;
  bool none;
};

/// A symmetric proposal: p(s -> s') = p(s' -> s).
///
/// Discrete spins: one of the other states, (s + 1 + `uniform_below(w0, q - 1)`) mod q; acceptance has w1 of block 0.
/// Vectors: s' = (s + w r)/|s + w r| with r = `random_direction` of block 0 and the width w of the slot, any angle
/// below arcsin w (all angles from w = 1 on). r has no preferred direction, so that p depends on the angle between s
/// and s' alone, and is symmetric for every w. Where |s + w r|^2 < 2^-14, a condition of that angle too, the spin
/// stays. Acceptance has w3 of block 0, of more than four components w0 of block 1. Source: Nowak, in Annual Reviews of
/// Computational Physics IX (2001); Alzate-Cardona et al., J. Phys.: Condens. Matter 31, 095802 (2019), with normal
/// numbers in place of r.
template <class M, class Context>
[[nodiscard]] GLASSWORKS_HD Proposed<M> propose_spin(const Context& site) {
  const RandomBlock words = site.words(0);
  if constexpr (M::discrete) {
    const auto q = static_cast<std::uint32_t>(M::states(site.constants().model));
    const auto s = static_cast<std::uint32_t>(site.here());
    return {static_cast<typename M::Site>((s + 1U + uniform_below(words.word[0], q - 1)) % q), words.word[1], false};
  } else {
    constexpr int n = M::components;
    const auto moved = exact::add_bond(site.here(), site.width(), exact::random_direction<n>(words));
    const float square = exact::dot(moved, moved);
    Proposed<M> proposed{site.here(), n > 4 ? site.words(1).word[0] : words.word[3], square < 6.103515625e-5F};
    if (proposed.none) return proposed;
    const float inverse = exact::reciprocal(exact::sqrt(square));
    for (int k = 0; k < n; ++k) proposed.spin.c[k] = exact::mul(inverse, moved.c[k]);
    return proposed;
  }
}

/// Metropolis update: the proposed spin with probability min(1, exp(-beta dE)), dE with all terms of the site (bonds,
/// field, crystal field, anisotropy). Source: Metropolis et al., J. Chem. Phys. 21, 1087 (1953).
struct Metropolis {
  static constexpr UpdateTraits traits{.name = "metropolis", .rejects = true, .has_width = true};

  template <class M, class Context>
  GLASSWORKS_HD static SiteMove<M> move(const Context& site) {
    const Proposed<M> proposed = propose_spin<M>(site);
    const bool accepted =
        !proposed.none && exact::anisotropy_accepts(site.constants().temperature.beta, site.gain(site.here()),
                                                    site.gain(proposed.spin), proposed.word);
    return {accepted ? proposed.spin : site.here(), accepted};
  }
};

}}  // namespace glassworks::models
