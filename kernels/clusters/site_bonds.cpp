#include "kernels/clusters/site_bonds.hpp"

#include <algorithm>

namespace glassworks { inline namespace clusters {

namespace {

/// Reads and writes 32 bits at any place.
std::uint32_t read(std::span<const std::uint32_t> words, std::uint64_t at) {
  const std::size_t i = at / 32;
  if (i >= words.size()) return 0U;
  const std::uint64_t high = i + 1 < words.size() ? words[i + 1] : 0U;
  return static_cast<std::uint32_t>((high << 32 | words[i]) >> (at % 32));
}

void write(std::span<std::uint32_t> words, std::uint64_t at, std::uint32_t bits) {
  const std::uint64_t shifted = std::uint64_t{bits} << (at % 32);
  words[at / 32] |= static_cast<std::uint32_t>(shifted);
  if (shifted >> 32 != 0) words[at / 32 + 1] |= static_cast<std::uint32_t>(shifted >> 32);
}

/// The bonds of one direction that leave one row for another (or the same one).
class RowBonds {
 public:
  RowBonds(const Graph& graph, std::span<const std::uint32_t> occupied, BondSet& bonds)
      : graph_(graph),
        occupied_(occupied),
        words_(bonds.words()),
        width_(static_cast<Site>(graph.extents()[0])),
        periodic_(graph.boundary() == Boundary::periodic) {}

  void join(int direction, Site source_row, Site target_row, bool shifted) {
    const Site source = source_row * width_, target = target_row * width_;
    for (Site x = 0; x < width_; x += 32) {
      const Site n = std::min<Site>(32, width_ - x);
      std::uint32_t ends = read(occupied_, target + x + (shifted ? 1 : 0));
      if (shifted && x + n == width_) {  // the last site's neighbour is the first one of the row, if any
        const std::uint32_t last = 1U << (n - 1);
        ends = (ends & ~last) | (periodic_ && (read(occupied_, target) & 1U) != 0U ? last : 0U);
      }
      ends &= read(occupied_, source + x) & (n < 32 ? (1U << n) - 1U : ~0U);
      if (graph_.kind() == GraphKind::honeycomb && direction == 1) ends &= 0x55555555U << (source_row % 2);
      write(words_, static_cast<BondIndex>(direction) * graph_.stride() + source + x, ends);
    }
  }

 private:
  const Graph& graph_;
  std::span<const std::uint32_t> occupied_;
  std::span<std::uint32_t> words_;
  Site width_;
  bool periodic_;
};

}  // namespace

void join_occupied_sites(const Graph& graph, std::span<const std::uint32_t> occupied, BondSet& bonds) {
  bonds.clear();
  if (!graph.is_lattice()) {
    const auto is_occupied = [&](Site s) { return ((occupied[s / 32] >> (s % 32)) & 1U) != 0U; };
    graph.for_each_bond([&](BondIndex b, Site i, Site j) {
      if (is_occupied(i) && is_occupied(j)) bonds.activate(b);
    });
    return;
  }
  RowBonds by_row(graph, occupied, bonds);
  const Site rows = graph.sites() / static_cast<Site>(graph.extents()[0]);
  for (Site row = 0; row < rows; ++row) by_row.join(0, row, row, true);
  Site step = 1;
  for (int k = 1; k < graph.directions(); ++k) {
    const bool planar = graph.kind() != GraphKind::hypercubic;
    const auto extent = static_cast<Site>(graph.extents()[planar ? 1 : static_cast<std::size_t>(k)]);
    for (Site row = 0; row < rows; ++row) {
      const bool end = row / step % extent + 1 == extent;
      if (end && graph.boundary() == Boundary::open) continue;
      by_row.join(k, row, end ? row - (extent - 1) * step : row + step, k == 2 && planar);
    }
    if (!planar) step *= extent;
  }
}

}}  // namespace glassworks::clusters
