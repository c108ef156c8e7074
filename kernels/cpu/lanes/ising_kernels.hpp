#pragma once

#include <limits>

#include "kernels/cpu/lanes/ising_words.hpp"
#include "kernels/cpu/lanes/sweep_kernels.hpp"

namespace glassworks { inline namespace cpu {

/// IsingDecision for lanes, with a polynomial for the exponential.
///
/// u is the word over the end of its range, e = exp(-2 beta |h|). `below` is 1 - u - u e, which is positive where the
/// update keeps the sign of h. The exponential is off by less than 8.5e-5 of its value (7.5e-5 for the polynomial, the
/// rest for roundings), u e is at most 1/2 where `below` is near 0, and all else is off by less than 1e-6.
template <class F>
class LaneDecision {
 public:
  using Access = exact::Lanes<F>;
  /// Closer to the border than this is unsure.
  static constexpr float margin = 5.0e-5F;
  /// From where on exp(-2 beta |h|) counts as 2^-62.
  static constexpr float furthest = 62.0F;

  /// minus_two_beta: of exact::HeatBathTemperature
  GLASSWORKS_HD explicit LaneDecision(F minus_two_beta)
      : exponent_(exact::mul(minus_two_beta, F(1.44269504F))),
        largest_(exact::min(exact::mul(F(-furthest), exact::reciprocal(exponent_)), F(3.0e38F))) {}

  /// The new spin +-1. h: +0 if it is 0; nearest: the least distance from the border so far
  GLASSWORKS_HD F spin(F h, exact::Bits<F> word, F& nearest) const {
    const F size = exact::least_size(h, largest_), magic(12582912.0F);
    const F shifted = exact::multiply_add(size, exponent_, magic);
    const F r = exact::multiply_add(size, exponent_, exact::sub(magic, shifted));
    F p = exact::multiply_add(F(0.055171669F), r, F(0.24261112F));
    p = exact::multiply_add(p, r, F(0.69326099F));
    p = exact::multiply_add(p, r, F(0.99992807F));
    const F e = exact::as_float(exact::as_uint(p) + exact::shift_left<23>(exact::as_uint(shifted)));
    const F u = Access::word_to_float(word), rest = exact::sub(F(Access::words_end), u);
    const F below = exact::sub(rest, exact::mul(u, e));
    nearest = exact::least_size(below, nearest);
    return exact::copy_sign(F(1.0F), exact::mul(h, below));
  }
  /// Whether one of the spins may differ from that of the exact update.
  [[nodiscard]] GLASSWORKS_HD static bool unsure(F nearest) {
    return Access::any_at_most(nearest, F(margin * Access::words_end));
  }

 private:
  F exponent_, largest_;
};

/// The heat bath of Ising spins: the bits of SweepKernels, most of them without the exact exponential.
template <class F, int dim, bool with_fields>
struct IsingKernels : SweepKernels<1, F, dim, with_fields> {
  using Exact = SweepKernels<1, F, dim, with_fields>;
  using Access = exact::Lanes<F>;
  using RowPair = typename Exact::RowPair;

  static void heat_bath(const SweepGeometry& g, const SweepRegion& region, const HeatBathSweep& hb, float* spins) {
    if constexpr (dim == 1) {
      Exact::heat_bath(g, region, hb, spins);
    } else {
      const exact::IsingWords words(hb.key, hb.word1, hb.word2);
      for (int k = 0; k + 1 < region.row_count; k += 2) {
        const RowPair rows(g, region, region.rows + k, spins);
        for (int lane = 0; lane < bundle_lanes; lane += Access::width) {
          const LaneDecision<F> decision(Access::load(hb.minus_two_beta + lane));
          const auto word3 = Access::turned(Access::load(hb.word3 + lane));
          int x = region.x_begin;
          for (; x + 4 <= region.x_end; x += 4) update<2>(rows, hb, words, decision, word3, x, lane, spins);
          if (x < region.x_end) update<1>(rows, hb, words, decision, word3, x, lane, spins);
        }
      }
    }
  }

 private:
  /// The spins of `cells` cells from x on.
  template <int cells>
  GLASSWORKS_HD static void update(const RowPair& rows, const HeatBathSweep& hb, const exact::IsingWords& words,
                                   const LaneDecision<F>& decision, exact::Bits<F> word3, int x, int lane,
                                   float* spins) {
    exact::IsingWords::Cell cell[cells];
    GLASSWORKS_UNROLL
    for (int k = 0; k < cells; ++k) cell[k] = words.cell(rows.first_cell + static_cast<std::uint32_t>(x / 2 + k));
    exact::Bits<F> word[2 * cells];
    words.draw<F, cells>(cell, word3, word);
    F nearest(std::numeric_limits<float>::max());
    GLASSWORKS_UNROLL
    for (int k = 0; k < cells; ++k) {
      const int at = x + 2 * k;
      const F h0 = field(rows.even, at + rows.shift, lane), h1 = field(rows.odd, at + 1 - rows.shift, lane);
      Access::store(spins + (rows.first_site[0] + at) * bundle_lanes + lane, decision.spin(h0, word[2 * k], nearest));
      Access::store(spins + (rows.first_site[1] + at) * bundle_lanes + lane,
                    decision.spin(h1, word[2 * k + 1], nearest));
    }
    if (__builtin_expect(static_cast<int>(LaneDecision<F>::unsure(nearest)), 0) != 0) {
      for (int k = 0; k < cells; ++k) repeat(rows, hb, x + 2 * k, lane, spins);
    }
  }
  /// The local field, +0 instead of -0.
  GLASSWORKS_HD static F field(const typename Exact::Row& row, int x, int lane) {
    return exact::add(row.local_field(x, lane).c[0], F(0.0F));
  }

  /// By the exact exponential. The spins that the first decision has changed are of one parity, so no field has.
  [[gnu::noinline, gnu::cold]] static void repeat(const RowPair& rows, const HeatBathSweep& hb, int x, int lane,
                                                  float* spins) {
    const typename Exact::Cell cell(rows, hb, x, lane);
    const auto s = update_lanes(cell.s, cell.h, Exact::template temperature<typename Exact::Both>(hb, lane), hb.sweep,
                                cell.word0, cell.word1);
    GLASSWORKS_UNROLL
    for (int i = 0; i < 2; ++i) {
      const auto spin = i == 0 ? Exact::first(s) : Exact::second(s);
      Access::store(spins + (rows.first_site[i] + x) * bundle_lanes + lane, spin.c[0]);
    }
  }
};

}}  // namespace glassworks::cpu
