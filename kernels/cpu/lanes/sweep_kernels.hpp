#pragma once

#include "kernels/cpu/lanes/row_cursor.hpp"
#include "kernels/cpu/lanes/twice.hpp"

namespace glassworks { inline namespace cpu {

/// The local update, the same on every lattice.
template <int n, class T, class Words>
GLASSWORKS_SHARED exact::Vector<n, T> update_lanes(const exact::Vector<n, T>& s, const exact::Vector<n, T>& h,
                                                   const exact::HeatBathTemperature<T>& temperature,
                                                   std::uint64_t sweep, const Words& word0, const Words& word1) {
  return exact::local_update(s, h, temperature, sweep, word0, word1);
}

/// The update kernels of spins of n components for one lane type F, dimension and presence of site fields. Sites of one
/// parity do not interact, so the order inside a region is free; every site is updated as the reference backend does
/// it.
template <int n, class F, int dim, bool with_fields>
struct SweepKernels {
  using Row = RowCursor<n, F, dim, with_fields>;
  using Access = exact::Lanes<F>;
  using V = exact::Vector<n, F>;

  GLASSWORKS_HD static void store(float* spins, std::int64_t site, int lane, const V& s) {
    float* p = spins + site * Row::site_stride + lane;
    GLASSWORKS_UNROLL
    for (int k = 0; k < n; ++k) Access::store(p + k * bundle_lanes, s.c[k]);
  }
  GLASSWORKS_HD static int first_x(const SweepGeometry& g, const SweepRegion& region, int row) {
    return region.x_begin + ((g.row_parity[row] ^ region.parity) & 1);
  }

  /// A reflection whose quotient is still under way.
  struct Reflection {
    V s, h;
    F projection, inverse_square;
    float* to;
  };
  GLASSWORKS_HD static void finish(const Reflection& r) {
    store(r.to, 0, 0, exact::reflect_about_field(r.s, r.h, r.projection, r.inverse_square));
  }

  /// Software pipelined: a site is finished after the local field of the next one, so that its long chain of dependent
  /// operations overlaps with independent work (8 to 10 % faster than one site at a time on Zen 4). The spin to the
  /// right of a site is kept as the left one of the next site of the same parity.
  static void over_relax(const SweepGeometry& g, const SweepRegion& region, float* spins) {
    const F zero(0.0F);
    alignas(64) float nowhere[Row::site_stride];
    Reflection pending;
    GLASSWORKS_UNROLL
    for (int k = 0; k < n; ++k) pending.s.c[k] = pending.h.c[k] = zero;
    pending.projection = pending.inverse_square = zero;
    pending.to = nowhere;
    for (int k = 0; k < region.row_count; ++k) {
      const int row = region.rows[k];
      const Row cursor(g, row, spins);
      float* here = spins + std::int64_t{row} * g.L * Row::site_stride;
      for (int lane = 0; lane < bundle_lanes; lane += Access::width) {
        int x = first_x(g, region, row);
        int l = cursor.left(x);
        V left = cursor.spin(l, lane);
        for (; x < region.x_end; x += 2) {
          const int r = cursor.right(x);
          const V right = cursor.spin(r, lane), s = cursor.spin(x, lane);
          const V h = cursor.local_field(x, lane, l, left, right);
          const F projection = exact::dot(s, h), inverse_square = exact::reciprocal(exact::guarded_square(h));
          finish(pending);
          // One by one: the copy of a whole vector goes through memory.
          GLASSWORKS_UNROLL
          for (int c = 0; c < n; ++c) {
            pending.s.c[c] = s.c[c];
            pending.h.c[c] = h.c[c];
            left.c[c] = right.c[c];
          }
          pending.projection = projection;
          pending.inverse_square = inverse_square;
          pending.to = here + x * Row::site_stride + lane;
          l = r;
        }
      }
    }
    finish(pending);
  }

  /// The same updates in double precision, for protocols without a heat bath.
  static void over_relax_conserving(const SweepGeometry& g, const SweepRegion& region, float* spins) {
    for (int k = 0; k < region.row_count; ++k) {
      const int row = region.rows[k];
      const Row cursor(g, row, spins);
      for (int x = first_x(g, region, row); x < region.x_end; x += 2) {
        for (int lane = 0; lane < bundle_lanes; lane += Access::width) {
          const V s = exact::over_relax_conserving(cursor.spin(x, lane), cursor.local_field(x, lane));
          store(spins, std::int64_t{row} * g.L + x, lane, s);
        }
      }
    }
  }

