#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "kernels/core/modes.hpp"
#include "kernels/core/name_list.hpp"
#include "kernels/rounds/chain.hpp"

namespace glassworks { inline namespace rounds {

/// What the columns of a bin hold; the names are those in files. Everything is per site (e = E/N, m = M/N, overlaps
/// with their factor 1/N); averages over copies, or over all pairs of copies, are taken at once.
///
/// m is the order parameter: (1/N) sum s of discrete spins, a vector of n components for vectors, and for potts the
/// vector of the q densities rho_a with m^2 = (q sum_a rho_a^2 - 1)/(q - 1). k_min = (2 pi/L) e_a, averaged over the
/// axes, of a prism over the longest ones. The cluster observables are those of the decomposition used by the last
/// cluster update before the measurement; they are 0 for protocols without a full decomposition (local, wolff,
/// few-cluster). q_c^mu(k) = (1/N) sum over plaquettes p of an orientation mu of kappa_p^(a) kappa_p^(b) exp(i k.R);
/// heisenberg has kappa of three sites along each axis in place of plaquettes, and with triangle_chirality the sum is
/// over all triangles, whose k_min lies along any axis.
#define GLASSWORKS_BIN_QUANTITIES(X)                                                                                  \
  X(energy)         /* e, total */                                                                                    \
  X(energy_squared) /* e^2 */                                                                                         \
  X(bond_energy)    /* U_J = -(1/N) sum J s.s */                                                                      \
  X(field_energy)   /* -(1/N) sum H.s */                                                                              \
  X(q_s)            /* (1/N_b) sum_<ij> (s_i.s_j)^2 */                                                                \
  X(link_overlap)   /* (1/N_b) sum_<ij> (s_i.s_j)^(a) (s_i.s_j)^(b) */                                                \
  X(overlap)        /* q = (1/N) sum_i s_i^(a).s_i^(b) */                                                             \
  X(overlap_2)      /* q^2; of vectors sum_{mu nu} (q^{mu nu})^2 */                                                   \
  X(overlap_4)      /* its square */                                                                                  \
  X(overlap_kmin)   /* |q(k_min)|^2 */                                                                                \
  X(magnetization_x)                                                                                                  \
  X(magnetization_y)                                                                                                  \
  X(magnetization_z)                                                                                                  \
  X(magnetization_abs)  /* |m| */                                                                                     \
  X(magnetization_2)    /* m^2 */                                                                                     \
  X(magnetization_4)    /* m^4 */                                                                                     \
  X(magnetization_kmin) /* |m(k_min)|^2, m(k) = (1/N) sum s exp(i k.R); potts: (q sum_a |rho_a(k)|^2)/(q - 1) */      \
  X(modulus_2)          /* (1/N) sum phi^2: 1 for unit vectors */                                                     \
  X(modulus_4)          /* (1/N) sum (phi^2)^2 */                                                                     \
  X(improved_m2)        /* m^2 from the clusters: sum_c n_c^2/N^2; vectors: n (sum_c (sum r.s)^2)/N^2 */              \
  X(improved_kmin)      /* the same of |m(k_min)|^2 */                                                                \
  X(clusters)           /* number of clusters / N */                                                                  \
  X(largest_cluster)    /* n_max / N */                                                                               \
  X(mean_cluster)       /* sum_c n_c^2 / N */                                                                         \
  X(wrapping_any)       /* 1 if a cluster wraps around the lattice along at least one axis */                         \
  X(wrapping_all)       /* 1 if one cluster wraps along every axis */                                                 \
  X(moved_sites)        /* sites that the cluster updates of a step moved, per site and cluster sweep */              \
  X(local_acceptance)   /* proposals accepted by the local sweeps of a step, as a fraction, of updates that reject */ \
  X(reserve_energy)     /* energy of what updates keep beside the spins (demons) [J] */                               \
  X(triangle_chirality_2)      /* kappa^2 of triangles (triangles.hpp), averaged over them */                         \
  X(chiral_4)                  /* (q_c^mu)^4 at k = 0, averaged over the orientations mu */                           \
  X(chiral_zero)               /* |q_c^mu(k)|^2 at k = 0, averaged over mu */                                         \
  X(chiral_kmin_parallel)      /* at k_min along the normals of plaquettes; heisenberg: along its axis */             \
  X(chiral_kmin_perpendicular) /* at k_min along the axes of the plaquettes; heisenberg: along other axes */          \
  X(chiral_2kmin_parallel)                                                                                            \
  X(chiral_2kmin_perpendicular)                                                                                       \
  X(chiral_110_parallel)      /* k = e_b + e_c, the axis in {b, c} */                                                 \
  X(chiral_110_perpendicular) /* the axis not in {b, c} */                                                            \
  X(chiral_111)                                                                                                       \
  X(energy_of_copy)                  /* e of one copy [copy] */                                                       \
  X(overlap_k)                       /* sum_{mu nu} |q^{mu nu}(k)|^2 [wave vector] */                                 \
  X(chi_1)                           /* |A_ab|^2 of four copies [wave vector], see chi_term */                        \
  X(chi_2)                           /* Re A_ab A_ac^* */                                                             \
  X(chi_3)                           /* Re A_ab A_cd^* */                                                             \
  X(overlap_along)                   /* |q(k)|^2 at k = 2 pi/L_a along one axis [axis] */                             \
  X(magnetization_along)             /* |m(k)|^2 at the same [axis] */                                                \
  X(chiral_chi_2)                    /* Re A_ab A_ac^* of A = q_c^mu [chiral_zero, chiral_kmin_parallel, ...] */      \
  X(chiral_chi_3)                    /* Re A_ab A_cd^* of the same */                                                 \
  X(chiral_zero_along)               /* |q_c^mu(k)|^2 at k = 0 [axis mu] */                                           \
  X(chiral_kmin_parallel_along)      /* at k_min along mu [axis mu] */                                                \
  X(chiral_kmin_perpendicular_along) /* at k_min along the other axes [axis mu] */                                    \
  X(local)                           /* local observables of the selection [place in it] */

enum class BinQuantity : std::uint8_t { GLASSWORKS_BIN_QUANTITIES(GLASSWORKS_ENUMERATOR) count };

/// Term 1, 2 or 3 of the susceptibility in a field, per N: chi_term = N * value; chi_SG = chi_1 - 2 chi_2 + chi_3. With
/// A_ab(k) = sum_mu q_ab^{mu mu}(k): |A_ab|^2, Re A_ab A_ac^*, Re A_ab A_cd^*, averaged over all choices of different
/// copies out of four. Source: Yavors'kii & Weigel, eq. (10).
[[nodiscard]] GLASSWORKS_HD constexpr BinQuantity chi_term(int term) {
  return static_cast<BinQuantity>(static_cast<int>(BinQuantity::chi_1) + term - 1);
}

/// The means of |q_c^mu(k)|^2 at equal wave vectors, chiral_zero to chiral_111: each has its terms of the chiral
/// susceptibility in a field. The first term is the mean itself.
constexpr int chiral_means = static_cast<int>(BinQuantity::chiral_111) - static_cast<int>(BinQuantity::chiral_zero) + 1;

/// Whether the accepted part of the local moves is measured.
[[nodiscard]] GLASSWORKS_HD constexpr bool measures_acceptance(const SpinModel& model, SiteRule update) {
  return has_free_modulus(model) || traits_of(update).rejects;
}

/// What is measured at every slot, where it stands in a bin, and what is kept of single measurements: one layout for
/// all models. Columns are asked for by their quantity; a quantity has one column, or one for each copy, wave vector,
/// axis or local observable. Plain values, for host and device.
///
/// A sample holds every column, or chosen means of neighbouring columns and with four copies the overlaps of single
/// pairs, q_ab = (1/N) sum_i s_i^(a).s_i^(b), which P(q) needs and no column holds.
class BinLayout {
 public:
  /// selection: what the campaign has beside the observables of its model; update: of single spins
  constexpr BinLayout(const SpinModel& model, int dim, int copies, LocalSelection selection = 0,
                      SiteRule update = SiteRule::heat_bath)
      : model_(model), dim_(dim), copies_(copies), selection_(selection) {
    if (measures_tensors(model)) {
      add_tensors(update);
    } else {
      add_moments(update);
    }
  }
  constexpr explicit BinLayout(const Chain& chain)
      : BinLayout(chain.model, chain.lattice.dim, chain.copies < most_copies ? chain.copies : most_copies, chain.local,
                  chain.protocol.local) {}

