#include "kernels/core/site_graph.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>

namespace glassworks { inline namespace core {
namespace {

std::string text_of(const GraphBond& bond) { return std::to_string(bond.a) + " - " + std::to_string(bond.b); }
std::string text_of(std::span<const std::int32_t> term) {
  std::string text;
  for (const std::int32_t site : term) text += (text.empty() ? "" : " - ") + std::to_string(site);
  return text;
}

/// With ascending sites. Throws where it cannot be a term of a graph.
std::vector<std::int32_t> sorted_term(std::span<const std::int32_t> term, std::int64_t sites) {
  std::vector<std::int32_t> sorted(term.begin(), term.end());
  std::ranges::sort(sorted);
  if (sorted.size() < 3 || sorted.size() > static_cast<std::size_t>(SiteGraph::max_term_sites)) {
    throw std::invalid_argument("The term " + text_of(term) + " has " + std::to_string(term.size()) +
                                " sites (a term has 3 to 16; two sites are a bond, one is in a field). Correct it.");
  }
  if (sorted.front() < 0 || sorted.back() >= sites) {
    throw std::invalid_argument("The term " + text_of(term) + " leads out of a graph of " + std::to_string(sites) +
                                " sites (they are numbered from 0). Correct the term.");
  }
  if (std::ranges::adjacent_find(sorted) != sorted.end()) {
    throw std::invalid_argument("The term " + text_of(term) +
                                " has a site twice (s^2 = 1, so that it drops out). Leave that site out.");
  }
  return sorted;
}

}  // namespace

SiteGraph::SiteGraph(std::int64_t sites, std::vector<GraphBond> bonds, std::vector<GraphAxis> axes,
                     std::vector<std::int32_t> colours, const TermList& terms)
    : bonds_(std::move(bonds)), colour_(std::move(colours)), axes_(std::move(axes)) {
  if (sites < 1) throw std::invalid_argument("A graph has no sites (it needs one at least). Give its sites.");
  const std::int64_t all = static_cast<std::int64_t>(bonds_.size()) + terms.size();
  if (sites >= max_sites || all > max_bonds) {
    throw std::invalid_argument("A graph of " + std::to_string(sites) + " sites and " + std::to_string(all) +
                                " bonds is too large (2^31 - 1 sites and 2^30 bonds can be numbered). Use a smaller "
                                "one.");
  }
  for (GraphBond& bond : bonds_) {
    if (bond.a > bond.b) std::swap(bond.a, bond.b);
    if (bond.a < 0 || bond.b >= sites) {
      throw std::invalid_argument("The bond " + text_of(bond) + " leads out of a graph of " + std::to_string(sites) +
                                  " sites (they are numbered from 0). Correct the bond.");
    }
    if (bond.a == bond.b) {
      throw std::invalid_argument("A bond leads from site " + std::to_string(bond.a) +
                                  " to itself (a spin does not interact with itself). Leave it out.");
    }
  }
  if (!std::ranges::is_sorted(bonds_)) std::ranges::sort(bonds_);  // made graphs come in order
  if (const auto twice = std::ranges::adjacent_find(bonds_); twice != bonds_.end()) {
    throw std::invalid_argument("The bond " + text_of(*twice) +
                                " stands twice (a graph has one bond between two sites). Give the sum of both.");
  }
  begin_.assign(static_cast<std::size_t>(sites) + 1, 0);
  number_neighbours();
  number_terms(terms);
  if (colour_.empty()) {
    colour_by_number();
  } else {
    check_colours();
  }
  colours_ = *std::ranges::max_element(colour_) + 1;
  for (const GraphAxis& axis : axes_) {
    const auto in_range = [&](std::int32_t x) { return x >= 0 && x < axis.planes; };
    if (axis.plane.size() != static_cast<std::size_t>(sites) || !std::ranges::all_of(axis.plane, in_range)) {
      throw std::invalid_argument(
          "The positions of a graph do not fit it (each site needs a plane along each axis). Correct them.");
    }
  }
}

/// Bonds ascend by (a, b), so that the neighbours of a site ascend if those below it come first.
void SiteGraph::number_neighbours() {
  for (const GraphBond& bond : bonds_) {
    ++begin_[static_cast<std::size_t>(bond.a) + 1];
    ++begin_[static_cast<std::size_t>(bond.b) + 1];
  }
  for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
  neighbours_.resize(2 * bonds_.size());
  std::vector<std::int64_t> next(begin_.begin(), begin_.end() - 1);
  const auto add = [&](std::int32_t site, std::int32_t other, std::size_t bond) {
    neighbours_[static_cast<std::size_t>(next[static_cast<std::size_t>(site)]++)] = {other,
                                                                                     static_cast<std::int32_t>(bond)};
  };
  for (std::size_t bond = 0; bond < bonds_.size(); ++bond) add(bonds_[bond].b, bonds_[bond].a, bond);
  for (std::size_t bond = 0; bond < bonds_.size(); ++bond) add(bonds_[bond].a, bonds_[bond].b, bond);
}

void SiteGraph::number_terms(const TermList& terms) {
  if (terms.size() == 0) return;
  std::vector<std::vector<std::int32_t>> sorted;
  sorted.reserve(static_cast<std::size_t>(terms.size()));
  for (std::int64_t t = 0; t < terms.size(); ++t) sorted.push_back(sorted_term(terms[t], sites()));
  std::ranges::sort(sorted);
  if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end()) {
    throw std::invalid_argument("The term " + text_of(*twice) +
                                " stands twice (a graph has one term of the same sites). Give the sum of both.");
  }
  first_term_.assign(begin_.size(), 0);
  for (const std::vector<std::int32_t>& term : sorted) {
    terms_.add(term);
    for (const std::int32_t site : term) ++first_term_[static_cast<std::size_t>(site) + 1];
  }
  std::partial_sum(first_term_.begin(), first_term_.end(), first_term_.begin());
  of_site_.resize(static_cast<std::size_t>(terms_.ends()));
  std::vector<std::int64_t> next(first_term_.begin(), first_term_.end() - 1);
  for (std::int64_t t = 0; t < terms_.size(); ++t) {
    for (const std::int32_t site : terms_[t]) {
      of_site_[static_cast<std::size_t>(next[static_cast<std::size_t>(site)]++)] = static_cast<std::int32_t>(t);
    }
  }
}

void SiteGraph::colour_by_number() {
  colour_.assign(begin_.size() - 1, 0);
  std::vector<std::int32_t> taken_by;  // [colour], the last site with a neighbour of this colour, + 1
  for (std::int32_t site = 0; site < sites(); ++site) {
    const auto take = [&](std::int32_t other) {
      const auto colour = static_cast<std::size_t>(colour_[static_cast<std::size_t>(other)]);
      if (colour >= taken_by.size()) taken_by.resize(colour + 1);
      taken_by[colour] = site + 1;
    };
    for (const Neighbour& neighbour : neighbours(site)) {
      if (neighbour.site > site) break;
      take(neighbour.site);
    }
    for (const std::int32_t term : terms_of(site)) {
      for (const std::int32_t other : terms_[term]) {
        if (other >= site) break;
        take(other);
      }
    }
    std::int32_t colour = 0;
    while (static_cast<std::size_t>(colour) < taken_by.size() && taken_by[static_cast<std::size_t>(colour)] == site + 1)
      ++colour;
    colour_[static_cast<std::size_t>(site)] = colour;
  }
}

void SiteGraph::check_colours() const {
  if (colour_.size() + 1 != begin_.size() || *std::ranges::min_element(colour_) < 0) {
    throw std::invalid_argument("The colours of a graph do not fit it (each site needs one). Correct them.");
  }
  for (const GraphBond& bond : bonds_) {
    if (colour(bond.a) == colour(bond.b)) {
      throw std::invalid_argument("The neighbours " + text_of(bond) +
                                  " have one colour (neighbours need different ones). Correct the colours.");
    }
  }
  for (std::int64_t t = 0; t < terms_.size(); ++t) {
    std::vector<int> seen;
    for (const std::int32_t site : terms_[t]) seen.push_back(colour(site));
    std::ranges::sort(seen);
    if (std::ranges::adjacent_find(seen) == seen.end()) continue;
    throw std::invalid_argument("Sites of the term " + text_of(terms_[t]) +
                                " have one colour (sites that share a term need different ones). Correct the "
                                "colours.");
  }
}

int SiteGraph::largest_degree() const {
  int largest = 0;
  for (std::int64_t site = 0; site < sites(); ++site) largest = std::max(largest, degree(site));
  return largest;
}

}}  // namespace glassworks::core
