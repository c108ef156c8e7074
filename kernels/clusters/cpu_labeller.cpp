#include <algorithm>
#include <stdexcept>

#include "kernels/clusters/labelling.hpp"
#include "kernels/clusters/lattice_rows.hpp"
#include "kernels/clusters/union_find.hpp"
#include "kernels/core/team.hpp"

namespace glassworks { inline namespace clusters {

namespace {

/// The oracle: neighbours of every site by active bonds, then a search from each site that has no label yet. Sites
/// ascend, so the site where a search starts is the smallest of its component.
class BreadthFirstLabeller final : public Labeller {
 public:
  explicit BreadthFirstLabeller(const Graph& graph) : graph_(graph) {}

  void label(const BondSet& bonds, std::span<Site> labels) override {
    const Site none = graph_.sites();
    begin_.assign(std::size_t{graph_.sites()} + 2, 0);
    graph_.for_each_bond([&](BondIndex b, Site i, Site j) {
      if (!bonds.active(b)) return;
      ++begin_[std::size_t{i} + 2];
      ++begin_[std::size_t{j} + 2];
    });
    for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
    neighbours_.resize(begin_.back());
    graph_.for_each_bond([&](BondIndex b, Site i, Site j) {
      if (!bonds.active(b)) return;
      neighbours_[begin_[std::size_t{i} + 1]++] = j;
      neighbours_[begin_[std::size_t{j} + 1]++] = i;
    });
    std::fill(labels.begin(), labels.end(), none);
    for (Site start = 0; start < graph_.sites(); ++start) {
      if (labels[start] != none) continue;
      labels[start] = start;
      queue_.assign(1, start);
      for (std::size_t front = 0; front < queue_.size(); ++front) {
        const Site i = queue_[front];
        for (BondIndex k = begin_[i]; k < begin_[std::size_t{i} + 1]; ++k) {
          if (labels[neighbours_[k]] != none) continue;
          labels[neighbours_[k]] = start;
          queue_.push_back(neighbours_[k]);
        }
      }
    }
  }

  [[nodiscard]] std::string description() const override { return "breadth-first, 1 thread"; }

 private:
  const Graph& graph_;
  std::vector<BondIndex> begin_;
  std::vector<Site> neighbours_, queue_;
};

/// Union-find on the labels themselves. Lattices: every thread joins the runs of its slab of rows with plain writes,
/// then the rows of different slabs are joined with atomic ones. Explicit graphs: atomic writes from the begin. Labels
/// are roots, and those do not depend on the order of unions.
class UnionFindLabeller final : public Labeller {
 public:
  UnionFindLabeller(const Graph& graph, LabellingMethod method, int threads)
      : graph_(graph), method_(method), threads_(threads) {}

  void label(const BondSet& bonds, std::span<Site> labels) override {
    constexpr Site least_sites = 1U << 14;  // of a thread: fewer take less time than to start one
    const int threads =
        static_cast<int>(std::clamp<Site>(graph_.sites() / least_sites, 1, static_cast<Site>(threads_)));
    run_team(threads, [&](int member, Team& team) {
      if (graph_.is_lattice()) {
        label_lattice(bonds, labels, member, team);
      } else {
        label_explicit(bonds, labels, member, team);
      }
    });
  }

  [[nodiscard]] std::string description() const override {
    return std::string(to_string(method_)) + ", " + std::to_string(threads_) + (threads_ == 1 ? " thread" : " threads");
  }

 private:
  static Site part(Site n, int member, int size) {
    return static_cast<Site>(std::uint64_t{n} * static_cast<std::uint64_t>(member) / static_cast<std::uint64_t>(size));
  }