  /// Number of columns.
  [[nodiscard]] GLASSWORKS_HD constexpr int size() const { return size_; }
  [[nodiscard]] GLASSWORKS_HD constexpr const SpinModel& model() const { return model_; }
  [[nodiscard]] GLASSWORKS_HD constexpr int dim() const { return dim_; }
  [[nodiscard]] GLASSWORKS_HD constexpr int copies() const { return copies_; }

  /// Columns of a quantity; 0 where it is not measured.
  [[nodiscard]] GLASSWORKS_HD constexpr int count(BinQuantity q) const { return columns_[static_cast<int>(q)].count; }
  [[nodiscard]] GLASSWORKS_HD constexpr bool has(BinQuantity q) const { return count(q) > 0; }
  /// The column of a quantity that is measured, the first where it has several.
  [[nodiscard]] GLASSWORKS_HD constexpr int operator[](BinQuantity q) const {
    return columns_[static_cast<int>(q)].first;
  }
  /// That of copy, wave vector, axis or place i.
  [[nodiscard]] GLASSWORKS_HD constexpr int at(BinQuantity q, int i) const { return (*this)[q] + i; }
  /// Whether the values of a column belong to pairs of copies; else to single ones. Not told of heisenberg, whose
  /// columns are divided one by one.
  [[nodiscard]] GLASSWORKS_HD constexpr bool is_of_pairs(int column) const {
    return column >= pairs_.first && column < pairs_.first + pairs_.count;
  }
  /// Name of a column, for files and people: "energy", "energy_of_copy_2", "overlap_k(1,0,0)", "overlap_kmin_x", ...
  [[nodiscard]] std::string name(int column) const;
  [[nodiscard]] std::vector<std::string> names() const;

