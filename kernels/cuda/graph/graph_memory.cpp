#include "kernels/cuda/graph/graph_memory.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "kernels/cuda/graph/device_graph.hpp"

namespace glassworks { inline namespace cuda {
namespace {

std::uint32_t word(std::int64_t x) { return static_cast<std::uint32_t>(x); }

/// A graph as words, and where its parts begin.
class GraphWordsOf {
 public:
  /// colours: of all graphs of the batch, the largest number
  GraphWordsOf(const SiteGraph& graph, int dim, int colours) {
    const auto sites = static_cast<std::size_t>(graph.sites());
    std::vector<std::uint32_t> order(sites);
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
      const auto links = [&](std::uint32_t i) { return graph.neighbours(i).size() + graph.terms_of(i).size(); };
      return graph.colour(a) != graph.colour(b) ? graph.colour(a) < graph.colour(b) : links(a) > links(b);
    });
    // Pairs come first, where they are aligned.
    std::vector<std::uint32_t> begin{0}, first(static_cast<std::size_t>(colours) + 1, word(graph.sites()));
    for (const std::uint32_t site : order) {
      for (const SiteGraph::Neighbour& n : graph.neighbours(site)) add(word(n.site), word(n.bond));
      begin.push_back(word(static_cast<std::int64_t>(words_.size() / 2)));
    }
    bonds_ = words_.size();
    for (const GraphBond& bond : graph.bonds()) add(word(bond.a), word(bond.b));
    std::vector<std::uint32_t> place(sites);
    for (std::size_t p = sites; p-- > 0;) {
      place[order[p]] = word(static_cast<std::int64_t>(p));
      first[static_cast<std::size_t>(graph.colour(order[p]))] = word(static_cast<std::int64_t>(p));
    }
    for (std::size_t c = first.size() - 1; c-- > 0;) first[c] = std::min(first[c], first[c + 1]);  // of no site
    order_ = append(order);
    place_ = append(place);
    begin_ = append(begin);
    first_ = append(first);
    has_planes_ = !graph.axes().empty();
    planes_ = words_.size();
    for (std::size_t axis = 0; has_planes_ && axis < static_cast<std::size_t>(dim); ++axis) {
      const bool known = axis < graph.axes().size();
      for (std::size_t i = 0; i < sites; ++i) words_.push_back(known ? word(graph.axes()[axis].plane[i]) : 0);
    }
    bond_count_ = word(std::ssize(graph.bonds()));
    term_count_ = word(graph.terms().size());
    if (term_count_ > 0) add_terms(graph, order);
    if (words_.size() % 2 != 0) words_.push_back(0);  // the next graph begins with pairs
    for (std::size_t c = 0; c + 1 < first.size(); ++c) largest_ = std::max(largest_, first[c + 1] - first[c]);
  }

  [[nodiscard]] const std::vector<std::uint32_t>& words() const { return words_; }
  [[nodiscard]] std::uint32_t largest_colour() const { return largest_; }
  [[nodiscard]] std::uint32_t bond_count() const { return bond_count_; }
  /// Of DeviceGraph::site_terms.
  [[nodiscard]] std::uint32_t term_words() const { return term_words_; }
  /// d_words: where the words are on the device
  [[nodiscard]] DeviceGraph on_device(const std::uint32_t* d_words) const {
    return {d_words + order_,
            d_words + place_,
            d_words + begin_,
            reinterpret_cast<const GraphPair*>(d_words),
            reinterpret_cast<const GraphPair*>(d_words + bonds_),
            d_words + first_,
            has_planes_ ? d_words + planes_ : nullptr,
            bond_count_,
            term_count_,
            term_count_ > 0 ? d_words + term_begin_ : nullptr,
            term_count_ > 0 ? d_words + term_sites_ : nullptr,
            term_count_ > 0 ? d_words + site_begin_ : nullptr,
            term_count_ > 0 ? d_words + site_terms_ : nullptr};
  }

 private:
  void add(std::uint32_t a, std::uint32_t b) {
    words_.push_back(a);
    words_.push_back(b);
  }
  std::size_t append(const std::vector<std::uint32_t>& part) {
    const std::size_t at = words_.size();
    words_.insert(words_.end(), part.begin(), part.end());
    return at;
  }

