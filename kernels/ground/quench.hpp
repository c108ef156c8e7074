#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/models/model_facts.hpp"
#include "kernels/rounds/chain.hpp"

namespace glassworks { inline namespace ground {

/// Couplings, fields and D of a realization in double precision, as they were given: in the order of Disorder, whose
/// values are these in single precision.
struct GivenDisorder {
  std::vector<double> couplings, fields;
  double anisotropy = 0.0;
};

/// Those that a Disorder holds.
[[nodiscard]] GivenDisorder as_rounded(const Disorder& disorder);

/// Where a descent of the energy ended.
struct QuenchEnd {
  double energy = 0.0;  ///< of the whole lattice [J]: a sum with compensation, so that its terms alone are rounded
  bool settled =
      false;  ///< every spin is along its local field to 1e-10, or no change of a single one lowers the energy
  int sweeps = 0;
};

/// Descents of the energy of one realization at zero temperature, in double precision, from any spins to an inherent
/// structure.
///
/// Vectors: cycles of ten over-relaxation sweeps, which keep the energy, and one sweep of s <- h/|h|, until a cycle
/// lowers the energy by less than 1e-5 of it; then successive over-relaxation, s <- w h/|h| - (w - 1) s with 1 < w < 2,
/// normalized, which lowers the energy at every site too. Sources: Walker & Walstedt, PRB 22, 3816 (1980);
/// over-relaxation on the way finds lower minima: Baity-Jesi & Parisi, PRB 91, 134203 (2015). With an anisotropy
/// -D (n.s)^2, h is minus the gradient of the energy of the site, h + 2 D (n.s) n, and + 2 |D| s if D < 0: that energy
/// less |D| s^2, a constant, is concave in s, so s <- h/|h| lowers it; then w = 1, and reflections that raise the
/// energy are left out. Discrete spins: each spin takes the state of lowest energy, in the order of sites, until
/// none changes. Not for phi4.
class Quench {
 public:
  Quench(const SpinModel& model, const Lattice& lattice, const Disorder& disorder, const GivenDisorder& given);
  Quench(const SpinModel& model, const Lattice& lattice, const Disorder& disorder)
      : Quench(model, lattice, disorder, as_rounded(disorder)) {}

  /// From one replica: spins [component][site] of vectors, or states [site] of discrete models.
  QuenchEnd run(std::span<const float> spins, std::span<const std::uint8_t> states);

  /// What the last descent ended in: [site][component]; discrete spins as SpinState has them.
  [[nodiscard]] const std::vector<double>& spins() const { return spins_; }

 private:
  template <int n>
  QuenchEnd run_vectors();
  QuenchEnd run_discrete();
  template <int n>
  void local_field(std::size_t site, double* h) const;
  /// -D (n.s)^2
  template <int n>
  [[nodiscard]] double axis_energy(std::size_t site, const double* s) const;
  /// h with the gradient of the anisotropy.
  template <int n>
  void pull(std::size_t site, double* h) const;
  [[nodiscard]] double energy() const;
  /// Of a discrete spin beside its bonds and the field; 0 at absent sites.
  [[nodiscard]] double energy_of_state(std::size_t site) const;
  /// What each component of the field of a site is multiplied by.
  [[nodiscard]] const double* along_field(std::size_t site) const;
  void set_state(std::size_t site, std::uint8_t state);
  [[nodiscard]] double product(const double* a, const double* b) const;
  struct Term;
  /// Of the spins of a term of more than two without that of its own site.
  [[nodiscard]] double product_of_others(const Term& term) const;
  [[nodiscard]] std::span<const Term> terms_of(std::size_t site) const;

  SpinModel model_;
  std::vector<SpinState> states_;    ///< of discrete spins
  std::vector<std::uint8_t> state_;  ///< of each site, of discrete spins
  std::size_t components_, sites_;
  struct Link {
    std::int32_t site;
    bool owned;  ///< by the site whose link it is: each bond has one owner
  };
  std::vector<std::size_t> first_;  ///< link of a site [site], N + 1 entries
  std::vector<Link> neighbour_;     ///< [link]
  std::vector<double> coupling_;    ///< [link]
  struct Term {
    std::int64_t begin, end;  ///< of its other sites
    double coupling;
    bool owned;
  };
  std::vector<std::size_t> first_term_;  ///< of a site [site], N + 1 entries; empty: no terms of more than two spins
  std::vector<Term> terms_;
  std::vector<std::int32_t> others_;
  std::vector<double> field_;         ///< [site][component]; empty: none
  std::vector<std::uint8_t> absent_;  ///< as Disorder::absent
  std::vector<double> axes_;          ///< [site][component]; empty: no anisotropy
  double anisotropy_;                 ///< D
  std::vector<double> spins_;         ///< [site][component]
};

}}  // namespace glassworks::ground
