#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

#include "kernels/clusters/graph.hpp"

namespace glassworks { inline namespace clusters {

/// The active bonds of a lattice by rows: a row is the set of sites that differ in x only, its bonds are read 32 at a
/// time.
class LatticeRows {
 public:
  LatticeRows(const Graph& graph, const BondSet& bonds)
      : graph_(graph),
        words_(bonds.words()),
        width_(static_cast<Site>(graph.extents()[0])),
        rows_(graph.sites() / width_) {}

  [[nodiscard]] Site width() const { return width_; }
  [[nodiscard]] Site rows() const { return rows_; }

  /// parent[site] = first site of its run, for all sites of a row; a run is joined by bonds of direction 0. Returns
  /// whether the last site is joined to the first one around the lattice.
  bool label_runs(Site row, std::span<Site> parent) const {
    const Site first = row * width_;
    Site start = first;
    for (Site x = 0; x < width_; x += 32) {
      const auto bits = static_cast<std::uint32_t>(read(BondIndex{first} + x));
      const Site n = std::min<Site>(32, width_ - x), base = first + x;
      for (Site i = 0; i < n; ++i) {
        parent[base + i] = start;
        start = ((bits >> i) & 1U) != 0U ? start : base + i + 1;
      }
    }
    return start != first + width_;
  }

  /// Calls join(direction, source row, target row) for the bonds between this row and rows before it, directions 1 and
  /// up. Where bonds lead from an earlier row to this one straight up, they come first.
  template <class Join>
  void for_earlier_rows(Site row, Join&& join) const {
    Site step = 1;
    for (int k = 1; k < graph_.directions(); ++k) {
      const bool planar = graph_.kind() != GraphKind::hypercubic;
      const auto extent = static_cast<Site>(graph_.extents()[planar ? 1 : static_cast<std::size_t>(k)]);
      const Site coordinate = row / step % extent;
      if (coordinate > 0) join(k, row - step, row);
      if (coordinate + 1 == extent && graph_.boundary() == Boundary::periodic) join(k, row, row - (extent - 1) * step);
      if (!planar) step *= extent;
    }
  }

  /// The same where the runs of the target row are still their own roots and `direction` is straight: the first bond of
  /// every run goes to attach(a, b), the others to visit(a, b).
  template <class Attach, class Visit>
  void for_bonds_of_fresh_row(int direction, Site source_row, Site target_row, Attach&& attach, Visit&& visit) const {
    const Site source = source_row * width_, target = target_row * width_;
    const BondIndex bonds = static_cast<BondIndex>(direction) * graph_.stride() + source;
    std::uint32_t carry = 0U;  // whether the run that enters a word had a bond before
    for (Site x = 0; x < width_; x += 32) {
      const std::uint32_t all = chunk(bonds, x), joined = before(target, x);
      std::uint32_t had = all | (joined & carry), reach = joined;  // had: a bond of the run at or before the site
      for (int step = 1; step < 32; step *= 2) {
        had |= reach & (had << step);
        reach &= reach << step;
      }
      const std::uint32_t later = joined & (had << 1 | carry);
      carry = had >> 31;
      for (std::uint32_t first = all & ~later; first != 0U; first &= first - 1) {
        const Site at = x + static_cast<Site>(std::countr_zero(first));
        attach(source + at, target + at);
      }
      for (std::uint32_t rest = all & later & ~(before(bonds, x) & before(source, x)); rest != 0U; rest &= rest - 1) {
        const Site at = x + static_cast<Site>(std::countr_zero(rest));
        visit(source + at, target + at);
      }
    }
  }

  /// Calls visit(a, b) for the active bonds of a direction that lead from one row to another. Leaves out bonds whose
  /// ends a path over the runs and another of these bonds joins.
  template <class Visit>
  void for_bonds_between(int direction, Site source_row, Site target_row, Visit&& visit) const {
    const Site source = source_row * width_, target = target_row * width_;
    const BondIndex bonds = static_cast<BondIndex>(direction) * graph_.stride() + source;
    const Site shift = graph_.kind() == GraphKind::triangular && direction == 2 ? 1 : 0;
    for (Site x = 0; x < width_; x += 32) {
      std::uint32_t active = chunk(bonds, x);
      if (active == 0U) continue;
      if (shift == 0) {
        active &= ~(before(bonds, x) & before(source, x) & before(target, x));
      } else {  // the two ways round the triangles of the diagonal
        const BondIndex straight = bonds - graph_.stride();
        const std::uint32_t after = x + 1 < width_ ? chunk(straight, x + 1) : 0U;
        active &= ~(chunk(straight, x) & chunk(target, x)) & ~(chunk(source, x) & after);
      }
      for (; active != 0U; active &= active - 1) {
        const Site from = x + static_cast<Site>(std::countr_zero(active)), to = from + shift;
        visit(source + from, target + (to < width_ ? to : 0));
      }
    }
  }

 private:
  /// At least 33 bonds from an index on.
  [[nodiscard]] std::uint64_t read(BondIndex b) const {
    const std::size_t i = b / 32;
    const std::uint64_t high = i + 1 < words_.size() ? words_[i + 1] : 0U;
    return (high << 32 | words_[i]) >> (b % 32);
  }
  /// Bits x .. x + 31 of a row whose first bond is given, 0 beyond its end.
  [[nodiscard]] std::uint32_t chunk(BondIndex first, Site x) const {
    const auto bits = static_cast<std::uint32_t>(read(first + x));
    return width_ - x < 32 ? bits & ((1U << (width_ - x)) - 1U) : bits;
  }
  /// Bits x - 1 .. x + 30 of a row, 0 before its begin.
  [[nodiscard]] std::uint32_t before(BondIndex first, Site x) const {
    return static_cast<std::uint32_t>(x == 0 ? read(first) << 1 : read(first + x - 1));
  }

  const Graph& graph_;
  std::span<const std::uint32_t> words_;
  Site width_, rows_;
};

}}  // namespace glassworks::clusters
