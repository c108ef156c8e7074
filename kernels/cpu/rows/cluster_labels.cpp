#include "kernels/cpu/rows/cluster_labels.hpp"

#include <algorithm>
#include <bit>

namespace glassworks { inline namespace cpu {

ClusterLabels::ClusterLabels(const FastClusterSystem& system, const ClusterKernelTable& kernels, int members)
    : system_(system),
      g_(system.geometry()),
      kernels_(kernels),
      active_(static_cast<std::size_t>(g_.bit_row(g_.dim, 0))),
      starts_(static_cast<std::size_t>(g_.bit_row(1, 0))),
      before_(starts_.size()),
      first_run_(static_cast<std::size_t>(members)),
      bounds_(static_cast<std::size_t>(members) + 1),
      cosine_sum_(1, 0),
      sine_sum_(1, 0) {
  const PhaseTable phase(g_.L);
  const float multiplier = system.system().scales.component.multiplier();
  for (std::size_t x = 0; x < static_cast<std::size_t>(g_.L); ++x) {
    cosine_.push_back(static_cast<float>(phase.cosine[x]));
    sine_.push_back(static_cast<float>(phase.sine[x]));
    cosine_sum_.push_back(cosine_sum_.back() + to_fixed_clamped(cosine_.back(), multiplier));
    sine_sum_.push_back(sine_sum_.back() + to_fixed_clamped(sine_.back(), multiplier));
  }
}

/// Room for `count` runs; their number hardly changes from update to update.
void ClusterLabels::allocate_runs(std::uint32_t count) {
  run_count_ = count;
  if (parent_.size() < count) {
    const std::size_t room = std::min(static_cast<std::size_t>(g_.rows * g_.L), std::size_t{count} + count / 4);
    parent_.resize(room);
    fate_.resize(room + FastClusterSystem::padding);
  }
  runs_ = {starts_.data(), before_.data(), parent_.data(), fate_.data()};
}

void ClusterLabels::find_runs(const Share& share) {
  const auto [begin, end] = share.range(g_.rows, 2);
  const auto index = static_cast<std::size_t>(share.index);
  const Runs starts{starts_.data(), nullptr, nullptr, nullptr};
  first_run_[index] = kernels_.find_runs(g_, active_.data(), starts, begin, end);
  bounds_[index + 1] = end;
  share.synchronize();
  if (share.index == 0) {
    std::uint32_t count = 0;
    for (int i = 0; i < share.count; ++i) {
      const std::uint32_t own = first_run_[static_cast<std::size_t>(i)];
      first_run_[static_cast<std::size_t>(i)] = count;
      count += own;
    }
    allocate_runs(count);
  }
  share.synchronize();
  kernels_.number_runs(g_, runs_, first_run_[index], begin, end);
}

void ClusterLabels::unite(const Share& share, bool windings) {
  const auto [begin, end] = share.range(g_.rows, 2);
  kernels_.unite(g_, active_.data(), runs_, begin, end);
  share.synchronize();
  if (share.index == 0) {
    Windings w{};
    if (windings) {
      crossed_.assign(std::size_t{4} * run_count_, 0);
      wraps_.assign(run_count_, 0);
      w = {crossed_.data(), wraps_.data()};
    }
    kernels_.unite_rest(g_, active_.data(), runs_, bounds_.data(), share.count, windings ? &w : nullptr);
  }
}

std::uint32_t ClusterLabels::first_site(std::uint32_t run) const {
  const auto word = std::upper_bound(before_.begin(), before_.end(), run) - before_.begin() - 1;
  std::uint64_t starts = starts_[static_cast<std::size_t>(word)];
  for (std::uint32_t i = before_[static_cast<std::size_t>(word)]; i < run; ++i) starts &= starts - 1;
  const std::int64_t row = word / g_.words, w = word % g_.words;
  return static_cast<std::uint32_t>(row * g_.L + 64 * w + std::countr_zero(starts));
}

void ClusterLabels::add_decomposition(const float* projection, ClusterSums& sums) {
  const SumScales& scales = system_.system().scales;
  cluster_.resize(std::max(cluster_.size(), std::size_t{run_count_}));
  const std::uint32_t clusters = kernels_.number_clusters(runs_.parent, run_count_, cluster_.data());
  size_.assign(clusters, 0);
  terms_.assign(static_cast<std::size_t>(1 + 2 * g_.dim) * clusters, 0);
  const DecompositionJob job{projection,       cosine_.data(), sine_.data(),    cosine_sum_.data(), sine_sum_.data(),
                             scales.component, scales.square,  cluster_.data(), size_.data(),       terms_.data()};
  const ClusterTotals totals = kernels_.decompose(g_, runs_, job, clusters);
  sums.clusters += clusters;
  sums.largest = totals.largest;
  sums.squares += totals.squares;
  sums.weight += totals.weight;
  for (std::size_t axis = 0; axis < sums.kmin.size(); ++axis) sums.kmin[axis] += totals.kmin[axis];
  const unsigned all_axes = (1U << g_.dim) - 1U;
  for (std::size_t run = 0; run < run_count_; ++run) {
    if (wraps_[run] == 0 || parent_[run] != run) continue;
    sums.wrapping_any = true;
    sums.wrapping_all = sums.wrapping_all || wraps_[run] == all_axes;
  }
}

}}  // namespace glassworks::cpu
