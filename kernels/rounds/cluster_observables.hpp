#pragma once

#include <string>

#include "kernels/core/lattice.hpp"
#include "kernels/core/name_list.hpp"
#include "kernels/rounds/chain.hpp"

namespace glassworks { inline namespace rounds {

/// The observables of the models of cluster updates that every campaign has, in the order of a bin: their names are
/// those in files. k_min and m are explained below.
#define GLASSWORKS_CLUSTER_OBSERVABLES(X)                                                                        \
  X(energy)             /* e */                                                                                  \
  X(energy_squared)     /* e^2 */                                                                                \
  X(magnetization_abs)  /* |m| */                                                                                \
  X(magnetization_2)    /* m^2 */                                                                                \
  X(magnetization_4)    /* m^4 */                                                                                \
  X(magnetization_kmin) /* |m(k_min)|^2, m(k) = (1/N) sum s exp(i k.R); potts: (q sum_a |rho_a(k)|^2)/(q - 1) */ \
  X(modulus_2)          /* (1/N) sum phi^2: 1 for unit vectors */                                                \
  X(modulus_4)          /* (1/N) sum (phi^2)^2 */                                                                \
  X(improved_m2)        /* m^2 from the clusters: sum_c n_c^2/N^2; vectors: n (sum_c (sum r.s)^2)/N^2 */         \
  X(improved_kmin)      /* the same of |m(k_min)|^2 */                                                           \
  X(clusters)           /* number of clusters / N */                                                             \
  X(largest_cluster)    /* n_max / N */                                                                          \
  X(mean_cluster)       /* sum_c n_c^2 / N */                                                                    \
  X(wrapping_any)       /* 1 if a cluster wraps around the lattice along at least one axis */                    \
  X(wrapping_all)       /* 1 if one cluster wraps along every axis */                                            \
  X(moved_sites)        /* sites that the cluster updates of a step moved, per site and cluster sweep */

/// Those of pairs of copies, after the energies of the copies.
#define GLASSWORKS_CLUSTER_OVERLAPS(X) X(overlap) X(overlap_2) X(overlap_4) X(overlap_kmin) X(link_overlap)

/// Those of the chiralities of pairs of copies, after these: q_c^mu(k) = (1/N) sum over plaquettes p of an orientation
/// mu of kappa_p^(a) kappa_p^(b) exp(i k.R), averaged over the orientations.
#define GLASSWORKS_CLUSTER_CHIRALITIES(X)                                      \
  X(chiral_4)                  /* (q_c^mu)^4 at k = 0 */                       \
  X(chiral_zero)               /* |q_c^mu(k)|^2 at k = 0 */                    \
  X(chiral_kmin_perpendicular) /* at k_min along the axes of the plaquettes */ \
  X(chiral_kmin_parallel)      /* at k_min along their normals; from three dimensions */

/// Whether the accepted part of the local moves is measured.
[[nodiscard]] constexpr bool measures_acceptance(const SpinModel& model, SiteRule local) {
  return has_modulus(model) || traits_of(local).rejects;
}

/// What is measured at every slot for the models of cluster updates, and where it stands in a bin. Everything is per
/// site and averaged over the copies (overlaps: over all pairs of copies) at once.
///
/// m is the order parameter: (1/N) sum s of ising, a vector of n components for on and phi4, and for potts the vector
/// of the q densities rho_a with m^2 = (q sum_a rho_a^2 - 1)/(q - 1). k_min = (2 pi/L) e_a, averaged over the axes, of
/// a prism over the longest ones; |m(k)|^2 and |q(k)|^2 at (2 pi/L_a) e_a stand alone where axis_modes is selected. The
/// cluster observables are those of the decomposition used by the last cluster update before the measurement; they are
/// 0 for protocols without a full decomposition (local, wolff, few-cluster).
class ClusterObservables {
 public:
  /// selection: observables that the campaign has beside those of its model; local: its update of single spins
  constexpr ClusterObservables(SpinModel model, int dim, int copies, LocalSelection selection,
                               SiteRule local = SiteRule::heat_bath)
      : model_(model),
        dim_(dim),
        copies_(copies),
        selection_(selection),
        acceptance_(measures_acceptance(model, local) ? 1 : 0),
        reserve_(traits_of(local).has_reserve ? 1 : 0),
        chiralities_(!measures_chirality(selection, dim, copies) ? 0
                     : dim == 2                                  ? chiral_kmin_parallel
                                                                 : chirality_count),
        axes_((selection & axis_modes) != 0 ? dim : 0),
        field_modes_(measures_field_terms(selection, copies) ? 1 + 2 * dim : 0),
        size_(fixed_count + acceptance_ + reserve_ + copies + (copies > 1 ? overlap_count + axes_ : 0) + chiralities_ +
              3 * field_modes_ + axes_ + local_count(selection)) {}