  /// Values of a sample.
  [[nodiscard]] GLASSWORKS_HD constexpr int sample_size() const { return averages() + sampled_pairs(); }
  /// Whether a sample holds every column; else chosen means.
  [[nodiscard]] GLASSWORKS_HD constexpr bool samples_all() const { return averages_ == 0; }
  /// Those that are means of columns; they come first.
  [[nodiscard]] GLASSWORKS_HD constexpr int averages() const { return samples_all() ? size_ : averages_; }
  /// Pairs of copies whose overlaps follow them, in the order of pair_of_copies; 0 with two copies, where `overlap` is
  /// the only one.
  [[nodiscard]] GLASSWORKS_HD constexpr int sampled_pairs() const { return samples_all() || copies_ != 4 ? 0 : 6; }
  /// Value of one of the means at a measurement, from the running sums of the columns before and after it: the mean
  /// over its columns of after - before, added up in double in ascending order, rounded to float. Sums are equal to the
  /// bit everywhere, so samples are. Error: that of the float, and of the sums, 1e-16 times the measurements.
  [[nodiscard]] GLASSWORKS_HD float average(int i, const double* before, const double* after) const {
    const Columns c = sampled_[i];
    double sum = 0.0;
    for (int k = c.first; k < c.first + c.count; ++k) sum += after[k] - before[k];
    return static_cast<float>(sum / c.count);
  }
  /// Names of the values of a sample: names of columns, "overlap_kmin", "chi_2_zero", "overlap_13", ...
  [[nodiscard]] std::vector<std::string> sample_names() const;

  static constexpr int most_copies = 4;

 private:
  struct Columns {
    std::int16_t first = 0, count = 0;
  };
  static constexpr int most_averages = most_copies + 15 + 6;

  constexpr void add(BinQuantity q, int count = 1) {
    columns_[static_cast<int>(q)] = {static_cast<std::int16_t>(size_), static_cast<std::int16_t>(count)};
    size_ += count;
  }
  constexpr void add(std::initializer_list<BinQuantity> list) {
    for (const BinQuantity q : list) add(q);
  }
  /// The quantities first .. last, in the order of their list.
  constexpr void add_range(BinQuantity first, BinQuantity last) {
    for (int q = static_cast<int>(first); q <= static_cast<int>(last); ++q) add(static_cast<BinQuantity>(q));
  }
  constexpr void sample(BinQuantity q, int offset = 0, int count = 1) {
    sampled_[averages_++] = {static_cast<std::int16_t>(at(q, offset)), static_cast<std::int16_t>(count)};
  }

