#pragma once

#include "kernels/core/modes.hpp"
#include "kernels/cpu/lanes/row_cursor.hpp"

namespace glassworks { inline namespace cpu {

/// Sums of a measurement over 16 slots at once: spins[site][component][lane] with lane = slot. Every term is rounded
/// to fixed point as in the reference backend, so the order of the sums is free.
template <class F, int dim, bool with_fields>
struct MeasureKernels {
  using Row = RowCursor<3, F, dim, with_fields>;
  using Access = exact::Lanes<F>;
  using V = exact::Vector<3, F>;
  static constexpr int components = 9 + dim;  ///< overlap tensor, then the chirality of each axis
  static constexpr std::ptrdiff_t block = components * bundle_lanes;

  GLASSWORKS_HD static exact::Bits<F> fixed(F x, float scale) { return exact::round_to_bits(exact::mul(x, F(scale))); }
  GLASSWORKS_HD static V forward(const Row& row, int axis, int x, int lane) {
    return axis == 0 ? row.spin(row.right(x), lane) : row.spin_of(2 * (axis - 1), x, lane);
  }
  GLASSWORKS_HD static V backward(const Row& row, int axis, int x, int lane) {
    return axis == 0 ? row.spin(row.left(x), lane) : row.spin_of(2 * (axis - 1) + 1, x, lane);
  }
  GLASSWORKS_HD static int rows(const SweepGeometry& g) {
    int n = 1;
    for (int axis = 1; axis < dim; ++axis) n *= g.L;
    return n;
  }

  /// Axes along which the sites of a row have no bond to the site after or before them.
  struct MissingBonds {
    GLASSWORKS_HD MissingBonds(const SweepGeometry& g, int row)
        : L(g.L),
          forward(g.no_forward == nullptr ? 0U : g.no_forward[row]),
          backward(g.no_backward == nullptr ? 0U : g.no_backward[row]) {}
    GLASSWORKS_HD bool after(int axis, int x) const {
      return ((forward >> axis) & 1U) != 0U && (axis > 0 || x == L - 1);
    }
    GLASSWORKS_HD bool before(int axis, int x) const { return ((backward >> axis) & 1U) != 0U && (axis > 0 || x == 0); }
    int L;
    unsigned forward, backward;
  };

  static void replica_sums(const SweepGeometry& g, const float* spins, float energy_scale, float spin_scale,
                           float bond_scale, ReplicaSumLanes* sums) {
    for (int row_index = 0; row_index < rows(g); ++row_index) {
      const Row row(g, row_index, spins);
      const MissingBonds missing(g, row_index);
      for (int x = 0; x < g.L; ++x) {
        for (int lane = 0; lane < bundle_lanes; lane += Access::width) {
          const V s = row.spin(x, lane);
          F squares(0.0F);
#pragma GCC unroll 4
          for (int axis = 0; axis < dim; ++axis) {
            if (missing.after(axis, x)) continue;
            const F product = exact::dot(s, forward(row, axis, x, lane));
            squares = exact::fma(product, product, squares);
          }
          Access::add_wide(sums->q_s + lane, fixed(squares, bond_scale));
          Access::add_wide(sums->magnetization[0] + lane, fixed(s.c[0], spin_scale));
          Access::add_wide(sums->magnetization[1] + lane, fixed(s.c[1], spin_scale));
          Access::add_wide(sums->magnetization[2] + lane, fixed(s.c[2], spin_scale));
          if constexpr (with_fields) {
            Access::add_wide(sums->field + lane, fixed(exact::dot(s, row.site_field(x)), energy_scale));
          }
        }
      }
    }
  }