  constexpr explicit ClusterObservables(const Chain& chain)
      : ClusterObservables(chain.model, chain.lattice.dim, chain.copies, chain.local, chain.protocol.local) {}

  enum Fixed { GLASSWORKS_CLUSTER_OBSERVABLES(GLASSWORKS_ENUMERATOR) fixed_count };
  /// With two copies or more, after the energies of the copies: q = (1/N) sum s^(a) s^(b); on: sum_mu,nu (q^{mu nu})^2.
  enum Overlap { GLASSWORKS_CLUSTER_OVERLAPS(GLASSWORKS_ENUMERATOR) overlap_count };
  enum Chirality { GLASSWORKS_CLUSTER_CHIRALITIES(GLASSWORKS_ENUMERATOR) chirality_count };

  [[nodiscard]] constexpr int size() const { return size_; }
  /// Of local updates that reject, as those of |phi| of phi4: proposals accepted by the local sweeps of a step, as a
  /// fraction.
  [[nodiscard]] constexpr int local_acceptance() const { return fixed_count; }
  [[nodiscard]] constexpr bool has_acceptance() const { return acceptance_ > 0; }
  /// Of updates with reserves: their energy per site [J].
  [[nodiscard]] constexpr int reserve_energy() const { return fixed_count + acceptance_; }
  [[nodiscard]] constexpr bool has_reserve() const { return reserve_ > 0; }
  [[nodiscard]] constexpr int energy_of_copy(int copy) const { return fixed_count + acceptance_ + reserve_ + copy; }
  [[nodiscard]] constexpr int of_overlap(int which) const { return energy_of_copy(copies_) + which; }
  /// Only where it is measured.
  [[nodiscard]] constexpr int of_chirality(Chirality which) const { return of_overlap(overlap_count) + which; }
  /// Number of chiral observables: 0 where chiralities are not measured.
  [[nodiscard]] constexpr int chiralities() const { return chiralities_; }
  /// Axes whose modes stand alone: d or 0.
  [[nodiscard]] constexpr int axes() const { return axes_; }
  /// |q(k)|^2 at k = 2 pi/L_a along an axis; only where axes() is not 0, with two copies or more.
  [[nodiscard]] constexpr int overlap_of_axis(int axis) const {
    return of_overlap(overlap_count) + chiralities_ + axis;
  }
  /// Modes of the terms of the susceptibility in a field, 0 where they are not measured: k = 0, 2 pi/L_a along each
  /// axis, 4 pi/L_a along each axis.
  [[nodiscard]] constexpr int field_modes() const { return field_modes_; }
  /// Term 1, 2 or 3 at a mode, per N; see ObservableLayout::chi_term.
  [[nodiscard]] constexpr int chi_term(int term, int mode) const {
    return overlap_of_axis(axes_) + (term - 1) * field_modes_ + mode;
  }
  /// |m(k)|^2 at k = 2 pi/L_a along an axis. What comes before, from of_overlap(0) on, belongs to pairs of copies.
  [[nodiscard]] constexpr int magnetization_of_axis(int axis) const { return local(0) - axes_ + axis; }
  /// Local observable number i of the selection; they come last.
  [[nodiscard]] constexpr int local(int i) const { return size_ - local_count(selection_) + i; }
  [[nodiscard]] constexpr const SpinModel& model() const { return model_; }
  [[nodiscard]] constexpr int copies() const { return copies_; }
  /// Name of an observable, for files and people.
  [[nodiscard]] std::string name(int observable) const;

 private:
  SpinModel model_;
  int dim_, copies_;
  LocalSelection selection_;
  int acceptance_, reserve_;  ///< 1 where there is local_acceptance, or reserve_energy
  int chiralities_, axes_, field_modes_;
  int size_;
};

}}  // namespace glassworks::rounds