  /// Energy term of a new spin: s.h at odd sites, s.H at even ones.
  GLASSWORKS_HD static void add_energy(const SweepRegion& region, const HeatBathSweep& hb, const Row& cursor, int x,
                                       int lane, const V& s, const V& h) {
    if (region.parity == 1) {
      Access::add_wide(hb.energy + lane, exact::round_to_bits(exact::mul(exact::dot(s, h), F(hb.energy_scale))));
    } else if constexpr (with_fields) {
      const F term = exact::dot(s, cursor.site_field(x));
      Access::add_wide(hb.energy + lane, exact::round_to_bits(exact::mul(term, F(hb.energy_scale))));
    }
  }

  /// Rows in pairs (y even, y odd): the two sites of a cell with this parity share a Philox block. Two cells, four
  /// sites, go through the heat bath side by side, because a single one is a long chain of dependent operations (25 %
  /// faster than one site at a time on Zen 4).
  static void heat_bath(const SweepGeometry& g, const SweepRegion& region, const HeatBathSweep& hb, float* spins) {
    if constexpr (dim == 1) {
      heat_bath_chain(g, region, hb, spins);
    } else {
      for (int k = 0; k + 1 < region.row_count; k += 2) {
        const RowPair rows(g, region, region.rows + k, spins);
        for (int lane = 0; lane < bundle_lanes; lane += Access::width) {
          int x = region.x_begin;
          for (; x + 4 <= region.x_end; x += 4) {
            const Cell a(rows, hb, x, lane), b(rows, hb, x + 2, lane);
            const auto s =
                update_lanes(exact::twice(a.s, b.s), exact::twice(a.h, b.h), temperature<exact::Twice<Both>>(hb, lane),
                             hb.sweep, exact::Twice(a.word0, b.word0), exact::Twice(a.word1, b.word1));
            a.finish(rows, region, hb, x, lane, exact::first(s), spins);
            b.finish(rows, region, hb, x + 2, lane, exact::second(s), spins);
          }
          if (x < region.x_end) {
            const Cell a(rows, hb, x, lane);
            const auto s = update_lanes(a.s, a.h, temperature<Both>(hb, lane), hb.sweep, a.word0, a.word1);
            a.finish(rows, region, hb, x, lane, s, spins);
          }
        }
      }
    }
  }

  using Both = exact::Twice<F>;
  /// A heat bath of one or three components forgets the old spin.
  static constexpr bool needs_old_spin = n == 2 || n == 4;

  GLASSWORKS_HD static void spread(F value, F& out) { out = value; }
  template <class T>
  GLASSWORKS_HD static void spread(F value, exact::Twice<T>& out) {
    spread(value, out.a);
    spread(value, out.b);
  }
  /// The temperatures of the lanes, repeated for each of the sites in T.
  template <class T>
  GLASSWORKS_HD static exact::HeatBathTemperature<T> temperature(const HeatBathSweep& hb, int lane) {
    exact::HeatBathTemperature<T> t;
    spread(Access::load(hb.minus_two_beta + lane), t.minus_two_beta);
    spread(Access::load(hb.minus_inverse_beta + lane), t.minus_inverse_beta);
    return t;
  }

  struct RowPair {
    GLASSWORKS_HD RowPair(const SweepGeometry& g, const SweepRegion& region, const std::int32_t* rows, float* spins)
        : even(g, rows[0], spins),
          odd(g, rows[1], spins),
          shift((g.row_parity[rows[0]] ^ region.parity) & 1),
          first_cell(g.first_cell[rows[0]]),
          first_site{std::int64_t{rows[0]} * g.L + shift, std::int64_t{rows[1]} * g.L + 1 - shift} {}
    Row even, odd;
    int shift;
    std::uint32_t first_cell;
    std::int64_t first_site[2];
  };

  /// The two sites of one parity in a 2 x 2 cell: local fields and random words before, storing after the heat bath.
  struct Cell {
    GLASSWORKS_HD Cell(const RowPair& rows, const HeatBathSweep& hb, int x, int lane) {
      exact::Bits<F> u[4];
      const std::uint32_t cell = rows.first_cell + static_cast<std::uint32_t>(x / 2);
      Access::philox(exact::start_philox(hb.key, cell, hb.word1, hb.word2), Access::load(hb.word3 + lane), u);
      word0 = {u[0], u[2]};
      word1 = {u[1], u[3]};
      h = twice(rows.even.local_field(x + rows.shift, lane), rows.odd.local_field(x + 1 - rows.shift, lane));
      if constexpr (needs_old_spin) {
        s = twice(rows.even.spin(x + rows.shift, lane), rows.odd.spin(x + 1 - rows.shift, lane));
      } else {
        s = h;
      }
    }

