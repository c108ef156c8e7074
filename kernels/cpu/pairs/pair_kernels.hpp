#pragma once

#include <cstring>

#include "kernels/core/bit_transpose.hpp"
#include "kernels/cpu/lanes/lanes.hpp"
#include "kernels/cpu/pairs/count_kernels.hpp"
#include "kernels/cpu/pairs/pair_table.hpp"

namespace glassworks { inline namespace cpu {

/// Clusters grow row by row: what the neighbour rows have reached comes first, then both ways along the row, until it
/// is closed. Only rows wait whose neighbours have gained a site.
///
/// sides: neighbour rows of a row
template <class F, int sides>
struct PairGrowth {
  using Word = std::uint64_t;

  static void grow(const PairGeometry& g, const PairClusters& clusters) {
    bool forward = true, visited = true;
    while (visited) {
      visited = false;
      for (std::int32_t n = 0; n < g.rows; ++n) {
        const std::int32_t row = forward ? n : g.rows - 1 - n;
        if (clusters.waiting[row] == 0) continue;
        visited = true;
        visit(g, clusters, row);
      }
      forward = !forward;
    }
  }

 private:
  static void visit(const PairGeometry& g, const PairClusters& clusters, std::int32_t row) {
    const std::int64_t first = std::int64_t{row} * g.L;
    const Row here{clusters.differing + first, clusters.reached + first, g.bonds + first, g.L};
    const std::int32_t* const neighbours = g.neighbour_rows + std::int64_t{row} * sides;
    const Word* side[sides > 0 ? sides : 1];
    for (int k = 0; k < sides; ++k) side[k] = clusters.reached + std::int64_t{neighbours[k]} * g.L;
    const bool seeded = (clusters.waiting[row] & 2U) != 0;
    clusters.waiting[row] = 0;
    if (!(g.gaps[row] != 0 ? take<true>(here, side, seeded) : take<false>(here, side, seeded))) return;
    for (int k = 0; k < sides; ++k) clusters.waiting[neighbours[k]] |= 1;
  }

  struct Row {
    const Word* differing;
    Word* reached;
    const std::uint8_t* bonds;
    int L;
  };
  /// All bits where bond number k has J != 0.
  GLASSWORKS_HD static Word open(std::uint8_t bonds, int k) { return -static_cast<Word>(bonds >> k & 1U); }

  /// Whether a row gains a site, or has seeds.
  template <bool gaps>
  GLASSWORKS_HD static bool take(const Row& row, const Word* const (&side)[sides > 0 ? sides : 1], bool seeded) {
    Word gained = 0;
#pragma GCC ivdep
    for (int x = 0; x < row.L; ++x) {
      Word near = 0;
#pragma GCC unroll 6
      for (int k = 0; k < sides; ++k) near |= gaps ? side[k][x] & open(row.bonds[x], 2 + k) : side[k][x];
      const Word added = near & row.differing[x] & ~row.reached[x];
      row.reached[x] |= added;
      gained |= added;
    }
    if (gained == 0 && !seeded) return false;
    close<gaps>(row);
    return true;
  }

  /// Takes the sites of a row that are joined to those reached.
  template <bool gaps>
  GLASSWORKS_HD static void close(const Row& row) {
    const int last = row.L - 1;
    const Word backward = open(row.bonds[0], 1), forward = open(row.bonds[last], 0);  // from end to end
    Word open_end = 0;
    do {
      Word carry = row.reached[last] & backward;
      for (int x = 0; x <= last; ++x) {
        if (gaps && x > 0) carry &= open(row.bonds[x], 1);
        carry = row.reached[x] | (carry & row.differing[x]);
        row.reached[x] = carry;
      }
      carry = row.reached[0] & forward;
      for (int x = last; x >= 0; --x) {
        if (gaps && x < last) carry &= open(row.bonds[x], 0);
        carry = row.reached[x] | (carry & row.differing[x]);
        row.reached[x] = carry;
      }
      open_end = row.reached[last] & backward & row.differing[0] & ~row.reached[0];
      open_end |= row.reached[0] & forward & row.differing[last] & ~row.reached[last];
    } while (open_end != 0);
  }
};

/// The loops for one lane type.
template <class F>
struct PairKernels {
  using Access = exact::Lanes<F>;

  static void read_signs(const float* spins, int sites, std::uint64_t* signs) {
    for (int i = 0; i < bundle_lanes; ++i) signs[i] = 0;
    for (int i = 0; i < sites; ++i) {
      std::uint64_t of_site = 0;
      for (int lane = 0; lane < bundle_lanes; lane += Access::width) {
        const F s = Access::load(spins + i * bundle_lanes + lane);
        of_site |= static_cast<std::uint64_t>(Access::signs(exact::as_uint(s))) << lane;
      }
      signs[i % bundle_lanes] |= of_site << (i / bundle_lanes * bundle_lanes);
    }
    transpose_quarters(signs);
  }

  static void write_signs(const std::uint64_t* signs, int sites, float* spins) {
    std::uint64_t of_sites[bundle_lanes];
    for (int i = 0; i < bundle_lanes; ++i) of_sites[i] = signs[i];
    transpose_quarters(of_sites);
    for (int i = 0; i < sites; ++i) {
      const std::uint64_t of_site = of_sites[i % bundle_lanes] >> (i / bundle_lanes * bundle_lanes);
      for (int lane = 0; lane < bundle_lanes; lane += 4) {
        std::memcpy(spins + i * bundle_lanes + lane, four_spins.of[of_site >> lane & 15U], sizeof four_spins.of[0]);
      }
    }
  }

  static void transpose(std::uint64_t* words) { transpose_bits(words); }

  static void grow(const PairGeometry& g, const PairClusters& clusters) {
    switch (g.sides) {
      case 0:
        return PairGrowth<F, 0>::grow(g, clusters);
      case 2:
        return PairGrowth<F, 2>::grow(g, clusters);
      case 4:
        return PairGrowth<F, 4>::grow(g, clusters);
      default:
        return PairGrowth<F, 6>::grow(g, clusters);
    }
  }

  static constexpr PairTable table{
      read_signs, write_signs, transpose, grow, CountKernels<F>::planes, CountKernels<F>::bonds};

 private:
  /// The spins of four lanes by their signs.
  struct FourSpins {
    float of[16][4];
    constexpr FourSpins() : of() {
      for (int signs = 0; signs < 16; ++signs) {
        for (int lane = 0; lane < 4; ++lane) of[signs][lane] = (signs >> lane & 1) != 0 ? -1.0F : 1.0F;
      }
    }
  };
  static constexpr FourSpins four_spins{};
};

}}  // namespace glassworks::cpu
