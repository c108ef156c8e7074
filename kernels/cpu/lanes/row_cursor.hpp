#pragma once

#include "kernels/cpu/lanes/kernel_table.hpp"
#include "kernels/models/unit_vectors.hpp"

namespace glassworks { inline namespace cpu {

/// One row of the lattice with its neighbour rows: local fields of its sites for `Lanes<F>::width` replicas at a time.
/// n: components of a spin.
template <int n, class F, int dim, bool with_fields>
class RowCursor {
 public:
  using V = exact::Vector<n, F>;
  using Access = exact::Lanes<F>;
  static constexpr std::ptrdiff_t site_stride = n * bundle_lanes;

  GLASSWORKS_HD RowCursor(const SweepGeometry& g, int row, const float* spins) : L_(g.L) {
    // By the number of the first site: products of two row lengths with a row are what compilers put into vectors,
    // which takes longer.
    const std::ptrdiff_t site = std::ptrdiff_t{row} * g.L;
    here_ = spins + site * site_stride;
    couplings_ = g.couplings + site * dim;
    if constexpr (with_fields) fields_ = g.fields + site * n;
    GLASSWORKS_UNROLL
    for (int axis = 1; axis < dim; ++axis) {
      const std::int32_t* const rows = g.neighbour_rows + (std::ptrdiff_t{row} * (dim - 1) + axis - 1) * 2;
      const std::ptrdiff_t forward = std::ptrdiff_t{rows[0]} * g.L, backward = std::ptrdiff_t{rows[1]} * g.L;
      rows_[2 * axis - 2] = spins + forward * site_stride;
      rows_[2 * axis - 1] = spins + backward * site_stride;
      back_couplings_[axis - 1] = g.couplings + backward * dim + axis;
    }
  }

  GLASSWORKS_HD int left(int x) const { return x == 0 ? L_ - 1 : x - 1; }
  GLASSWORKS_HD int right(int x) const { return x == L_ - 1 ? 0 : x + 1; }

  GLASSWORKS_HD static V load(const float* row, int x, int lane) {
    const float* p = row + x * site_stride + lane;
    V s;
    GLASSWORKS_UNROLL
    for (int k = 0; k < n; ++k) s.c[k] = Access::load(p + k * bundle_lanes);
    return s;
  }
  GLASSWORKS_HD V spin(int x, int lane) const { return load(here_, x, lane); }
  /// Spin of the neighbour row k (+y, -y, +z, ...) at x.
  GLASSWORKS_HD V spin_of(int k, int x, int lane) const { return load(rows_[k], x, lane); }

  /// Coupling of the site at x to its neighbour at +axis; to that in the neighbour row k.
  GLASSWORKS_HD float coupling(int x, int axis) const { return couplings_[x * dim + axis]; }
  GLASSWORKS_HD float coupling_of(int k, int x) const {
    return k % 2 == 0 ? couplings_[x * dim + k / 2 + 1] : back_couplings_[k / 2][x * dim];
  }

  GLASSWORKS_HD V site_field(int x) const {
    V h;
    GLASSWORKS_UNROLL
    for (int k = 0; k < n; ++k) h.c[k] = F(fields_[n * x + k]);
    return h;
  }

  GLASSWORKS_HD V local_field(int x, int lane) const {
    const int l = left(x);
    return local_field(x, lane, l, spin(l, lane), spin(right(x), lane));
  }
  /// h = H + sum J s, bonds in the order of exact::add_bond. For callers that hold the x neighbours: l = left(x).
  GLASSWORKS_HD V local_field(int x, int lane, int l, const V& left_spin, const V& right_spin) const {
    const float* J = couplings_ + x * dim;
    V h;
    if constexpr (with_fields) {
      h = exact::add_bond(site_field(x), F(J[0]), right_spin);
    } else {
      h = exact::first_bond(F(J[0]), right_spin);
    }
    h = exact::add_bond(h, F(couplings_[l * dim]), left_spin);
#pragma GCC unroll 3
    for (int a = 0; a < dim - 1; ++a) {
      h = exact::add_bond(h, F(J[a + 1]), load(rows_[2 * a], x, lane));
      h = exact::add_bond(h, F(back_couplings_[a][x * dim]), load(rows_[2 * a + 1], x, lane));
    }
    return h;
  }

  /// visit(J, neighbour) for all bonds of a site.
  template <class Visit>
  GLASSWORKS_HD void for_each_bond(int x, int lane, const Visit& visit) const {
    const float* J = couplings_ + x * dim;
    const int l = left(x);
    visit(F(J[0]), spin(right(x), lane));
    visit(F(couplings_[l * dim]), spin(l, lane));
#pragma GCC unroll 3
    for (int a = 0; a < dim - 1; ++a) {
      visit(F(J[a + 1]), load(rows_[2 * a], x, lane));
      visit(F(back_couplings_[a][x * dim]), load(rows_[2 * a + 1], x, lane));
    }
  }

 private:
  int L_;
  const float* here_;
  const float* couplings_;
  const float* fields_ = nullptr;
  const float* rows_[2 * dim];
  const float* back_couplings_[dim];
};

}}  // namespace glassworks::cpu