  void add_terms(const SiteGraph& graph, const std::vector<std::uint32_t>& order) {
    std::vector<std::uint32_t> begin{0}, sites;
    for (std::int64_t t = 0; t < graph.terms().size(); ++t) {
      for (const std::int32_t site : graph.terms()[t]) sites.push_back(word(site));
      begin.push_back(word(std::ssize(sites)));
    }
    term_begin_ = append(begin);
    term_sites_ = append(sites);
    begin.assign(1, 0);
    site_terms_ = words_.size();
    for (const std::uint32_t i : order) {
      for (const std::int32_t t : graph.terms_of(i)) {
        words_.push_back(word(graph.place_of_term(t)));
        for (const std::int32_t other : graph.terms()[t]) {
          if (word(other) != i) words_.push_back(word(other));
        }
        words_.back() |= last_of_term;
      }
      begin.push_back(word(static_cast<std::int64_t>(words_.size() - site_terms_)));
    }
    if (words_.size() - site_terms_ > std::numeric_limits<std::uint32_t>::max()) {
      throw std::runtime_error(
          "The terms of a graph cannot be used on a GPU (the lists of its sites have more than 2^32 numbers). Use "
          "backend.kind = cpu.");
    }
    term_words_ = begin.back();
    site_begin_ = append(begin);
  }

  std::vector<std::uint32_t> words_;
  std::size_t bonds_ = 0, order_ = 0, place_ = 0, begin_ = 0, first_ = 0, planes_ = 0;
  std::size_t term_begin_ = 0, term_sites_ = 0, site_begin_ = 0, site_terms_ = 0;
  std::uint32_t bond_count_ = 0, term_count_ = 0, term_words_ = 0;
  bool has_planes_ = false;
  std::uint32_t largest_ = 0;
};

}  // namespace

void GraphMemory::upload(std::span<const RoundTask> tasks, DeviceBatch& batch, StagedCopy& staged,
                         cudaStream_t stream) {
  batch.d_graphs = nullptr;
  if (!batch.lattice.is_graph()) return;
  std::vector<const SiteGraph*> different;
  std::vector<std::size_t> of_task;
  for (const RoundTask& task : tasks) {
    const SiteGraph* const graph = task.disorder->graph.get();
    // One drawn for each realization, or one for all: looking at the last one is enough.
    if (different.empty() || different.back() != graph) different.push_back(graph);
    of_task.push_back(different.size() - 1);
    batch.graph_colours = std::max(batch.graph_colours, graph->colours());
  }
  std::vector<GraphWordsOf> graphs;
  std::size_t total = 0;
  for (const SiteGraph* graph : different) {
    graphs.emplace_back(*graph, batch.lattice.dim, batch.graph_colours);
    total += graphs.back().words().size();
    batch.graph_colour_sites = std::max(batch.graph_colour_sites, graphs.back().largest_colour());
    batch.graph_bonds = std::max(batch.graph_bonds, graphs.back().bond_count());
    batch.graph_term_words = std::max(batch.graph_term_words, graphs.back().term_words());
  }
  std::uint32_t* d_words = words_.reserve(total);
  std::vector<DeviceGraph> on_device;
  for (const GraphWordsOf& graph : graphs) {
    staged.to_device(d_words, graph.words().data(), graph.words().size() * sizeof(std::uint32_t), stream);
    on_device.push_back(graph.on_device(d_words));
    d_words += graph.words().size();
  }
  DeviceGraph* const d_graphs = graphs_.reserve(tasks.size());
  staged.fill_device(d_graphs, tasks.size(), stream, [&](std::size_t t) { return on_device[of_task[t]]; });
  batch.d_graphs = d_graphs;
}

double GraphMemory::bytes(const Lattice& lattice) {
  const auto sites = static_cast<double>(lattice.sites()), bonds = static_cast<double>(lattice.bonds());
  const double terms = lattice.has_terms() ? bonds + most_term_ends(lattice) + sites + most_term_words(lattice) : 0.0;
  return 4.0 * ((4.0 + lattice.dim) * sites + 6.0 * bonds + terms);
}

}}  // namespace glassworks::cuda
