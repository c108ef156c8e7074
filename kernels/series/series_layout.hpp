#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/core/lattice.hpp"
#include "kernels/core/name_list.hpp"
#include "kernels/models/spin_model.hpp"

namespace glassworks { inline namespace series {

/// What a course records at one moment, from the spins of all copies. Everything is per site; averages over copies, or
/// over the pairs of copies that are used, are taken at once.
///
/// q_x = s_x^(a).s_x^(b) of two copies (vectors: q^{mu nu}_x, sums over mu and nu; potts (q delta - 1)/(q - 1)), c_x =
/// s_x(t_w).s_x(t) of one copy at two times. k_min = 2 pi/L along an axis, averaged over the axes of the longest edge
/// L; r runs from 0 to L/2 along the same axes, or along the diagonals r (e_a +- e_b) of two of them. Missing terms
/// past an open end are left out of sum and count; absent sites count as 0. q_c^mu(x) = kappa^(a)_x kappa^(b)_x with
/// kappa of three sites along an axis mu (vectors of three components), or of a plaquette (two components, mu: its
/// normal). Sites of a graph without positions have no k_min, and no columns of it; see has_lags for those of r.
#define GLASSWORKS_SERIES_QUANTITIES(X)                                                          \
  X(energy)                    /* e */                                                           \
  X(energy_squared)            /* e^2 */                                                         \
  X(magnetization)             /* m; of vectors one column for each component [component] */     \
  X(magnetization_2)           /* |m|^2 */                                                       \
  X(magnetization_along_kmin)  /* |m(k_min)|^2 */                                                \
  X(overlap_2)                 /* q^2; of vectors sum_{mu nu} (q^{mu nu})^2: C_4 at k = 0 */     \
  X(overlap_kmin)              /* |q(k_min)|^2 */                                                \
  X(link_overlap)              /* (1/N_b) sum_<ij> (s_i.s_j)^(a) (s_i.s_j)^(b) */                \
  X(c4_axis)                   /* C_4(r) = (1/N) sum_x q_x q_{x+r} along the axes [r] */         \
  X(c4_diagonal)               /* the same along the diagonals, of the hypercubic lattice [r] */ \
  X(chiral_2)                  /* (q_c^mu)^2 at k = 0, averaged over mu */                       \
  X(chiral_kmin_parallel)      /* |q_c^mu(k_min)|^2, k_min along mu */                           \
  X(chiral_kmin_perpendicular) /* k_min along other axes */                                      \
  X(chiral_axis_parallel)      /* (1/N) sum_x q_c^mu(x) q_c^mu(x+r), r along mu [r] */           \
  X(chiral_axis_perpendicular) /* r along other axes [r] */                                      \
  X(correlation)               /* C(t, t_w) = (1/N) sum_x c_x [t_w] */                           \
  X(link_correlation)          /* (1/N_b) sum_<ij> (s_i.s_j)(t_w) (s_i.s_j)(t) [t_w] */          \
  X(correlation_kmin)          /* |c(k_min)|^2 [t_w] */                                          \
  X(c22_axis)                  /* (1/N) sum_x c_x c_{x+r} along the axes: C_{2+2} + C^2 [t_w][r] */

enum class SeriesQuantity : std::uint8_t { GLASSWORKS_SERIES_QUANTITIES(GLASSWORKS_ENUMERATOR) count };

/// What the columns follow from.
struct SeriesShape {
  SpinModel model;
  Lattice lattice;
  int copies = 2;
  int pairs = 0;                          ///< of copies that are used (series_pairs); 0: as many as it chooses
  std::vector<std::uint64_t> references;  ///< t_w, ascending

  bool operator==(const SeriesShape&) const = default;
};

/// Why nothing of this shape can be measured, in one sentence; empty if it can.
[[nodiscard]] std::string series_problem(const SeriesShape& shape);

/// Whether sites have a smallest wave vector: those of a graph need positions.
[[nodiscard]] bool has_k_min(const Lattice& lattice);
/// Whether sites have others at r steps along the axes: of a graph whose positions are all points of a grid, row by row
/// as on a lattice. Closed lattices of two and three dimensions with odd lengths are such graphs, and hypercubic ones
/// of four.
[[nodiscard]] bool has_lags(const Lattice& lattice);
/// The same along diagonals of equal length: of the hypercubic lattice.
[[nodiscard]] bool has_diagonal_lags(const Lattice& lattice);

/// Where a model has its chirality: three sites along an axis, or plaquettes.
enum class SeriesChirality { none, along_axes, of_plaquettes };
[[nodiscard]] SeriesChirality chirality_of(const SpinModel& model, const Lattice& lattice);

/// The columns of a row, and their names.
class SeriesLayout {
 public:
  /// Throws what series_problem says.
  explicit SeriesLayout(SeriesShape shape);

  [[nodiscard]] const SeriesShape& shape() const { return shape_; }
  [[nodiscard]] int size() const { return static_cast<int>(names_.size()); }
  /// "energy", "magnetization(1)" (component 1), "magnetization_2", "c4_axis(3)", "correlation(1024)",
  /// "c22_axis(1024,3)" [column]
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] std::optional<int> column(std::string_view name) const;

  /// Columns of a quantity, at one reference time where it has them; 0: it is not measured.
  [[nodiscard]] int count(SeriesQuantity q) const { return columns_[static_cast<std::size_t>(q)].count; }
  [[nodiscard]] bool has(SeriesQuantity q) const { return count(q) > 0; }
  /// Column i of a quantity that is measured: component or r.
  [[nodiscard]] int at(SeriesQuantity q, int i = 0, int reference = 0) const {
    const Columns& c = columns_[static_cast<std::size_t>(q)];
    return c.first + i + (q >= SeriesQuantity::correlation ? reference * of_reference_ : 0);
  }
  /// Values of r: 0 .. L/2; 0 where there are none.
  [[nodiscard]] int lags() const { return has_lags(shape_.lattice) ? shape_.lattice.longest() / 2 + 1 : 0; }
  [[nodiscard]] int references() const { return static_cast<int>(shape_.references.size()); }

 private:
  struct Columns {
    int first = 0, count = 0;
  };
  void add(SeriesQuantity q, int count = 1);

  SeriesShape shape_;
  std::array<Columns, static_cast<std::size_t>(SeriesQuantity::count)> columns_{};
  int of_reference_ = 0;  ///< columns of one reference time
  std::vector<std::string> names_;
};

}}  // namespace glassworks::series
