#include "kernels/cpu/neighbours/graph_realization.hpp"

#include <algorithm>
#include <iterator>
#include <span>

#include "kernels/rounds/bond_view.hpp"

namespace glassworks { inline namespace cpu {

GraphRealization::GraphRealization(const Lattice& lattice, const Disorder& disorder)
    : disorder_(disorder), axes_(lattice.dim) {
  const SiteGraph& graph = *disorder.graph;
  const std::int64_t sites = graph.sites();
  std::vector<std::int64_t> next(static_cast<std::size_t>(graph.colours()) + 1, 0);  // place of each colour
  for (std::int64_t i = 0; i < sites; ++i) ++next[static_cast<std::size_t>(graph.colour(i)) + 1];
  for (std::size_t c = 1; c < next.size(); ++c) next[c] += next[c - 1];
  site_.resize(static_cast<std::size_t>(sites));
  for (std::int64_t i = 0; i < sites; ++i) {
    site_[static_cast<std::size_t>(next[static_cast<std::size_t>(graph.colour(i))]++)] = static_cast<std::int32_t>(i);
  }
  begin_.reserve(site_.size() + 1);
  owned_.reserve(site_.size());
  links_.reserve(2 * graph.bonds().size());
  for (const std::int32_t i : site_) {
    begin_.push_back(static_cast<std::int64_t>(links_.size()));
    std::int64_t others = 0;
    for (const SiteGraph::Neighbour& n : graph.neighbours(i)) {
      links_.push_back({n.site, disorder.couplings[static_cast<std::size_t>(n.bond)]});
      others += n.site < i ? 1 : 0;
    }
    owned_.push_back(begin_.back() + others);
  }
  begin_.push_back(static_cast<std::int64_t>(links_.size()));
  if (graph.terms().size() > 0) arrange_terms();
  const BondView view(lattice, &graph);
  plane_of_.reserve(site_.size() * static_cast<std::size_t>(axes_));
  for (std::int64_t i = 0; i < sites; ++i) {
    view.for_planes(i, [&](int, int, int plane) { plane_of_.push_back(plane); });
  }
}

void GraphRealization::arrange_terms() {
  const SiteGraph& graph = *disorder_.graph;
  term_begin_.reserve(site_.size() + 1);
  terms_.reserve(size_of(graph.terms().ends()));
  for (const std::int32_t i : site_) {
    term_begin_.push_back(static_cast<std::int64_t>(terms_.size()));
    for (const std::int32_t number : graph.terms_of(i)) {
      const std::span<const std::int32_t> sites = graph.terms()[number];
      const auto begin = static_cast<std::int64_t>(others_.size());
      std::ranges::copy_if(sites, std::back_inserter(others_), [i](std::int32_t j) { return j != i; });
      terms_.push_back({begin, static_cast<std::int64_t>(others_.size()),
                        disorder_.couplings[size_of(graph.place_of_term(number))], sites.front() == i});
    }
  }
  term_begin_.push_back(static_cast<std::int64_t>(terms_.size()));
}

GraphSites GraphRealization::sites() const {
  return {graph().sites(),
          axes_,
          site_.data(),
          begin_.data(),
          owned_.data(),
          links_.data(),
          disorder_.has_fields() ? disorder_.fields.data() : nullptr,
          plane_of_.data(),
          {term_begin_.empty() ? nullptr : term_begin_.data(), terms_.data(), others_.data()}};
}

}}  // namespace glassworks::cpu
