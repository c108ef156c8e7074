#pragma once

#include <string>
#include <vector>

#include "kernels/core/modes.hpp"
#include "kernels/core/name_list.hpp"

namespace glassworks { inline namespace rounds {

/// The observables of heisenberg that every campaign has, in the order of a bin: their names are those in files.
#define GLASSWORKS_OBSERVABLES(X)                                       \
  X(energy)         /* e, total */                                      \
  X(energy_squared) /* e^2 */                                           \
  X(bond_energy)    /* U_J = -(1/N) sum J s.s */                        \
  X(field_energy)   /* -(1/N) sum H.s */                                \
  X(q_s)            /* (1/N_b) sum_<ij> (s_i.s_j)^2 */                  \
  X(link_overlap)   /* (1/N_b) sum_<ij> (s_i.s_j)^(a) (s_i.s_j)^(b) */  \
  X(overlap)        /* q = (1/N) sum_i s_i^(a).s_i^(b) */               \
  X(overlap_2)      /* sum_{mu nu} (q^{mu nu})^2 */                     \
  X(overlap_4)      /* its square */                                    \
  X(magnetization_x)                                                    \
  X(magnetization_y)                                                    \
  X(magnetization_z)                                                    \
  X(magnetization_2) /* m^2 */                                          \
  X(magnetization_4) /* m^4 */                                          \
  X(chiral_4)        /* (q_c^a)^4 at k = 0, averaged over the axes a */ \
  X(chiral_zero)     /* |q_c^a(k)|^2 at k = 0, averaged over a */       \
  X(chiral_kmin_parallel)                                               \
  X(chiral_kmin_perpendicular)                                          \
  X(chiral_2kmin_parallel)                                              \
  X(chiral_2kmin_perpendicular)                                         \
  X(chiral_110_parallel)      /* k = e_b + e_c, a in {b, c} */          \
  X(chiral_110_perpendicular) /* a not in {b, c} */                     \
  X(chiral_111)

/// What is measured at every slot, and where it stands in a bin. Everything is per site (e = E/N, m = M/N, overlaps
/// with their factor 1/N); averages over copies, or over all pairs of copies, are taken at once.
class ObservableLayout {
 public:
  /// acceptance: whether the accepted part of the local moves is measured (measures_acceptance)
  constexpr ObservableLayout(int dim, int copies, bool acceptance = false)
      : dim_(dim), copies_(copies), acceptance_(acceptance), modes_(dim) {
    const int families = copies == 4 ? 4 : 1;  // |q(k)|^2, and chi_1, chi_2, chi_3 with four copies
    size_ = fixed_count + copies_ + families * modes_.size() + (acceptance ? 1 : 0);
  }

  enum Fixed { GLASSWORKS_OBSERVABLES(GLASSWORKS_ENUMERATOR) fixed_count };
  static constexpr int max_size = fixed_count + 4 + 4 * Modes::max_modes + 1;  ///< d = 4, four copies

  [[nodiscard]] constexpr int size() const { return size_; }
  [[nodiscard]] constexpr int dim() const { return dim_; }
  [[nodiscard]] constexpr int copies() const { return copies_; }
  [[nodiscard]] constexpr const Modes& modes() const { return modes_; }

  /// e of one copy.
  [[nodiscard]] constexpr int energy_of_copy(int copy) const { return fixed_count + copy; }
  /// sum_{mu nu} |q^{mu nu}(k)|^2 of a mode.
  [[nodiscard]] constexpr int overlap_mode(int mode) const { return fixed_count + copies_ + mode; }
  /// Four copies: term 1, 2 or 3 of the susceptibility in a field at a mode, per N: chi_term = N * value; chi_SG =
  /// chi_1 - 2 chi_2 + chi_3. With A_ab(k) = sum_mu q_ab^{mu mu}(k): |A_ab|^2, Re A_ab A_ac^*, Re A_ab A_cd^*, averaged
  /// over all choices of different copies. Source: Yavors'kii & Weigel, eq. (10).
  [[nodiscard]] constexpr int chi_term(int term, int mode) const {
    return fixed_count + copies_ + term * modes_.size() + mode;
  }

  [[nodiscard]] constexpr bool has_acceptance() const { return acceptance_; }
  /// Proposals accepted by the local sweeps of a step, as a fraction; the last one.
  [[nodiscard]] constexpr int local_acceptance() const { return size_ - 1; }

  /// Name of an observable, for files and people: "energy", "overlap_k(1,0,0)", "chi_2(1,1,0)", ...
  [[nodiscard]] std::string name(int observable) const;

 private:
  int dim_, copies_;
  bool acceptance_;
  Modes modes_;
  int size_ = 0;
};

}}  // namespace glassworks::rounds