  /// Plane sums are built up in two levels: inside each (x, y) plane over x, x + y and y, then folded into the planes
  /// of all directions, whose other coordinates are constant there.
  static void pair_sums(const SweepGeometry& g, const float* a, const float* b, float spin_scale, float bond_scale,
                        const PairSumLanes& sums) {
    const int rows_per_plane = dim == 1 ? 1 : g.L;
    const int planes = rows(g) / rows_per_plane;
    for (int plane = 0; plane < planes; ++plane) {
      for (std::ptrdiff_t i = 0; i < (3 * g.L + 1) * block; ++i) sums.workspace[i] = 0;
      std::int32_t* by_x = sums.workspace;
      std::int32_t* by_xy = by_x + g.L * block;
      std::int32_t* by_y = by_xy + g.L * block;
      for (int y = 0; y < rows_per_plane; ++y) {
        const int row = plane * rows_per_plane + y;
        const Row row_a(g, row, a), row_b(g, row, b);
        const MissingBonds missing(g, row);
        for (int lane = 0; lane < bundle_lanes; lane += Access::width) {
          exact::Bits<F> row_sum[components];
          for (int c = 0; c < components; ++c) row_sum[c] = exact::Bits<F>(0U);
          for (int x = 0; x < g.L; ++x) {
            const int diagonal = x + y < g.L ? x + y : x + y - g.L;
            exact::Bits<F> term[components];
            site(row_a, row_b, missing, x, lane, spin_scale, bond_scale, sums.link + lane, term);
#pragma GCC unroll 13
            for (int c = 0; c < components; ++c) {
              row_sum[c] = row_sum[c] + term[c];
              Access::add_to(by_x + x * block + c * bundle_lanes + lane, term[c]);
              Access::add_to(by_xy + diagonal * block + c * bundle_lanes + lane, term[c]);
            }
          }
          for (int c = 0; c < components; ++c) {
            Access::store(by_y + y * block + c * bundle_lanes + lane, row_sum[c]);
          }
        }
      }
      fold(g, plane, by_x, by_xy, by_y, by_y + g.L * block, sums.planes);
    }
  }

 private:
  /// The fixed-point terms of one site: overlap tensor, then the chirality of each axis.
  GLASSWORKS_HD static void site(const Row& row_a, const Row& row_b, const MissingBonds& missing, int x, int lane,
                                 float spin_scale, float bond_scale, std::int64_t* link_sum,
                                 exact::Bits<F> term[components]) {
    const V s = row_a.spin(x, lane), t = row_b.spin(x, lane);
#pragma GCC unroll 9
    for (int c = 0; c < 9; ++c) term[c] = fixed(exact::mul(s.c[c / 3], t.c[c % 3]), spin_scale);
    F link(0.0F);
#pragma GCC unroll 4
    for (int axis = 0; axis < dim; ++axis) {
      term[9 + axis] = exact::Bits<F>(0U);
      if (missing.after(axis, x)) continue;
      const V s_forward = forward(row_a, axis, x, lane), t_forward = forward(row_b, axis, x, lane);
      link = exact::fma(exact::dot(s, s_forward), exact::dot(t, t_forward), link);
      if (missing.before(axis, x)) continue;
      term[9 + axis] = fixed(exact::mul(exact::chirality(s_forward, s, backward(row_a, axis, x, lane)),
                                        exact::chirality(t_forward, t, backward(row_b, axis, x, lane))),
                             spin_scale);
    }
    Access::add_wide(link_sum, fixed(link, bond_scale));
  }

  struct Directions {
    int count = 0;
    unsigned axes[14] = {};
  };
  static constexpr Directions directions() {
    const Modes modes(dim);
    Directions d;
    d.count = modes.directions();
    for (int i = 0; i < d.count; ++i) d.axes[i] = modes.axes(i);
    return d;
  }

  GLASSWORKS_HD static void add_block(std::int32_t* to, const std::int32_t* from) {
    for (std::ptrdiff_t i = 0; i < block; ++i) to[i] += from[i];
  }

  /// Adds the sums of one (x, y) plane to the planes of every direction.
  static void fold(const SweepGeometry& g, int plane, const std::int32_t* by_x, const std::int32_t* by_xy,
                   const std::int32_t* by_y, std::int32_t* total, std::int32_t* planes) {
    constexpr Directions all = directions();
    if constexpr (dim >= 3) {  // in d = 2 it is not needed, and the whole lattice need not fit into 32 bits
      for (int y = 0; y < g.L; ++y) add_block(total, by_y + y * block);
    }
    const int z = plane % g.L, w = plane / g.L;
    for (int d = 0; d < all.count; ++d) {
      const unsigned axes = all.axes[d];
      const int offset = (((axes & 4U) != 0U ? z : 0) + ((axes & 8U) != 0U ? w : 0)) % g.L;
      std::int32_t* to = planes + std::ptrdiff_t{d} * g.L * block;
      if ((axes & 3U) == 0U) {
        add_block(to + offset * block, total);
        continue;
      }
      const std::int32_t* from = (axes & 3U) == 3U ? by_xy : ((axes & 1U) != 0U ? by_x : by_y);
      for (int j = 0; j < g.L; ++j) {
        const int p = j + offset < g.L ? j + offset : j + offset - g.L;
        add_block(to + p * block, from + j * block);
      }
    }
  }
};

}}  // namespace glassworks::cpu
