#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/core/host_device.hpp"

#if !defined(__CUDACC__)
#include <algorithm>
#endif

/// Sews the clusters of strips of one lattice. Each strip is labelled alone, by the smallest of its sites; what crosses
/// a cut is a bond from the last row of a strip to the first row of the next one. One union-find joins the clusters
/// that reach such rows, by all threads of a device at once or by a loop on the host.
namespace glassworks { inline namespace clusters {

/// What a strip tells about its first and its last row, in words of 32 bits.
///
/// Node of a cluster that reaches the first row: its root, which then stands in that row, below `width`. Node of any
/// other that reaches the last row: width + its place in a hash table of their roots.
///
///   keys[places]     root of each place, or `empty`
///   first[width]     node of each site of the first row
///   last[width]      node of each site of the last row
///   cut[width / 32]  active bonds from the last row on, bit = site
struct SeamLayout {
  std::uint32_t width = 0;
  int log2_places = 1;

  SeamLayout() = default;
  explicit constexpr SeamLayout(std::uint32_t sites_of_row) : width(sites_of_row) {
    while ((std::uint64_t{1} << log2_places) < 2 * std::uint64_t{width}) ++log2_places;
  }
  static constexpr std::uint32_t empty = ~0U;
  [[nodiscard]] GLASSWORKS_HD constexpr std::uint32_t places() const { return 1U << log2_places; }
  [[nodiscard]] GLASSWORKS_HD constexpr std::uint32_t nodes() const { return width + places(); }
  [[nodiscard]] GLASSWORKS_HD constexpr std::size_t first() const { return places(); }
  [[nodiscard]] GLASSWORKS_HD constexpr std::size_t last() const { return first() + width; }
  [[nodiscard]] GLASSWORKS_HD constexpr std::size_t cut() const { return last() + width; }
  [[nodiscard]] GLASSWORKS_HD constexpr std::size_t words() const { return cut() + width / 32; }
};

// Memory that other threads change at the same time: on the host there are none.

[[nodiscard]] GLASSWORKS_HD std::uint32_t load_shared(const std::uint32_t* from) {
#if defined(__CUDA_ARCH__)
  return __ldcg(from);
#else
  return *from;
#endif
}
GLASSWORKS_HD void store_shared(std::uint32_t* at, std::uint32_t value) {
#if defined(__CUDA_ARCH__)
  __stcg(at, value);
#else
  *at = value;
#endif
}
/// Stores `value` where `expected` stands; returns what stood there.
GLASSWORKS_HD std::uint32_t exchange_if(std::uint32_t* at, std::uint32_t expected, std::uint32_t value) {
#if defined(__CUDA_ARCH__)
  return atomicCAS(at, expected, value);
#else
  const std::uint32_t seen = *at;
  if (seen == expected) *at = value;
  return seen;
#endif
}
GLASSWORKS_HD void lower_to(unsigned long long* at, unsigned long long value) {
#if defined(__CUDA_ARCH__)
  if (__ldcg(at) > value) atomicMin(at, value);
#else
  *at = std::min(*at, value);
#endif
}

/// The rows of one strip: words[SeamLayout::words()], keys empty at first.
struct SeamRows {
  SeamLayout layout;
  std::uint32_t* words;

  /// Takes the roots of site x of both rows.
  GLASSWORKS_HD void put(std::uint32_t x, std::uint32_t root_first, std::uint32_t root_last) const {
    words[layout.first() + x] = root_first;
    words[layout.last() + x] = root_last < layout.width ? root_last : layout.width + place_of(root_last);
  }
  /// Whether a node is that of a cluster, and its root in the strip.
  [[nodiscard]] GLASSWORKS_HD bool has(std::uint32_t node) const { return root_of(node) != SeamLayout::empty; }
  [[nodiscard]] GLASSWORKS_HD std::uint32_t root_of(std::uint32_t node) const {
    if (node >= layout.width) return words[node - layout.width];
    return words[layout.first() + node] == node ? node : std::uint32_t{SeamLayout::empty};
  }