  /// Of heisenberg: overlaps of all components at all wave vectors, and chiralities.
  constexpr void add_tensors(SiteRule update) {
    using Q = BinQuantity;
    add({Q::energy, Q::energy_squared, Q::bond_energy, Q::field_energy, Q::q_s, Q::link_overlap, Q::overlap,
         Q::overlap_2, Q::overlap_4, Q::magnetization_x, Q::magnetization_y, Q::magnetization_z, Q::magnetization_2,
         Q::magnetization_4});
    add_range(Q::chiral_4, Q::chiral_111);
    add(Q::energy_of_copy, copies_);
    const int modes = Modes(dim_).size();
    add(Q::overlap_k, modes);
    for (int term = 1; term <= 3 && copies_ == 4; ++term) add(chi_term(term), modes);
    if ((selection_ & chiral_response) != 0 && copies_ == 4) {
      add(Q::chiral_chi_2, chiral_means);
      add(Q::chiral_chi_3, chiral_means);
    }
    if ((selection_ & chiral_axes) != 0 && copies_ > 1) {
      add(Q::chiral_zero_along, dim_);
      add(Q::chiral_kmin_parallel_along, dim_);
      if (dim_ > 1) add(Q::chiral_kmin_perpendicular_along, dim_);
    }
    if (measures_acceptance(model_, update)) add(Q::local_acceptance);

    for (int copy = 0; copy < copies_; ++copy) sample(Q::energy_of_copy, copy);
    for (const Q q : {Q::link_overlap, Q::q_s, Q::overlap, Q::overlap_2, Q::overlap_4}) sample(q);
    sample(Q::overlap_k, 1, dim_);
    sample(Q::overlap_k, 1 + dim_, dim_);
    if (dim_ >= 2) sample(Q::overlap_k, 1 + 2 * dim_, dim_ * (dim_ - 1) / 2);
    for (const Q q : {Q::chiral_zero, Q::chiral_4, Q::chiral_kmin_parallel}) sample(q);
    if (dim_ >= 2) sample(Q::chiral_kmin_perpendicular);
    for (const Q q : {Q::magnetization_2, Q::magnetization_4, Q::bond_energy}) sample(q);
    if (copies_ != 4) return;
    for (int term = 1; term <= 3; ++term) sample(chi_term(term));
    for (int term = 1; term <= 3; ++term) sample(chi_term(term), 1, dim_);
  }

  /// Of the other models: moments of magnetization and overlap, clusters, and what is selected.
  constexpr void add_moments(SiteRule update) {
    using Q = BinQuantity;
    const int axes = (selection_ & axis_modes) != 0 ? dim_ : 0;
    add({Q::energy, Q::energy_squared});
    add_range(Q::magnetization_abs, Q::moved_sites);
    if (measures_acceptance(model_, update)) add(Q::local_acceptance);
    if (traits_of(update).has_reserve) add(Q::reserve_energy);
    add(Q::energy_of_copy, copies_);
    pairs_.first = static_cast<std::int16_t>(size_);
    if (copies_ > 1) add({Q::overlap, Q::overlap_2, Q::overlap_4, Q::overlap_kmin, Q::link_overlap});
    if ((selection_ & triangle_chirality) != 0 && copies_ > 1) {
      add({Q::chiral_4, Q::chiral_zero});
      if (dim_ > 1) add(Q::chiral_kmin_perpendicular);
    } else if (measures_chirality(selection_, dim_, copies_)) {
      add({Q::chiral_4, Q::chiral_zero, Q::chiral_kmin_perpendicular});
      if (dim_ > 2) add(Q::chiral_kmin_parallel);
    }
    if (copies_ > 1) add(Q::overlap_along, axes);
    for (int term = 1; term <= 3 && measures_field_terms(selection_, copies_); ++term)
      add(chi_term(term), 1 + 2 * dim_);
    pairs_.count = static_cast<std::int16_t>(size_ - pairs_.first);
    add(Q::magnetization_along, axes);
    add(Q::local, local_count(selection_));
    if ((selection_ & triangle_chirality) != 0) add(Q::triangle_chirality_2);
  }

  SpinModel model_;
  int dim_, copies_;
  LocalSelection selection_;
  int size_ = 0, averages_ = 0;
  Columns pairs_;                                                  ///< of pairs of copies
  Columns columns_[static_cast<std::size_t>(BinQuantity::count)];  ///< of a quantity
  Columns sampled_[most_averages];                                 ///< of a value of a sample, where chosen
};

}}  // namespace glassworks::rounds
