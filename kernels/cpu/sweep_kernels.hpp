#pragma once

#include "kernels/cpu/row_cursor.hpp"

namespace glassworks {

/// The update kernels for one lane type F, dimension and presence of site fields. Sites of one parity do not interact,
/// so the order inside a region is free; every site is updated as the reference backend does it.
template <class F, int dim, bool with_fields>
struct SweepKernels {
  using Row = RowCursor<F, dim, with_fields>;
  using Access = exact::Lanes<F>;
  using V = exact::Vector3<F>;

  GLASSWORKS_HD static void store(float* spins, std::int64_t site, int lane, const V& s) {
    float* p = spins + site * Row::site_stride + lane;
    Access::store(p, s.x);
    Access::store(p + bundle_lanes, s.y);
    Access::store(p + 2 * bundle_lanes, s.z);
  }
  GLASSWORKS_HD static int first_x(const SweepGeometry& g, const SweepRegion& region, int row) {
    return region.x_begin + ((g.row_parity[row] ^ region.parity) & 1);
  }

  static void over_relax(const SweepGeometry& g, const SweepRegion& region, float* spins) {
    for (int k = 0; k < region.row_count; ++k) {
      const int row = region.rows[k];
      const Row cursor(g, row, spins);
      const std::int64_t first_site = std::int64_t{row} * g.L;
      for (int x = first_x(g, region, row); x < region.x_end; x += 2) {
        for (int lane = 0; lane < bundle_lanes; lane += Access::width) {
          store(spins, first_site + x, lane, exact::over_relax(cursor.spin(x, lane), cursor.local_field(x, lane)));
        }
      }
    }
  }

  /// One site of a heat-bath sweep, and its energy term if asked for.
  GLASSWORKS_HD static void heat_bath_site(const SweepGeometry& g, const SweepRegion& region, const HeatBathSweep& hb,
                                           const Row& cursor, int row, int x, int lane, exact::Bits<F> polar,
                                           exact::Bits<F> azimuth, float* spins) {
    const exact::HeatBathTemperature<F> t{Access::load(hb.minus_two_beta + lane),
                                          Access::load(hb.minus_inverse_beta + lane)};
    const V h = cursor.local_field(x, lane);
    const V s = exact::heat_bath(h, t, polar, azimuth);
    store(spins, std::int64_t{row} * g.L + x, lane, s);
    if (hb.energy != nullptr) {
      if (region.parity == 1) {
        Access::add_wide(hb.energy + lane, exact::round_to_bits(exact::mul(exact::dot(s, h), F(hb.energy_scale))));
      } else if constexpr (with_fields) {
        const F term = exact::dot(s, cursor.site_field(x));
        Access::add_wide(hb.energy + lane, exact::round_to_bits(exact::mul(term, F(hb.energy_scale))));
      }
    }
  }

  /// Rows in pairs (y even, y odd): the two sites of a cell with this parity share a Philox block.
  static void heat_bath(const SweepGeometry& g, const SweepRegion& region, const HeatBathSweep& hb, float* spins) {
    if constexpr (dim == 1) {
      heat_bath_chain(g, region, hb, spins);
    } else {
      for (int k = 0; k + 1 < region.row_count; k += 2) {
        const int row[2] = {region.rows[k], region.rows[k + 1]};
        const Row even(g, row[0], spins), odd(g, row[1], spins);
        const int shift = (g.row_parity[row[0]] ^ region.parity) & 1;
        for (int x = region.x_begin; x < region.x_end; x += 2) {
          const auto start = exact::start_philox(hb.key, g.first_cell[row[0]] + static_cast<std::uint32_t>(x / 2),
                                                 hb.word1, hb.word2);
          for (int lane = 0; lane < bundle_lanes; lane += Access::width) {
            exact::Bits<F> u[4];
            Access::philox(start, Access::load(hb.word3 + lane), u);
            heat_bath_site(g, region, hb, even, row[0], x + shift, lane, u[0], u[1], spins);
            heat_bath_site(g, region, hb, odd, row[1], x + 1 - shift, lane, u[2], u[3], spins);
          }
        }
      }
    }
  }

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
        heat_bath_site(g, region, hb, cursor, 0, x, lane, u[first_word], u[first_word + 1], spins);
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

  static void renormalize(float* spins, std::int64_t sites) {
    for (std::int64_t site = 0; site < sites; ++site) {
      for (int lane = 0; lane < bundle_lanes; lane += Access::width) {
        const V s = Row::load(spins + site * Row::site_stride, 0, lane);
        store(spins, site, lane, exact::renormalize(s));
      }
    }
  }
};

}  // namespace glassworks