 private:
  [[nodiscard]] GLASSWORKS_HD std::uint32_t place_of(std::uint32_t root) const {
    std::uint32_t place = (root * 2654435761U) >> (32 - layout.log2_places);
    for (;; place = (place + 1) & (layout.places() - 1)) {
      std::uint32_t seen = load_shared(words + place);
      if (seen == SeamLayout::empty) seen = exchange_if(words + place, SeamLayout::empty, root);
      if (seen == SeamLayout::empty || seen == root) return place;
    }
  }
};

/// All strips: arrays [strip][node], or [strip][words] of the rows. Steps: begin of every node; join of every site of
/// every cut; lower of every node; canonical of every node. Each step ends before the next one begins.
struct Seams {
  SeamLayout layout;
  std::uint32_t strips;
  bool closed;                        ///< whether the last strip is joined to the first one
  std::uint32_t* rows;                ///< SeamRows::words of all strips
  const unsigned long long* origins;  ///< number of the first site of each strip in the lattice [strip]
  std::uint32_t* parent;
  unsigned long long* smallest;  ///< smallest site of the lattice in the tree of a root

  [[nodiscard]] GLASSWORKS_HD std::uint32_t nodes() const { return strips * layout.nodes(); }
  [[nodiscard]] GLASSWORKS_HD std::uint32_t cuts() const { return closed ? strips : strips - 1; }
  [[nodiscard]] GLASSWORKS_HD SeamRows rows_of(std::uint32_t strip) const {
    return {layout, rows + strip * layout.words()};
  }

  GLASSWORKS_HD void begin(std::uint32_t i) const {
    parent[i] = i;
    smallest[i] = ~0ULL;
  }
  /// Joins the clusters on both sides of a bond across cut number `cut`, below its strip.
  GLASSWORKS_HD void join(std::uint32_t cut, std::uint32_t x) const {
    const std::uint32_t next = cut + 1 < strips ? cut + 1 : 0;
    const std::uint32_t* const above = rows_of(cut).words;
    const std::uint32_t* const below = rows_of(next).words + layout.first();
    const std::uint32_t* const last = above + layout.last();
    const auto active = [&](std::uint32_t site) {
      return ((above[layout.cut() + site / 32] >> (site % 32)) & 1U) != 0;
    };
    if (!active(x)) return;
    if (x > 0 && active(x - 1) && last[x - 1] == last[x] && below[x - 1] == below[x]) return;
    unite(cut * layout.nodes() + last[x], next * layout.nodes() + below[x]);
  }
  GLASSWORKS_HD void lower(std::uint32_t i) const {
    const std::uint32_t strip = i / layout.nodes(), root = rows_of(strip).root_of(i - strip * layout.nodes());
    if (root != SeamLayout::empty) lower_to(smallest + find(i), origins[strip] + root);
  }
  /// The root of a cluster in the lattice: its smallest site. Of nodes that there are.
  [[nodiscard]] GLASSWORKS_HD unsigned long long canonical(std::uint32_t i) const { return smallest[find(i)]; }

 private:
  /// Root of i; halves the path to it. Only roots are given a parent by `unite`, so no union is lost.
  [[nodiscard]] GLASSWORKS_HD std::uint32_t find(std::uint32_t i) const {
    for (std::uint32_t above = load_shared(parent + i); above != i;) {
      const std::uint32_t next = load_shared(parent + above);
      if (next != above) store_shared(parent + i, next);
      i = above;
      above = next;
    }
    return i;
  }
  GLASSWORKS_HD void unite(std::uint32_t a, std::uint32_t b) const {
    for (;;) {
      a = find(a);
      b = find(b);
      if (a == b) return;
      const std::uint32_t high = a < b ? b : a, low = a < b ? a : b;
      if (exchange_if(parent + high, high, low) == high) return;
    }
  }
};

}}  // namespace glassworks::clusters
