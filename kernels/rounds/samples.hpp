#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/core/host_device.hpp"
#include "kernels/rounds/observables.hpp"

namespace glassworks { inline namespace rounds {

/// Whether measurement m = 0 .. M-1 of a round is one of its n samples: (m+1) n / M > m n / M in integers, n <= M. They
/// are evenly spaced, and the last measurement is one of them if there are any.
[[nodiscard]] constexpr bool is_sampled(int m, int measurements, int samples) {
  return std::int64_t{m + 1} * samples / measurements > std::int64_t{m} * samples / measurements;
}

/// Samples among the measurements before m.
[[nodiscard]] constexpr int samples_before(int m, int measurements, int samples) {
  return static_cast<int>(std::int64_t{m} * samples / measurements);
}

/// The quantities whose values at single measurements are kept, at every slot. Per site and of one measurement each;
/// most are means of neighbouring observables (ObservableLayout), the last six with four copies are the overlaps
/// q_ab = (1/N) sum_i s_i^(a).s_i^(b) of single pairs, which P(q) needs and no observable holds. Plain values, for host
/// and device.
class SampleLayout {
 public:
  constexpr SampleLayout(int dim, int copies) : dim_(dim), copies_(copies) {
    using O = ObservableLayout;
    const O layout(dim, copies);
    const auto add = [&](int observable, int count = 1) {
      columns_[static_cast<std::size_t>(averages_++)] = {observable, count};
    };
    for (int copy = 0; copy < copies; ++copy) add(layout.energy_of_copy(copy));
    for (const int one : {O::link_overlap, O::q_s, O::overlap, O::overlap_2, O::overlap_4}) add(one);
    add(layout.overlap_mode(1), dim);
    add(layout.overlap_mode(1 + dim), dim);
    if (dim >= 2) add(layout.overlap_mode(1 + 2 * dim), dim * (dim - 1) / 2);
    for (const int one : {O::chiral_zero, O::chiral_4, O::chiral_kmin_parallel}) add(one);
    if (dim >= 2) add(O::chiral_kmin_perpendicular);
    for (const int one : {O::magnetization_2, O::magnetization_4, O::bond_energy}) add(one);
    if (copies != 4) return;
    for (int term = 1; term <= 3; ++term) add(layout.chi_term(term, 0));
    for (int term = 1; term <= 3; ++term) add(layout.chi_term(term, 1), dim);
  }

  static constexpr int max_averages = 4 + 15 + 6;

  /// Number of quantities.
  [[nodiscard]] GLASSWORKS_HD constexpr int size() const { return averages_ + pairs(); }
  /// Those that are means of observables; they come first.
  [[nodiscard]] GLASSWORKS_HD constexpr int averages() const { return averages_; }
  /// Pairs of copies whose overlaps follow them, in the order of pair_of_copies; 0 with two copies, where `overlap` is
  /// the only one.
  [[nodiscard]] GLASSWORKS_HD constexpr int pairs() const { return copies_ == 4 ? 6 : 0; }

  /// Value of one of the averages at a measurement, from the running sums of the observables before and after it: the
  /// mean over its observables of after - before, added up in double in ascending order, rounded to float. Sums are
  /// equal to the bit everywhere, so samples are. Error: that of the float, and of the sums, 1e-16 times the
  /// measurements.
  [[nodiscard]] GLASSWORKS_HD float average(int quantity, const double* before, const double* after) const {
    const Columns c = columns_[static_cast<std::size_t>(quantity)];
    double sum = 0.0;
    for (int i = c.first; i < c.first + c.count; ++i) sum += after[i] - before[i];
    return static_cast<float>(sum / c.count);
  }

  /// Names of all quantities in their order, for files and people: "energy_of_copy_1", ..., "overlap_kmin", ...,
  /// "chi_2_zero", ..., "overlap_13", ...
  [[nodiscard]] std::vector<std::string> names() const;

 private:
  struct Columns {
    int first = 0, count = 1;
  };
  std::array<Columns, max_averages> columns_{};
  int dim_, copies_, averages_ = 0;
};

}}  // namespace glassworks::rounds
