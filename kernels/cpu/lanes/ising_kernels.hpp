#pragma once

#include <algorithm>

#include "kernels/cpu/lanes/ising_words.hpp"
#include "kernels/cpu/lanes/lane_decision.hpp"
#include "kernels/cpu/lanes/sweep_kernels.hpp"

namespace glassworks { inline namespace cpu {

/// The local fields of the two sites of one parity in a cell, and of the cells that follow it along x: one at an even x
/// in a row, one right beside it in the other row of a pair. Four of their neighbours serve two sites.
///
/// first_is_even: whether the row of the site at even x is that of even y
template <class F, int dim, bool with_fields, bool first_is_even>
class CellFields {
 public:
  using Row = RowCursor<1, F, dim, with_fields>;
  /// Neighbours along x of `cells` cells: [k] is the left one of cell k in its row, [k + 1] the right one.
  template <int cells>
  struct Beside {
    F first[cells + 1], second[cells + 1];
  };

  GLASSWORKS_HD CellFields(const Row& first, const Row& second, int x, int lane)
      : first_(first), second_(second), lane_(lane), left_(first.left(x)) {
    first_left_ = first.spin(left_, lane).c[0];
    second_left_ = second.spin(x, lane).c[0];
  }
  /// Takes the cells from x on. field: [2 k + i], of the site at x + 2 k + i, begins
  template <int cells>
  GLASSWORKS_HD Beside<cells> begin(int x, F (&field)[2 * cells]) {
    Beside<cells> beside;
    beside.first[0] = first_left_;
    beside.second[0] = second_left_;
    GLASSWORKS_UNROLL
    for (int k = 0; k < cells; ++k) {
      const int here = x + 2 * k;
      beside.first[k + 1] = first_.spin(here + 1, lane_).c[0];
      beside.second[k + 1] = second_.spin(k + 1 < cells ? here + 2 : second_.right(here + 1), lane_).c[0];
      field[2 * k] = field[2 * k + 1] = F(0.0F);  // so that the sum is never -0
      if constexpr (with_fields) {
        field[2 * k] = exact::add(first_.site_field(here).c[0], F(0.0F));
        field[2 * k + 1] = exact::add(second_.site_field(here + 1).c[0], F(0.0F));
      }
    }
    first_left_ = beside.first[cells];
    second_left_ = beside.second[cells];
    return beside;
  }
  /// Adds the bond number `bond`, in the order of exact::add_bond. J s is exact, so that any multiply-add will do.
  template <int cells>
  GLASSWORKS_HD void add(int bond, int x, const Beside<cells>& beside, F (&field)[2 * cells]) const {
    if (bond >= 2 * dim) return;
    GLASSWORKS_UNROLL
    for (int k = 0; k < cells; ++k) {
      const int here = x + 2 * k;
      F &h = field[2 * k], &g = field[2 * k + 1];
      if (bond == 0) {
        h = exact::multiply_add(F(first_.coupling(here, 0)), beside.first[k + 1], h);
        g = exact::multiply_add(F(second_.coupling(here + 1, 0)), beside.second[k + 1], g);
      } else if (bond == 1) {
        h = exact::multiply_add(F(first_.coupling(k == 0 ? left_ : here - 1, 0)), beside.first[k], h);
        g = exact::multiply_add(F(second_.coupling(here, 0)), beside.second[k], g);
      } else {
        // Towards the other row of the pair is +y from an even row and -y from an odd one.
        const bool h_inside = bond == (first_is_even ? 2 : 3), g_inside = bond == (first_is_even ? 3 : 2);
        h = exact::multiply_add(F(first_.coupling_of(bond - 2, here)),
                                h_inside ? beside.second[k] : first_.spin_of(bond - 2, here, lane_).c[0], h);
        g = exact::multiply_add(F(second_.coupling_of(bond - 2, here + 1)),
                                g_inside ? beside.first[k + 1] : second_.spin_of(bond - 2, here + 1, lane_).c[0], g);
      }
    }
  }
  /// Leaves the cells before x.
  GLASSWORKS_HD void end(int x) { left_ = x - 1; }

 private:
  const Row &first_, &second_;
  const int lane_;
  int left_;
  F first_left_, second_left_;
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
      const HalfSweep half(hb);
      for (int k = 0; k + 1 < region.row_count; k += 2) {
        const RowPair rows(g, region, region.rows + k, spins);
        for (int x = region.x_begin; x < region.x_end; x += 2 * most_cells) {
          const int end = std::min(x + 2 * most_cells, region.x_end);
          for (int lane = 0; lane < bundle_lanes; lane += Access::width) {
            if (rows.shift == 0) {
              update<true>(rows, half, x, end, lane, spins);
            } else {
              update<false>(rows, half, x, end, lane, spins);
            }
          }
        }
      }
    }
  }

