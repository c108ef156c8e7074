#include "kernels/cuda/multispin/graph/word_graph.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "kernels/rounds/bond_view.hpp"

namespace glassworks { inline namespace cuda {
namespace {

constexpr std::int64_t most_near_sites = std::int64_t{1} << 16;

template <class Integer>
int largest_difference(const std::vector<Integer>& first) {
  Integer largest = 0;
  for (std::size_t i = 0; i + 1 < first.size(); ++i) largest = std::max(largest, first[i + 1] - first[i]);
  return static_cast<int>(largest);
}

}  // namespace

WordGraphSize WordGraphSize::estimated(const Lattice& lattice, MultispinRule rule) {
  const double ends = 2.0 * lattice.bonds_per_site();
  const int degree = std::min(most_multispin_bonds, static_cast<int>(std::ceil(ends)));
  WordGraphSize size;
  size.sites = lattice.sites();
  size.colours = 1 + degree;
  size.chunks = static_cast<int>(size.sites / 32) + size.colours;
  size.largest_colour = 1 + size.chunks / std::max(2, size.colours / 2);
  size.thresholds = word_thresholds(rule, false, degree);
  return size;
}

WordGraphOrder::WordGraphOrder(const Lattice& lattice, const SiteGraph& graph, MultispinRule rule, bool in_field) {
  order_sites(graph);
  make_chunks(graph, rule, in_field);
  list_planes(lattice, graph);
}

void WordGraphOrder::order_sites(const SiteGraph& graph) {
  const auto sites = static_cast<std::size_t>(graph.sites());
  for (std::int64_t i = 0; i < graph.sites(); ++i) {
    const auto neighbours = graph.neighbours(i);
    later_.push_back(static_cast<int>(std::ranges::count_if(
        neighbours, [&](const SiteGraph::Neighbour& n) { return graph.colour(n.site) > graph.colour(i); })));
  }
  site_.resize(sites);
  std::iota(site_.begin(), site_.end(), 0U);
  std::ranges::stable_sort(site_, [&](std::uint32_t a, std::uint32_t b) {
    if (graph.colour(a) != graph.colour(b)) return graph.colour(a) < graph.colour(b);
    if (graph.degree(a) != graph.degree(b)) return graph.degree(a) > graph.degree(b);
    return later_[a] > later_[b];
  });
  place_.resize(sites);
  for (std::size_t p = 0; p < sites; ++p) place_[site_[p]] = static_cast<std::uint32_t>(p);
}

void WordGraphOrder::make_chunks(const SiteGraph& graph, MultispinRule rule, bool in_field) {
  std::vector<int> first(most_multispin_bonds + 1, -1);  // thresholds of a degree
  for (std::int64_t i = 0; i < graph.sites(); ++i) first[static_cast<std::size_t>(graph.degree(i))] = 0;
  for (int degree = 0; degree <= most_multispin_bonds; ++degree) {
    int& of_degree = first[static_cast<std::size_t>(degree)];
    if (of_degree < 0) continue;
    of_degree = thresholds_;
    thresholds_ += word_thresholds(rule, in_field, degree);
    degrees_.push_back(degree);
  }
  first_chunk_.push_back(0);
  int row = 0;
  for (std::size_t p = 0; p < site_.size();) {
    const int colour = graph.colour(site_[p]), degree = graph.degree(site_[p]);
    while (static_cast<int>(first_chunk_.size()) <= colour) first_chunk_.push_back(static_cast<int>(chunks_.size()));
    std::size_t end = p;
    const auto belongs = [&](std::uint32_t i) { return graph.colour(i) == colour && graph.degree(i) == degree; };
    while (end < site_.size() && end - p < 32 && belongs(site_[end])) ++end;
    WordChunk chunk{};
    chunk.first = static_cast<std::int32_t>(p);
    chunk.row = row;
    chunk.count = static_cast<std::uint8_t>(end - p);
    chunk.degree = static_cast<std::uint8_t>(degree);
    chunk.later = static_cast<std::uint8_t>(later_[site_[p]]);
    chunk.room = static_cast<std::uint8_t>(word_room(degree));
    chunk.thresholds = static_cast<std::uint16_t>(first[static_cast<std::size_t>(degree)]);
    chunks_.push_back(chunk);
    add_links(graph, chunk);
    row += degree;
    p = end;
  }
  while (static_cast<int>(first_chunk_.size()) <= graph.colours()) {
    first_chunk_.push_back(static_cast<int>(chunks_.size()));
  }
}

void WordGraphOrder::add_links(const SiteGraph& graph, const WordChunk& chunk) {
  const std::size_t begin = neighbour_.size();
  neighbour_.resize(begin + 32 * std::size_t{chunk.degree}, 0);
  bond_.resize(neighbour_.size(), 0);
  for (std::size_t lane = 0; lane < chunk.count; ++lane) {
    const std::uint32_t site = site_[static_cast<std::size_t>(chunk.first) + lane];
    std::vector<SiteGraph::Neighbour> links(graph.neighbours(site).begin(), graph.neighbours(site).end());
    std::ranges::stable_partition(
        links, [&](const SiteGraph::Neighbour& n) { return graph.colour(n.site) > graph.colour(site); });
    for (std::size_t k = 0; k < links.size(); ++k) {
      neighbour_[begin + 32 * k + lane] = place_[static_cast<std::size_t>(links[k].site)];
      bond_[begin + 32 * k + lane] = static_cast<std::uint32_t>(links[k].bond);
    }
  }
}

void WordGraphOrder::list_planes(const Lattice& lattice, const SiteGraph& graph) {
  std::vector<std::vector<std::uint32_t>> of_plane(static_cast<std::size_t>(lattice.planes()));
  const BondView view(lattice, &graph);
  for (std::size_t p = 0; p < site_.size(); ++p) {
    view.for_planes(site_[p], [&](int, int, int plane) {
      of_plane[static_cast<std::size_t>(plane)].push_back(static_cast<std::uint32_t>(p));
    });
  }
  first_in_plane_.push_back(0);
  for (const std::vector<std::uint32_t>& places : of_plane) {
    in_plane_.insert(in_plane_.end(), places.begin(), places.end());
    first_in_plane_.push_back(std::ssize(in_plane_));
  }
}

WordGraphSize WordGraphOrder::size() const {
  return {static_cast<std::int64_t>(site_.size()), static_cast<int>(chunks_.size()),
          static_cast<int>(first_chunk_.size()) - 1, largest_difference(first_chunk_), thresholds_};
}

DeviceWordGraph WordGraphMemory::upload(const WordGraphOrder& order, StagedCopy& staged, cudaStream_t stream) {
  const auto upload = [&](auto& buffer, const auto& from) {
    auto* d_to = buffer.reserve(std::max<std::size_t>(from.size(), 1));
    staged.to_device(d_to, from.data(), from.size() * sizeof(from[0]), stream);
    return d_to;
  };
  const WordGraphSize size = order.size();
  DeviceWordGraph graph;
  graph.colours = size.colours;
  graph.chunks = size.chunks;
  graph.largest_colour = size.largest_colour;
  graph.thresholds = size.thresholds;
  graph.planes = static_cast<int>(order.first_in_planes().size()) - 1;
  graph.largest_plane = largest_difference(order.first_in_planes());
  graph.links = static_cast<std::int64_t>(order.neighbours().size());
  graph.d_chunks = upload(chunks_, order.chunks());
  graph.d_first_chunk = upload(first_chunk_, order.first_chunks());
  graph.d_neighbour = upload(neighbour_, order.neighbours());
  graph.d_bond = upload(bond_, order.bonds());
  graph.d_site = upload(site_, order.sites());
  graph.d_place = upload(place_, order.places());
  graph.d_first_in_plane = upload(first_in_plane_, order.first_in_planes());
  graph.d_in_plane = upload(in_plane_, order.in_planes());
  if (size.sites <= most_near_sites) {
    const std::vector<std::uint16_t> near(order.neighbours().begin(), order.neighbours().end());
    graph.d_near_neighbour = upload(near_neighbour_, near);
  }
  return graph;
}

}}  // namespace glassworks::cuda