    GLASSWORKS_HD void finish(const RowPair& rows, const SweepRegion& region, const HeatBathSweep& hb, int x, int lane,
                              const exact::Vector<n, Both>& updated, float* spins) const {
      const V s0 = first(updated), s1 = second(updated);
      store(spins, rows.first_site[0] + x, lane, s0);
      store(spins, rows.first_site[1] + x, lane, s1);
      if (hb.energy != nullptr) {
        add_energy(region, hb, rows.even, x + rows.shift, lane, s0, first(h));
        add_energy(region, hb, rows.odd, x + 1 - rows.shift, lane, s1, second(h));
      }
    }

    exact::Vector<n, Both> s, h;
    exact::Twice<exact::Bits<F>> word0, word1;
  };

  /// d = 1: the two members of a cell may lie in different tiles, so each site draws its own block.
  static void heat_bath_chain(const SweepGeometry& g, const SweepRegion& region, const HeatBathSweep& hb,
                              float* spins) {
    const Row cursor(g, 0, spins);
    for (int x = first_x(g, region, 0); x < region.x_end; x += 2) {
      const auto start = exact::start_philox(hb.key, static_cast<std::uint32_t>(x / 4), hb.word1, hb.word2);
      const int first_word = 2 * ((x / 2) & 1);
      for (int lane = 0; lane < bundle_lanes; lane += Access::width) {
        exact::Bits<F> u[4];
        Access::philox(start, Access::load(hb.word3 + lane), u);
        const V h = cursor.local_field(x, lane);
        const V spin =
            update_lanes(cursor.spin(x, lane), h, temperature<F>(hb, lane), hb.sweep, u[first_word], u[first_word + 1]);
        store(spins, x, lane, spin);
        if (hb.energy != nullptr) add_energy(region, hb, cursor, x, lane, spin, h);
      }
    }
  }

  static void energy(const SweepGeometry& g, const SweepRegion& region, const float* spins, float scale,
                     std::int64_t* sum) {
    if (region.parity == 0 && !with_fields) return;
    for (int k = 0; k < region.row_count; ++k) {
      const int row = region.rows[k];
      const Row cursor(g, row, spins);
      for (int x = first_x(g, region, row); x < region.x_end; x += 2) {
        for (int lane = 0; lane < bundle_lanes; lane += Access::width) {
          V h;
          if constexpr (with_fields) {
            h = region.parity == 1 ? cursor.local_field(x, lane) : cursor.site_field(x);
          } else {
            h = cursor.local_field(x, lane);
          }
          Access::add_wide(sum + lane, exact::round_to_bits(exact::mul(exact::dot(cursor.spin(x, lane), h), F(scale))));
        }
      }
    }
  }

  /// Energy terms of the models whose energy is a sum over bonds: J s.s' of all bonds at the odd sites, s.H everywhere.
  static void bond_energy(const SweepGeometry& g, const SweepRegion& region, const float* spins, float scale,
                          std::int64_t* sum) {
    if (region.parity == 0 && !with_fields) return;
    const auto add = [&](int lane, F term) {
      Access::add_wide(sum + lane, exact::round_to_bits(exact::mul(term, F(scale))));
    };
    for (int k = 0; k < region.row_count; ++k) {
      const int row = region.rows[k];
      const Row cursor(g, row, spins);
      for (int x = first_x(g, region, row); x < region.x_end; x += 2) {
        for (int lane = 0; lane < bundle_lanes; lane += Access::width) {
          const V s = cursor.spin(x, lane);
          if constexpr (with_fields) add(lane, exact::dot(cursor.site_field(x), s));
          if (region.parity == 0) continue;
          cursor.for_each_bond(x, lane, [&](F J, const V& t) { add(lane, exact::mul(J, exact::dot(s, t))); });
        }
      }
    }
  }

  static void renormalize(float* spins, std::int64_t sites) {
    for (std::int64_t site = 0; site < sites; ++site) {
      for (int lane = 0; lane < bundle_lanes; lane += Access::width) {
        const V s = Row::load(spins + site * Row::site_stride, 0, lane);
        store(spins, site, lane, exact::renormalize(s));
      }
    }
  }
};

}}  // namespace glassworks::cpu
