#pragma once

#include "kernels/core/fixed_point.hpp"
#include "kernels/rounds/bin_layout.hpp"

namespace glassworks { inline namespace rounds {

/// Fixed-point sums over one replica.
struct ReplicaSums {
  std::int64_t energy = 0;             ///< sum over odd sites of s.h plus over even sites of s.H: -E [energy scale]
  std::int64_t field = 0;              ///< sum of s.H, the part of single sites, with D (n.s)^2 in both [energy scale]
  std::int64_t q_s = 0;                ///< sum over sites of sum_axis (s_i.s_{i+axis})^2 [site scale]
  std::int64_t magnetization[3] = {};  ///< sum of s [overlap scale]
};

struct Complex {
  double re = 0.0, im = 0.0;
};

/// Place of the pair (a, b), a != b, in the order (0,1), (0,2), ..., (1,2), ...
[[nodiscard]] GLASSWORKS_HD constexpr int pair_of_copies(int a, int b, int copies) {
  const int low = a < b ? a : b, high = a < b ? b : a;
  return low * copies - low * (low + 1) / 2 + (high - low - 1);
}

/// sums[c] = sum_j planes[j * plane_stride + c] exp(2 pi i multiple j / L), j ascending, c < components; exact integers
/// times the table, in double. phase: cos, then sin of 2 pi j / L [2][L]
template <int components, class Integer>
GLASSWORKS_HD void transform_planes(const Integer* planes, int plane_stride, int L, int multiple, const double* phase,
                                    Complex sums[components]) {
  double re[components] = {}, im[components] = {};
  int angle = 0;  // multiple j mod L
  for (int j = 0; j < L; ++j) {
    const double cosine = phase[angle], sine = phase[L + angle];
    for (int c = 0; c < components; ++c) {
      const auto p = static_cast<double>(planes[static_cast<std::ptrdiff_t>(j) * plane_stride + c]);
      re[c] += p * cosine;
      im[c] += p * sine;
    }
    angle += multiple;
    if (angle >= L) angle -= L;
  }
  for (int c = 0; c < components; ++c) sums[c] = {re[c], im[c]};
}

/// The terms of the susceptibility in a field at one k, per N: |A_ab|^2, Re A_ab A_ac^* and Re A_ab A_cd^*, each
/// averaged over all choices of different copies out of four.
struct FieldTerms {
  double chi[3];
};

/// trace(a, b)  A_ab(k) = sum_mu q_ab^{mu mu}(k) = A_ba(k)
template <class Trace>
[[nodiscard]] GLASSWORKS_HD FieldTerms field_terms(const Trace& trace) {
  const auto product = [&](int a, int b, int c, int d) {
    const Complex first = trace(a, b), second = trace(c, d);
    return first.re * second.re + first.im * second.im;
  };
  double chi_1 = 0.0, chi_2 = 0.0;
  for (int a = 0; a < 4; ++a) {
    for (int b = 0; b < 4; ++b) {
      for (int c = b; c < 4; ++c) {
        if (a == b || a == c) continue;
        if (b == c && a < b) chi_1 += product(a, b, a, b);
        if (b != c) chi_2 += product(a, b, a, c);
      }
    }
  }
  const double chi_3 = product(0, 1, 2, 3) + product(0, 2, 1, 3) + product(0, 3, 1, 2);
  return {{chi_1 / 6.0, chi_2 / 12.0, chi_3 / 3.0}};
}

/// Number of an observable among chiral_4 .. chiral_111, whose columns stand side by side.
[[nodiscard]] GLASSWORKS_HD constexpr int chirality_number(BinQuantity q) {
  return static_cast<int>(q) - static_cast<int>(BinQuantity::chiral_4);
}

/// The double-precision part of a measurement: how the integer sums of one slot become observables. Plain values, for
/// host and device. The order of the additions to each entry of a bin is part of the definition of the results: copies
/// ascending, pairs in the order of pair_of_copies.
class MeasurementFormulas {
 public:
  static constexpr int max_modes = Modes::max_modes;

  constexpr MeasurementFormulas(const Lattice& lattice, int copies, SiteRule update = SiteRule::heat_bath,
                                LocalSelection selection = 0)
      : layout_(SpinModel{}, lattice.dim, copies, selection, update),
        modes_(lattice.dim),
        copies_(copies),
        sites_(static_cast<double>(lattice.sites())),
        bonds_(static_cast<double>(lattice.bonds())),
        overlap_unit_(overlap_scale(lattice).unit()),
        site_unit_(site_scale(lattice).unit()),
        overlap_per_site_(overlap_unit_ / sites_),
        per_copy_(1.0 / copies),
        per_pair_(copies > 1 ? 1.0 / pairs() : 0.0),
        per_site_(1.0 / sites_),
        per_bond_(1.0 / bonds_) {
    for (int axis = 0; axis < lattice.dim; ++axis) {
      for (int mode = 0; mode < modes_.size(); ++mode) {
        const int n = chirality_of(axis, mode);
        chiral_[n].member[chiral_[n].count++] = static_cast<std::uint8_t>(axis * max_modes + mode);
      }
    }
  }

