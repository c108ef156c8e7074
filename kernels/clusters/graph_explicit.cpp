#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>

#include "kernels/clusters/graph.hpp"
#include "kernels/core/random.hpp"

namespace glassworks { inline namespace clusters {

namespace {

constexpr int largest_coordination = 1000;

/// A random permutation of 0 .. n-1 (Fisher and Yates), a pure function of the seed.
std::vector<Site> permutation(Site n, std::uint64_t seed) {
  const PhiloxKey key{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)};
  std::vector<Site> place(n);
  std::iota(place.begin(), place.end(), Site{0});
  for (Site i = n - 1; i > 0; --i) {
    // 64 random bits scaled to 0 .. i: the bias is below 2^-32.
    const RandomBlock random = random_block(key, Stream::numbering, 0, 0, 0, i);
    const std::uint64_t high = std::uint64_t{random.word[0]} * (std::uint64_t{i} + 1);
    const std::uint64_t low = std::uint64_t{random.word[1]} * (std::uint64_t{i} + 1);
    std::swap(place[i], place[(high + (low >> 32)) >> 32]);
  }
  return place;
}

/// The bonds of every site in ascending order, from pairs (larger, smaller site) that `each` hands to its visitor.
template <class ForEachPair>
void build(Site sites, ForEachPair&& each, std::vector<BondIndex>& offsets, std::vector<Site>& lower) {
  offsets.assign(std::size_t{sites} + 2, 0);
  each([&](Site upper, Site) { ++offsets[std::size_t{upper} + 2]; });
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  lower.resize(offsets.back());
  each([&](Site upper, Site smaller) { lower[offsets[std::size_t{upper} + 1]++] = smaller; });
  offsets.pop_back();
  // Every site had its own place to count in, so offsets[i] .. offsets[i + 1] are now its bonds.
  BondIndex kept = 0, begin = 0;
  for (Site i = 0; i < sites; ++i) {
    const auto first = lower.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = lower.begin() + static_cast<std::ptrdiff_t>(offsets[std::size_t{i} + 1]);
    begin = offsets[std::size_t{i} + 1];
    std::sort(first, last);
    const auto end = std::unique(first, last);
    std::copy(first, end, lower.begin() + static_cast<std::ptrdiff_t>(kept));
    offsets[i] = kept;
    kept += static_cast<BondIndex>(end - first);
  }
  offsets[sites] = kept;
  lower.resize(kept);
}

}  // namespace

Graph Graph::bethe(int z, int generations, Numbering numbering, std::uint64_t seed) {
  const std::string what =
      "A Bethe lattice of z = " + std::to_string(z) + " and " + std::to_string(generations) + " generations";
  if (z < 2 || z > largest_coordination) {
    throw std::invalid_argument(what + " cannot be used (its coordination number is 2 to " +
                                std::to_string(largest_coordination) + "). Choose z in that range.");
  }
  if (generations < 1) {
    throw std::invalid_argument(what + " cannot be used (it has no bond). Use 1 generation or more.");
  }
  std::uint64_t sites = 1, shell = static_cast<std::uint64_t>(z);
  for (int generation = 0; generation < generations && sites <= max_sites; ++generation) {
    sites += shell;
    shell *= static_cast<std::uint64_t>(z - 1);
  }
  if (sites > max_sites) {
    throw std::invalid_argument(what + " cannot be used (it has more than 2^31 sites). Use fewer generations.");
  }
  Graph g;
  g.kind_ = GraphKind::bethe;
  g.sites_ = static_cast<Site>(sites);
  g.bonds_ = sites - 1;
  g.boundary_ = Boundary::open;
  g.coordination_ = z;
  g.generations_ = generations;
  g.numbering_ = numbering;
  // Shell by shell the children of site i follow each other: those of the centre are 1 .. z, those of i > 0 begin at
  // z + 1 + (i - 1)(z - 1).
  const auto parent = [first = static_cast<Site>(z), branches = static_cast<Site>(z - 1)](Site i) {
    return i <= first ? Site{0} : 1 + (i - first - 1) / branches;
  };
  if (numbering == Numbering::standard) {
    g.lower_.resize(g.bonds_);
    g.offsets_.resize(std::size_t{g.sites_} + 1);
    for (Site i = 1; i < g.sites_; ++i) {
      g.lower_[i - 1] = parent(i);
      g.offsets_[std::size_t{i} + 1] = i;
    }
    return g;
  }
  const std::vector<Site> place = permutation(g.sites_, seed);
  g.centre_ = place[0];
  const auto each = [&](auto&& visit) {
    for (Site i = 1; i < g.sites_; ++i) {
      const Site a = place[i], b = place[parent(i)];
      visit(std::max(a, b), std::min(a, b));
    }
  };
  build(g.sites_, each, g.offsets_, g.lower_);
  return g;
}

Graph Graph::from_edges(Site sites, const std::vector<std::pair<Site, Site>>& edges) {
  if (sites == 0 || sites > max_sites) {
    throw std::invalid_argument("A graph of " + std::to_string(sites) +
                                " sites cannot be used (it has 1 to 2^31 sites). Check the list of edges.");
  }
  for (const auto& [a, b] : edges) {
    if (a >= sites || b >= sites) {
      throw std::invalid_argument("The edge " + std::to_string(a) + " " + std::to_string(b) +
                                  " cannot be used (the sites are 0 to " + std::to_string(sites - 1) +
                                  "). Correct it, or the number of sites.");
    }
  }
  Graph g;
  g.kind_ = GraphKind::edge_list;
  g.boundary_ = Boundary::open;
  g.sites_ = sites;
  const auto each = [&](auto&& visit) {
    for (const auto& [a, b] : edges) {
      if (a != b) visit(std::max(a, b), std::min(a, b));
    }
  };
  build(sites, each, g.offsets_, g.lower_);
  g.bonds_ = g.lower_.size();
  return g;
}

}}  // namespace glassworks::clusters