  void label_lattice(const BondSet& bonds, std::span<Site> labels, int member, Team& team) const {
    const LatticeRows rows(graph_, bonds);
    const Site first = part(rows.rows(), member, team.size), last = part(rows.rows(), member + 1, team.size);
    SerialForest slab(labels);
    for (Site row = first; row < last; ++row) {
      const bool closed = rows.label_runs(row, labels);
      bool fresh = true;
      rows.for_earlier_rows(row, [&](int direction, Site source, Site target) {
        if (std::min(source, target) < first) return;
        const auto unite = [&](Site a, Site b) { slab.unite(a, b); };
        if (fresh && target == row) {
          rows.for_bonds_of_fresh_row(
              direction, source, target, [&](Site a, Site b) { slab.attach(a, b); }, unite);
        } else {
          rows.for_bonds_between(direction, source, target, unite);
        }
        fresh = false;
      });
      if (closed) slab.unite(row * rows.width(), (row + 1) * rows.width() - 1);
    }
    if (team.size > 1) {
      team.synchronize();
      AtomicForest forest(labels);
      for (Site row = first; row < last; ++row) {
        rows.for_earlier_rows(row, [&](int direction, Site source, Site target) {
          if (std::min(source, target) >= first) return;
          rows.for_bonds_between(direction, source, target, [&](Site a, Site b) { forest.unite(a, b); });
        });
      }
      team.synchronize();
    }
    flatten(labels, first * rows.width(), last * rows.width(), team.size);
  }

  void label_explicit(const BondSet& bonds, std::span<Site> labels, int member, Team& team) const {
    const Site first = part(graph_.sites(), member, team.size), last = part(graph_.sites(), member + 1, team.size);
    for (Site i = first; i < last; ++i) labels[i] = i;
    if (team.size == 1) {
      SerialForest forest(labels);
      for_active_bonds(bonds, first, last, [&](Site a, Site b) { forest.unite(a, b); });
    } else {
      team.synchronize();
      AtomicForest forest(labels);
      for_active_bonds(bonds, first, last, [&](Site a, Site b) { forest.unite(a, b); });
      team.synchronize();
    }
    flatten(labels, first, last, team.size);
  }

  /// Calls visit(i, j) for the active bonds of sites first .. last - 1 of an explicit graph.
  template <class Visit>
  void for_active_bonds(const BondSet& bonds, Site first, Site last, Visit&& visit) const {
    const std::vector<BondIndex>& offsets = graph_.offsets();
    const BondIndex begin = offsets[first], end = offsets[last];
    Site site = first;
    for (BondIndex word = begin / 32; word * 32 < end; ++word) {
      std::uint32_t active = bonds.words()[word];
      if (word * 32 < begin) active &= ~0U << (begin % 32);
      if (word * 32 + 32 > end) active &= ~0U >> (word * 32 + 32 - end);
      for (; active != 0U; active &= active - 1) {
        const BondIndex b = word * 32 + static_cast<BondIndex>(std::countr_zero(active));
        while (offsets[std::size_t{site} + 1] <= b) ++site;
        visit(site, graph_.lower()[b]);
      }
    }
  }

  /// labels[i] = root of i for one part of the sites; ascending, so that one thread alone finds every parent done.
  static void flatten(std::span<Site> labels, Site first, Site last, int size) {
    if (size == 1) {
      for (Site i = first; i < last; ++i) labels[i] = labels[labels[i]];
      return;
    }
    AtomicForest forest(labels);
    for (Site i = first; i < last; ++i) forest.store(i, forest.root(i));
  }

  const Graph& graph_;
  LabellingMethod method_;
  int threads_;
};

}  // namespace

std::vector<LabellingMethod> cpu_labelling_methods(const Graph&) {
  return {LabellingMethod::breadth_first, LabellingMethod::union_find, LabellingMethod::parallel};
}

std::unique_ptr<Labeller> make_cpu_labeller(const Graph& graph, LabellingMethod method, int threads) {
  switch (method) {
    case LabellingMethod::breadth_first:
      return std::make_unique<BreadthFirstLabeller>(graph);
    case LabellingMethod::union_find:
      return std::make_unique<UnionFindLabeller>(graph, method, 1);
    case LabellingMethod::parallel:
      return std::make_unique<UnionFindLabeller>(graph, method, threads > 0 ? threads : hardware_threads());
    default:
      throw std::runtime_error(std::string("Labelling by the method ") + to_string(method) +
                               " cannot be used on the CPU (it is a method of GPUs). Use union-find or parallel.");
  }
}

}}  // namespace glassworks::clusters
