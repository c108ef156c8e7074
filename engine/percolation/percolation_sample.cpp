#include "engine/percolation/percolation_sample.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>

#include "kernels/clusters/site_bonds.hpp"
#include "kernels/core/random.hpp"

namespace glassworks { inline namespace engine {

namespace {

/// A word is occupied if it is below round(2^32 p); that may be 2^32.
std::uint64_t threshold_of(double p) { return static_cast<std::uint64_t>(std::llround(p * 0x1p32)); }

/// Bit i: words[i] < threshold.
std::uint32_t below(const std::uint32_t (&words)[32], std::uint64_t threshold) {
  if (threshold == 0) return 0U;
  const auto last = static_cast<std::uint32_t>(threshold - 1);
  std::uint32_t bits = 0U;
  for (int i = 0; i < 32; ++i) bits |= static_cast<std::uint32_t>(words[i] <= last) << i;
  return bits;
}

/// How many sets fit into 256 MiB, 32 at most.
std::size_t sets_at_once(const BondSet& set, std::size_t wanted) {
  const std::size_t fitting = (std::size_t{1} << 26) / std::max<std::size_t>(set.words().size(), 1);
  return std::min(wanted, std::clamp<std::size_t>(fitting, 1, 32));
}

}  // namespace

PercolationSampler::PercolationSampler(const PercolationPlan& plan, const BondSet& existing)
    : plan_(plan),
      graph_(*plan.graph),
      existing_(existing),
      key_(percolation_key(plan.seed, graph_)),
      labels_(graph_.sites()),
      sizes_(graph_.sites()) {
  const BondSet empty(of_sites() ? BondIndex{graph_.sites()} : graph_.bond_indices());
  sets_.assign(sets_at_once(empty, plan.p.size()), empty);
  if (of_sites()) bonds_ = BondSet(graph_);
  if (graph_.is_lattice() && graph_.boundary() == Boundary::periodic) windings_.emplace(graph_);
  if (graph_.kind() == GraphKind::bethe) {
    std::vector<bool> inner(graph_.sites(), false);
    last_shell_.assign(graph_.sites(), false);
    graph_.for_each_bond([&](BondIndex, Site i, Site j) {  // the last shell: sites of one bond
      for (const Site s : {i, j}) {
        if (last_shell_[s]) inner[s] = true;
        last_shell_[s] = true;
      }
    });
    for (Site s = 0; s < graph_.sites(); ++s) last_shell_[s] = last_shell_[s] && !inner[s];
  }
}

void PercolationSampler::occupy(std::uint32_t sample, std::size_t first, std::size_t n) {
  std::vector<std::uint64_t> thresholds;
  for (std::size_t k = 0; k < n; ++k) thresholds.push_back(threshold_of(plan_.p[first + k]));
  const std::size_t words = sets_[0].words().size();
  for (std::size_t w = 0; w < words; ++w) {
    std::uint32_t mask = ~0U;
    if (!of_sites()) {
      mask = existing_.words()[w];
    } else if (32 * (w + 1) > graph_.sites()) {
      mask = ~0U >> (32 * (w + 1) - graph_.sites());
    }
    if (mask == 0U) {
      for (std::size_t k = 0; k < n; ++k) sets_[k].words()[w] = 0U;
      continue;
    }
    std::uint32_t random[32];
    for (std::uint32_t block = 0; block < 8; ++block) {
      const RandomBlock four =
          random_block(key_, Stream::percolation, sample, 0, 0, static_cast<std::uint32_t>(8 * w) + block);
      std::copy(four.word, four.word + 4, random + 4 * block);
    }
    for (std::size_t k = 0; k < n; ++k) sets_[k].words()[w] = below(random, thresholds[k]) & mask;
  }
}

/// The bonds to be labelled: those that lead around a periodic lattice are left to windings_.
BondSet& PercolationSampler::prepare(std::size_t set) {
  occupied_ = &sets_[set];
  occupied_count_ = 0;
  for (const std::uint32_t word : occupied_->words())
    occupied_count_ += static_cast<std::uint64_t>(std::popcount(word));
  if (of_sites()) join_occupied_sites(graph_, occupied_->words(), bonds_);
  BondSet& bonds = of_sites() ? bonds_ : sets_[set];
  if (windings_) windings_->cut(bonds);
  return bonds;
}

void PercolationSampler::count_sites(const BondSet& occupied) {
  std::fill(sizes_.begin(), sizes_.end(), 0U);
  for (Site s = 0; s < graph_.sites(); ++s) {
    if (!of_sites() || occupied.active(s)) ++sizes_[labels_[s]];
  }
}

/// Labels at one end of an axis, ascending, each once.
std::vector<Site> PercolationSampler::labels_of_end(int axis, bool far) const {
  Site layer = 1;
  for (int a = 0; a < axis; ++a) layer *= static_cast<Site>(graph_.extents()[static_cast<std::size_t>(a)]);
  const auto extent = static_cast<Site>(graph_.extents()[static_cast<std::size_t>(axis)]);
  std::vector<Site> found;
  for (Site block = far ? (extent - 1) * layer : 0; block < graph_.sites(); block += extent * layer) {
    for (Site s = block; s < block + layer; ++s) {
      if (!of_sites() || occupied_->active(s)) found.push_back(labels_[s]);
    }
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

/// Open boundary: which clusters join the two ends of an axis.
Winding PercolationSampler::crossings() const {
  Winding result;
  std::vector<Site> along_all;
  for (int axis = 0; axis < graph_.dim(); ++axis) {
    const std::vector<Site> near = labels_of_end(axis, false), far = labels_of_end(axis, true);
    std::vector<Site> both, still;
    std::set_intersection(near.begin(), near.end(), far.begin(), far.end(), std::back_inserter(both));
    result.any = result.any || !both.empty();
    if (axis > 0) {
      std::set_intersection(along_all.begin(), along_all.end(), both.begin(), both.end(), std::back_inserter(still));
      both = still;
    }
    along_all = both;
  }
  result.all = result.full = !along_all.empty();
  return result;
}

void PercolationSampler::measure(std::size_t set, std::size_t p_index, PercolationResult::Block& block) {
  count_sites(sets_[set]);
  double value[percolation_quantities] = {};
  const auto at = [&](PercolationQuantity q) -> double& { return value[static_cast<std::size_t>(q)]; };
  if (graph_.is_lattice()) {
    const Winding topology = windings_ ? windings_->find(labels_) : crossings();
    for (const auto& [label, root] : topology.merged) {
      sizes_[root] += sizes_[label];
      sizes_[label] = 0;
    }
    at(PercolationQuantity::crossing_any) = topology.any ? 1.0 : 0.0;
    at(PercolationQuantity::crossing_all) = topology.all ? 1.0 : 0.0;
    at(PercolationQuantity::crossing_full) = topology.full ? 1.0 : 0.0;
  }
  if (graph_.kind() == GraphKind::bethe) {
    const Site centre = labels_[graph_.centre()];
    const bool empty = of_sites() && !occupied_->active(graph_.centre());
    bool out = false;
    for (Site s = 0; s < graph_.sites() && !out && !empty; ++s) out = last_shell_[s] && labels_[s] == centre;
    at(PercolationQuantity::centre_size) = empty ? 0.0 : sizes_[centre];
    at(PercolationQuantity::centre_out) = out ? 1.0 : 0.0;
  }
  std::uint64_t clusters = 0, squares = 0, largest = 0;
  for (const std::uint64_t n : sizes_) {
    clusters += n > 0 ? 1 : 0;
    squares += n * n;
    largest = std::max(largest, n);
  }
  at(PercolationQuantity::largest) = static_cast<double>(largest);
  at(PercolationQuantity::mean_size) = static_cast<double>(squares);
  at(PercolationQuantity::mean_size_rest) = static_cast<double>(squares - largest * largest);
  at(PercolationQuantity::clusters) = static_cast<double>(clusters);
  at(PercolationQuantity::occupied) = static_cast<double>(occupied_count_);
  for (std::size_t q = 0; q < percolation_quantities; ++q) {
    block.sum[p_index * percolation_quantities + q] += value[q];
    block.sum_of_squares[p_index * percolation_quantities + q] += value[q] * value[q];
  }
}

}}  // namespace glassworks::engine
