#include "engine/graphs/term_lists.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

namespace glassworks { inline namespace engine {
namespace {

using Term = std::vector<std::int32_t>;

bool has_twice(const Term& sorted) { return std::ranges::adjacent_find(sorted) != sorted.end(); }

/// Nothing where a term has a site twice, or is there twice.
TermList cut_into_terms(const Term& order, int p) {
  TermList list;
  std::vector<Term> terms;
  for (std::size_t begin = 0; begin < order.size(); begin += static_cast<std::size_t>(p)) {
    const auto first = order.begin() + static_cast<std::ptrdiff_t>(begin);
    Term term(first, first + p);
    std::ranges::sort(term);
    if (has_twice(term)) return {};
    terms.push_back(std::move(term));
  }
  std::ranges::sort(terms);
  if (std::ranges::adjacent_find(terms) != terms.end()) return {};
  for (const Term& term : terms) list.add(term);
  return list;
}

}  // namespace

double binomial(int n, int k) {
  double number = 1.0;
  for (int i = 0; i < k; ++i) number = number * (n - i) / (i + 1);
  return number;
}

TermList drawn_terms(int sites, int p, std::int64_t count, BondWords& words) {
  TermList terms;
  std::set<Term> there;
  while (terms.size() < count) {
    Term term;
    while (std::ssize(term) < p) {
      const auto site = static_cast<std::int32_t>(words.below(static_cast<std::uint32_t>(sites)));
      if (std::ranges::find(term, site) == term.end()) term.push_back(site);
    }
    std::ranges::sort(term);
    if (there.insert(term).second) terms.add(term);
  }
  return terms;
}

TermList regular_terms(int sites, int p, int z, BondWords& words) {
  Term order;
  for (std::int32_t i = 0; i < sites; ++i) order.insert(order.end(), static_cast<std::size_t>(z), i);
  constexpr int most_orders = 100'000;
  for (int trial = 0; trial < most_orders; ++trial) {
    for (std::size_t i = order.size(); i > 1; --i) {
      std::swap(order[i - 1], order[words.below(static_cast<std::uint32_t>(i))]);
    }
    if (TermList terms = cut_into_terms(order, p); terms.size() > 0) return terms;
  }
  throw std::invalid_argument(
      fmt::format("Terms of p = {} sites with z = {} at each of {} sites cannot be drawn (in {} orders some term had a "
                  "site twice, or was there twice). Raise N or lower z.",
                  p, z, sites, most_orders));
}

TermList plaquettes(int dim, int L) {
  std::int64_t cells = 1;
  for (int axis = 0; axis < dim; ++axis) cells *= L;
  const auto next = [&](std::int64_t cell, int axis) {
    std::int64_t stride = 1;
    for (int before = 0; before < axis; ++before) stride *= L;
    return cell / stride % L + 1 < L ? cell + stride : cell - stride * (L - 1);
  };
  const auto bond = [&](std::int64_t cell, int axis) { return static_cast<std::int32_t>(cell * dim + axis); };
  TermList terms;
  for (std::int64_t x = 0; x < cells; ++x) {
    for (int mu = 0; mu < dim; ++mu) {
      for (int nu = mu + 1; nu < dim; ++nu) {
        terms.add(std::array{bond(x, mu), bond(next(x, mu), nu), bond(next(x, nu), mu), bond(x, nu)});
      }
    }
  }
  return terms;
}

}}  // namespace glassworks::engine
