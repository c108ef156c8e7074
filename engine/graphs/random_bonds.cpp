#include "engine/graphs/random_bonds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <unordered_set>

#include "engine/graphs/series.hpp"
#include "kernels/core/modes.hpp"

namespace glassworks { inline namespace engine {

std::int64_t erdos_renyi_bond_count(std::int64_t sites, double c) {
  return std::llround(static_cast<double>(sites) * c / 2);
}

std::vector<GraphBond> erdos_renyi_bonds(std::int64_t sites, double c, BondWords& words) {
  const std::int64_t count = erdos_renyi_bond_count(sites, c), all = sites * (sites - 1) / 2;
  const bool draws_absent = count > all / 2;  // what is rarer is drawn
  std::vector<GraphBond> bonds;
  bonds.reserve(static_cast<std::size_t>(count));
  std::unordered_set<std::uint64_t> drawn;
  const auto number = [](std::int64_t a, std::int64_t b) {
    return static_cast<std::uint64_t>(a) << 32 | static_cast<std::uint64_t>(b);
  };
  for (auto missing = draws_absent ? all - count : count; missing > 0;) {
    const auto a = static_cast<std::int64_t>(words.below(static_cast<std::uint32_t>(sites)));
    const auto b = static_cast<std::int64_t>(words.below(static_cast<std::uint32_t>(sites)));
    if (a >= b || !drawn.insert(number(a, b)).second) continue;
    --missing;
    if (!draws_absent) bonds.push_back({static_cast<std::int32_t>(a), static_cast<std::int32_t>(b)});
  }
  if (!draws_absent) return bonds;
  std::vector<GraphBond> pairs = all_pairs(sites);
  std::erase_if(pairs, [&](const GraphBond& bond) { return drawn.contains(number(bond.a, bond.b)); });
  return pairs;
}

RingDistances::RingDistances(int sites) : sites_(sites) {
  const PhaseTable phases(2 * sites);
  constexpr double pi = 3.14159265358979323846;
  for (int d = 1; d <= sites / 2; ++d) {
    log_.push_back(series_log(sites / pi * phases.sine[static_cast<std::size_t>(d)]));
  }
}

double RingDistances::decay(int d, double power) const {
  return series_exp(-power * log_[static_cast<std::size_t>(std::min(d, sites_ - d)) - 1]);
}

std::int64_t power_law_bond_count(int sites, double c) { return std::llround(sites * c / 2); }

std::vector<GraphBond> power_law_bonds(int sites, double c, double sigma, BondWords& words) {
  const RingDistances ring(sites);
  std::vector<double> sums;  // of the probabilities of 1 .. d steps in one direction around the ring [d - 1]
  double sum = 0;
  for (int d = 1; d < sites; ++d) sums.push_back(sum += ring.decay(d, 2 * sigma));
  const std::int64_t count = power_law_bond_count(sites, c);
  std::vector<GraphBond> bonds;
  bonds.reserve(static_cast<std::size_t>(count));
  std::unordered_set<std::uint64_t> there;
  there.reserve(static_cast<std::size_t>(count));
  std::int64_t trials = (std::int64_t{1} << 20) + 256 * count;
  while (static_cast<std::int64_t>(bonds.size()) < count) {
    if (trials-- == 0) {
      throw std::invalid_argument(
          fmt::format("A power-law graph of {} sites with c = {} and sigma = {} cannot be drawn (too few sites are "
                      "near enough for so many bonds). Lower c or sigma.",
                      sites, c, sigma));
    }
    const auto from = static_cast<std::int64_t>(words.below(static_cast<std::uint32_t>(sites)));
    const auto step = std::lower_bound(sums.begin(), sums.end() - 1, words.uniform() * sum) - sums.begin() + 1;
    const std::int64_t to = (from + step) % sites;
    const auto [a, b] = std::minmax(from, to);
    if (!there.insert(static_cast<std::uint64_t>(a) << 32 | static_cast<std::uint64_t>(b)).second) continue;
    bonds.push_back({static_cast<std::int32_t>(a), static_cast<std::int32_t>(b)});
  }
  return bonds;
}

std::vector<GraphBond> all_pairs(std::int64_t sites) {
  std::vector<GraphBond> bonds;
  bonds.reserve(static_cast<std::size_t>(sites * (sites - 1) / 2));
  for (std::int32_t a = 0; a < sites; ++a) {
    for (std::int32_t b = a + 1; b < sites; ++b) bonds.push_back({a, b});
  }
  return bonds;
}

std::vector<double> power_law_weights(int sites, double sigma) {
  const RingDistances ring(sites);
  double squares = 0;
  for (int d = 1; d < sites; ++d) squares += ring.decay(d, 2 * sigma);
  const double scale = 1 / std::sqrt(squares);
  std::vector<double> of_steps{0};  // [d]
  for (int d = 1; d < sites; ++d) of_steps.push_back(scale * ring.decay(d, sigma));
  std::vector<double> weights;
  weights.reserve(static_cast<std::size_t>(std::int64_t{sites} * (sites - 1) / 2));
  for (int a = 0; a < sites; ++a) weights.insert(weights.end(), of_steps.begin() + 1, of_steps.end() - a);
  return weights;
}

}}  // namespace glassworks::engine