 private:
  static constexpr int most_cells = 16;
  /// Side by side, where there are registers enough.
  static constexpr bool two_cells = Access::width == 16;
  static constexpr float far = 3.0e38F;

  /// What the updates of a half-sweep share.
  struct HalfSweep {
    GLASSWORKS_HD explicit HalfSweep(const HeatBathSweep& sweep) : hb(sweep), words(hb.key, hb.word1, hb.word2) {
      for (int k = 0; k < groups; ++k) {
        decision[k] = exact::LaneDecision<F>(Access::load(hb.minus_two_beta + k * Access::width));
        turned_word3[k] = Access::turned(Access::load(hb.word3 + k * Access::width));
      }
    }
    static constexpr int groups = bundle_lanes / Access::width;
    const HeatBathSweep& hb;
    exact::IsingWords<F> words;
    exact::LaneDecision<F> decision[groups];
    exact::Bits<F> turned_word3[groups];
  };
  /// What those of a row pair share.
  struct Place {
    const HalfSweep& half;
    int group;
    std::uint32_t first_cell;
    float *to_first, *to_second;
  };

  /// The spins of the cells from x to `end`, of which there are at most `most_cells`. If one is unsure, all are done
  /// again by the exact exponential: only spins of one parity have changed, so all fields are what they were.
  template <bool first_is_even>
  GLASSWORKS_HD static void update(const RowPair& rows, const HalfSweep& half, int x_begin, int end, int lane,
                                   float* spins) {
    const Place place{half, lane / Access::width, rows.first_cell,
                      spins + rows.first_site[first_is_even ? 0 : 1] * bundle_lanes + lane,
                      spins + rows.first_site[first_is_even ? 1 : 0] * bundle_lanes + lane};
    CellFields<F, dim, with_fields, first_is_even> fields(first_is_even ? rows.even : rows.odd,
                                                          first_is_even ? rows.odd : rows.even, x_begin, lane);
    F nearest(far);
    int x = x_begin;
    if constexpr (two_cells) {
      for (; x + 4 <= end; x += 4) update_cells<2, first_is_even>(place, fields, x, nearest);
    }
    for (; x < end; x += 2) update_cells<1, first_is_even>(place, fields, x, nearest);
    if (__builtin_expect(static_cast<int>(exact::LaneDecision<F>::unsure(nearest)), 0) != 0) {
      for (x = x_begin; x < end; x += 2) repeat(rows, half.hb, x, lane, spins);
    }
  }

  template <int cells, bool first_is_even, class Fields>
  GLASSWORKS_HD static void update_cells(const Place& place, Fields& fields, int x, F& nearest) {
    const exact::IsingWords<F>& words = place.half.words;
    const exact::LaneDecision<F>& decision = place.half.decision[place.group];
    typename exact::IsingWords<F>::Cell cell[cells];
    const std::uint32_t first_cell = place.first_cell + static_cast<std::uint32_t>(x / 2);
    GLASSWORKS_UNROLL
    for (int k = 0; k < cells; ++k) cell[k] = words.cell(first_cell + static_cast<std::uint32_t>(k));
    F field[2 * cells];
    exact::Bits<F> word[2 * cells];
    const auto beside = fields.template begin<cells>(x, field);
    words.draw(
        cell, place.half.turned_word3[place.group], [&](int n) { fields.template add<cells>(n, x, beside, field); },
        word);
    fields.end(x + 2 * cells);
    GLASSWORKS_UNROLL
    for (int k = 0; k < cells; ++k) {
      const int first = first_is_even ? 0 : 1, at = (x + 2 * k) * bundle_lanes;
      Access::store(place.to_first + at, decision.spin(field[2 * k], word[2 * k + first], nearest));
      Access::store(place.to_second + at, decision.spin(field[2 * k + 1], word[2 * k + 1 - first], nearest));
    }
  }

  /// The spins of a cell by the exact exponential.
  [[gnu::noinline, gnu::cold]] static void repeat(const RowPair& rows, const HeatBathSweep& hb, int x, int lane,
                                                  float* spins) {
    const typename Exact::Cell cell(rows, hb, x, lane);
    const auto s = update_lanes(cell.s, cell.h, Exact::template temperature<typename Exact::Both>(hb, lane), hb.sweep,
                                cell.word0, cell.word1);
    Exact::store(spins, rows.first_site[0] + x, lane, exact::first(s));
    Exact::store(spins, rows.first_site[1] + x, lane, exact::second(s));
  }
};

}}  // namespace glassworks::cpu