  [[nodiscard]] GLASSWORKS_HD constexpr const BinLayout& layout() const { return layout_; }
  [[nodiscard]] GLASSWORKS_HD constexpr const Modes& modes() const { return modes_; }
  [[nodiscard]] GLASSWORKS_HD constexpr int copies() const { return copies_; }
  /// Pairs of copies.
  [[nodiscard]] GLASSWORKS_HD constexpr int pairs() const { return copies_ * (copies_ - 1) / 2; }

  /// energy_unit  value of one step of the energies [J]
  GLASSWORKS_HD void add_replica(int copy, const ReplicaSums& r, double energy_unit, double* bin) const {
    using Q = BinQuantity;
    const double weight = per_copy_, per_site = per_site_;
    const double e = -static_cast<double>(r.energy) * energy_unit * per_site;
    const double field = -static_cast<double>(r.field) * energy_unit * per_site;
    bin[layout_[Q::energy]] += weight * e;
    bin[layout_[Q::energy_squared]] += weight * (e * e);
    bin[layout_[Q::bond_energy]] += weight * (-static_cast<double>(r.energy - r.field) * energy_unit * per_site);
    bin[layout_[Q::field_energy]] += weight * field;
    bin[layout_[Q::q_s]] += weight * (static_cast<double>(r.q_s) * site_unit_ * per_bond_);
    bin[layout_.at(Q::energy_of_copy, copy)] += e;
    double square = 0.0;
    for (int c = 0; c < 3; ++c) {
      const double m = static_cast<double>(r.magnetization[c]) * overlap_unit_ * per_site;
      bin[layout_.at(Q::magnetization_x, c)] += weight * m;
      square += m * m;
    }
    bin[layout_[Q::magnetization_2]] += weight * square;
    bin[layout_[Q::magnetization_4]] += weight * (square * square);
  }

  GLASSWORKS_HD void add_link(std::int64_t link, double* bin) const {
    bin[layout_[BinQuantity::link_overlap]] += per_pair_ * (static_cast<double>(link) * site_unit_ / bonds_);
  }

  /// q(k) of the transformed planes of one component.
  [[nodiscard]] GLASSWORKS_HD Complex per_site(const Complex& sum) const {
    return {sum.re * overlap_per_site_, sum.im * overlap_per_site_};
  }

  /// Adds the overlap tensor q[mu * 3 + nu] of a mode; returns its trace A_ab(k).
  GLASSWORKS_HD Complex add_overlap(int mode, const Complex q[9], double* bin) const {
    using Q = BinQuantity;
    const double weight = per_pair_;
    double square = 0.0;
    Complex trace;
    for (int component = 0; component < 9; ++component) {
      square += q[component].re * q[component].re + q[component].im * q[component].im;
      if (component % 4 == 0) {  // xx, yy, zz
        trace.re += q[component].re;
        trace.im += q[component].im;
      }
    }
    bin[layout_.at(Q::overlap_k, mode)] += weight * square;
    if (mode == 0) {
      bin[layout_[Q::overlap]] += weight * trace.re;
      bin[layout_[Q::overlap_2]] += weight * square;
      bin[layout_[Q::overlap_4]] += weight * (square * square);
    }
    return trace;
  }

  /// |q_c^a(k)|^2 of the transformed planes of one axis.
  [[nodiscard]] GLASSWORKS_HD double chirality_square(const Complex& sum) const {
    const Complex q = per_site(sum);
    return q.re * q.re + q.im * q.im;
  }

  static constexpr int chiralities = chirality_number(BinQuantity::chiral_111) + 1;

  /// Adds the chirality of a number. squares: |q_c^a(k)|^2 [axis][max_modes]
  GLASSWORKS_HD void add_chirality(int n, const double* squares, double* bin) const {
    const bool fourth = n == chirality_number(BinQuantity::chiral_4);
    const Average& average = chiral_[fourth ? chirality_number(BinQuantity::chiral_zero) : n];
    double sum = 0.0;
    for (int i = 0; i < average.count; ++i) {
      const double square = squares[average.member[i]];
      sum += fourth ? square * square : square;
    }
    if (average.count > 0) bin[layout_.at(BinQuantity::chiral_4, n)] += per_pair_ * (sum / average.count);
  }

