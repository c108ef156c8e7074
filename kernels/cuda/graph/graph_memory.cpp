#include "kernels/cuda/graph/graph_memory.hpp"

#include <algorithm>
#include <numeric>
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
      return graph.colour(a) != graph.colour(b) ? graph.colour(a) < graph.colour(b) : graph.degree(a) > graph.degree(b);
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
    if (words_.size() % 2 != 0) words_.push_back(0);  // the next graph begins with pairs
    for (std::size_t c = 0; c + 1 < first.size(); ++c) largest_ = std::max(largest_, first[c + 1] - first[c]);
  }

  [[nodiscard]] const std::vector<std::uint32_t>& words() const { return words_; }
  [[nodiscard]] std::uint32_t largest_colour() const { return largest_; }
  /// d_words: where the words are on the device
  [[nodiscard]] DeviceGraph on_device(const std::uint32_t* d_words) const {
    return {d_words + order_,
            d_words + place_,
            d_words + begin_,
            reinterpret_cast<const GraphPair*>(d_words),
            reinterpret_cast<const GraphPair*>(d_words + bonds_),
            d_words + first_,
            has_planes_ ? d_words + planes_ : nullptr};
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

  std::vector<std::uint32_t> words_;
  std::size_t bonds_ = 0, order_ = 0, place_ = 0, begin_ = 0, first_ = 0, planes_ = 0;
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

}}  // namespace glassworks::cuda