  /// Adds the chirality along one axis. squares: |q_c^a(k)|^2 [axis][max_modes]
  GLASSWORKS_HD void add_chirality_of_axis(int axis, const double* squares, double* bin) const {
    using Q = BinQuantity;
    if (!layout_.has(Q::chiral_zero_along)) return;
    const double *of_axis = squares + axis * max_modes, *kmin = of_axis + 1;
    bin[layout_.at(Q::chiral_zero_along, axis)] += per_pair_ * of_axis[0];
    bin[layout_.at(Q::chiral_kmin_parallel_along, axis)] += per_pair_ * kmin[axis];
    const int dim = layout_.dim();
    if (dim == 1) return;
    double sum = 0.0;
    for (int other = 0; other < dim; ++other) sum += other != axis ? kmin[other] : 0.0;
    bin[layout_.at(Q::chiral_kmin_perpendicular_along, axis)] += per_pair_ * (sum / (dim - 1));
  }

  /// Chiral overlaps q_c^a(k) that a pair keeps until those of the other pairs are there; 0 where none needs them.
  [[nodiscard]] GLASSWORKS_HD constexpr int kept_chiralities() const {
    return layout_.has(BinQuantity::chiral_chi_2) ? layout_.dim() * max_modes : 0;
  }

  /// Four copies: adds the terms of the chiral susceptibility in a field of the mean chiral_zero + n, n < chiral_means.
  /// kept: q_c^a(k) [pair][axis][max_modes]
  GLASSWORKS_HD void add_chiral_response(int n, const Complex* kept, double* bin) const {
    const Average& average = chiral_[chirality_number(BinQuantity::chiral_zero) + n];
    if (average.count == 0) return;
    double two = 0.0, three = 0.0;
    for (int i = 0; i < average.count; ++i) {
      const FieldTerms terms = field_terms(
          [&](int a, int b) { return kept[pair_of_copies(a, b, 4) * kept_chiralities() + average.member[i]]; });
      two += terms.chi[1];
      three += terms.chi[2];
    }
    bin[layout_.at(BinQuantity::chiral_chi_2, n)] += two / average.count;
    bin[layout_.at(BinQuantity::chiral_chi_3, n)] += three / average.count;
  }

  /// Four copies: adds the terms of the susceptibility in a field at a mode. trace: A_ab(k) [pair][max_modes]
  GLASSWORKS_HD void add_four_copies(int mode, const Complex* trace, double* bin) const {
    const FieldTerms terms =
        field_terms([&](int a, int b) { return trace[pair_of_copies(a, b, 4) * max_modes + mode]; });
    for (int term = 1; term <= 3; ++term) bin[layout_.at(chi_term(term), mode)] += terms.chi[term - 1];
  }

 private:
  /// The number of the observable that |q_c^a(k)|^2 is averaged in.
  [[nodiscard]] constexpr int chirality_of(int axis, int mode) const {
    using Q = BinQuantity;
    const Modes::Mode m = modes_[mode];
    const unsigned axes = modes_.axes(m.direction);
    const int perpendicular = ((axes >> axis) & 1U) != 0U ? 0 : 1;
    if (m.multiple == 0) return chirality_number(Q::chiral_zero);
    switch (std::popcount(axes)) {
      case 1:
        return chirality_number(m.multiple == 1 ? Q::chiral_kmin_parallel : Q::chiral_2kmin_parallel) + perpendicular;
      case 2:
        return chirality_number(Q::chiral_110_parallel) + perpendicular;
      default:
        return chirality_number(Q::chiral_111);
    }
  }

  BinLayout layout_;
  Modes modes_;
  int copies_;
  double sites_, bonds_, overlap_unit_, site_unit_, overlap_per_site_;
  double per_copy_, per_pair_, per_site_, per_bond_;  ///< 1 / number

  /// The |q_c^a(k)|^2 that an observable is an average of, axes then modes ascending.
  struct Average {
    int count = 0;
    std::uint8_t member[16] = {};  ///< axis * max_modes + mode
  };
  Average chiral_[chiralities];  ///< from chiral_4 on
};

/// Adds the test functions of the temperature walk (chain.hpp) of a replica in `slot` to sums[function].
/// cosine: cos(2 pi j / (2 slots)), j = 0 .. 2 slots - 1
GLASSWORKS_HD void add_walk_functions(int slot, int slots, const double* cosine, double* sums) {
  const int twice_offset = 2 * slot + 1 - slots;  // slots (2x - 1)
  sums[0] += static_cast<double>(twice_offset) / slots;
  sums[1] += twice_offset > 0 ? 1.0 : (twice_offset < 0 ? -1.0 : 0.0);
  sums[2] += cosine[2 * slot + 1];
}

}}  // namespace glassworks::rounds
