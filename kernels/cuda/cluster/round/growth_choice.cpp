#include "kernels/cuda/cluster/round/growth_choice.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/rounds/chain.hpp"

namespace glassworks { inline namespace cuda {
namespace {

/// Sites of a lattice whose marks a block has in shared memory.
constexpr std::uint32_t most_shared_marks = 1U << 17;
/// Sites on the list in shared memory, which few clusters exceed that are worth growing.
constexpr std::uint32_t most_shared_sites = 1U << 10;
/// Steps from one reading to the next, at most. The host is that far ahead of the device.
constexpr int longest_wait = 16;
/// Of one launch.
constexpr double most_updates_at_once = 64.0, most_sites_at_once = 20000.0;

[[nodiscard]] std::uint32_t words_for(std::int64_t sites) { return static_cast<std::uint32_t>((sites + 31) / 32); }

}  // namespace

double GrowthCosts::most_sites(double systems, double sites, double seeds) {
  const double labels = label_launches + label_site * systems * sites;
  const double rest = labels / seeds - seed;
  if (rest < 0.0) return -1.0;
  // A cluster that takes as long: site s + root sqrt(s) = rest.
  const double side = (std::sqrt(root * root + 4.0 * site * rest) - root) / (2.0 * site), one = side * side;
  const double alone = one >= sites ? sites : one / (systems > 1.0 ? largest : 1.0);
  const double many = (labels - seeds * seed_of_many * systems) / (site_of_many * systems);
  return std::min(seeds * alone, many);
}

GrowthChoice::~GrowthChoice() {
  if (read_ != nullptr) (void)cudaEventDestroy(read_);
}

bool GrowthChoice::applies(const Chain& chain) {
  const ProtocolKind kind = chain.protocol.kind;
  const bool single = kind == ProtocolKind::wolff || kind == ProtocolKind::few_cluster;
  return single && chain.cluster_sweeps() > 0;
}

double GrowthChoice::bytes(const Chain& chain) {
  if (!applies(chain) || chain.lattice.sites() <= most_shared_marks) return 0.0;
  return 4.0 * words_for(chain.lattice.sites());
}

void GrowthChoice::begin(const Chain& chain, const ClusterBatch& batch, const CudaChoices& choices,
                         cudaStream_t stream) {
  if (read_ == nullptr) {
    check_cuda(cudaEventCreateWithFlags(&read_, cudaEventDisableTiming), "creating an event");
  } else if (reads_) {
    check_cuda(cudaEventSynchronize(read_), "reading the sizes of clusters");
  }
  const bool few = chain.protocol.kind == ProtocolKind::few_cluster;
  flipped_ = few ? chain.protocol.p_flip : 1.0;
  double seeds = 1.0;
  for (int axis = 0; few && axis < chain.lattice.dim; ++axis) seeds *= chain.lattice.L / chain.protocol.seed_tile;
  most_sites_ = choices.most_grown.value_or(GrowthCosts::most_sites(batch.systems(), batch.sites, seeds));
  sites_ = batch.sites;
  const auto slots = static_cast<std::size_t>(batch.common.slots);
  size_.assign(slots, -1.0);
  grows_.clear();
  wait_ = 1;
  waited_ = 0;
  samples_ = reads_ = false;
  chosen_.reserve(slots);
  const std::size_t bytes = 2 * slots * sizeof(unsigned long long);
  check_cuda(cudaMemsetAsync(found_.reserve(2 * slots), 0, bytes, stream), "clearing memory");
  found_on_host_.reserve(2 * slots);
  reserve_memory(batch, choices, stream);
}

void GrowthChoice::reserve_memory(const ClusterBatch& batch, const CudaChoices& choices, cudaStream_t stream) {
  memory_.mark_words = words_for(batch.sites);
  memory_.room = choices.grown_sites > 0 ? static_cast<std::uint32_t>(choices.grown_sites)
                                         : std::min(batch.sites, most_shared_sites);
  memory_.d_marks = nullptr;
  if (batch.sites <= most_shared_marks && choices.grown_sites == 0) return;
  const std::size_t words = static_cast<std::size_t>(batch.systems()) * memory_.mark_words;
  memory_.d_marks = marks_.reserve(words);
  check_cuda(cudaMemsetAsync(memory_.d_marks, 0, words * sizeof(std::uint32_t), stream), "clearing memory");
}

void GrowthChoice::begin_step(StagedCopy& staged, cudaStream_t stream) {
  samples_ = false;
  if (most_sites_ >= 0.0 && ++waited_ >= wait_) {
    if (reads_) take_sizes();
    wait_ = std::min(2 * wait_, longest_wait);
    waited_ = 0;
    samples_ = true;
  }
  choose(staged, stream);
}

void GrowthChoice::end_step(cudaStream_t stream) {
  if (!samples_) return;
  const std::size_t bytes = 2 * size_.size() * sizeof(unsigned long long);
  check_cuda(cudaMemcpyAsync(found_on_host_.data(), found_.data(), bytes, cudaMemcpyDeviceToHost, stream),
             "reading the sizes of clusters");
  check_cuda(cudaMemsetAsync(found_.data(), 0, bytes, stream), "clearing memory");
  check_cuda(cudaEventRecord(read_, stream), "reading the sizes of clusters");
  reads_ = true;
}

void GrowthChoice::take_sizes() {
  check_cuda(cudaEventSynchronize(read_), "reading the sizes of clusters");
  reads_ = false;
  for (std::size_t slot = 0; slot < size_.size(); ++slot) {
    const auto sites = static_cast<double>(found_on_host_.data()[2 * slot]);
    const auto updates = static_cast<double>(found_on_host_.data()[2 * slot + 1]);
    if (updates == 0.0) continue;
    const double size = sites / updates / (grows_[slot] != 0 ? 1.0 : flipped_);
    size_[slot] = size_[slot] < 0.0 ? size : 0.75 * size_[slot] + 0.25 * size;
  }
}

void GrowthChoice::choose(StagedCopy& staged, cudaStream_t stream) {
  std::vector<std::uint8_t> grows;
  for (const double size : size_) grows.push_back((size < 0.0 ? sites_ : size) <= most_sites_ ? 1 : 0);
  if (grows == grows_) return;
  grows_ = grows;
  std::vector<int> slots(grows_.size());
  for (std::size_t slot = 0; slot < slots.size(); ++slot) slots[slot] = static_cast<int>(slot);
  const auto end_of_grown = std::stable_partition(
      slots.begin(), slots.end(), [&](int slot) { return grows_[static_cast<std::size_t>(slot)] != 0; });
  grown_ = static_cast<int>(end_of_grown - slots.begin());
  staged.to_device(chosen_.data(), slots.data(), slots.size() * sizeof(int), stream);
}

ClusterBatch GrowthChoice::part(const ClusterBatch& batch, int first, int count) const {
  ClusterBatch of_slots = batch;
  of_slots.d_chosen = chosen_.data() + first;
  of_slots.chosen = count;
  of_slots.d_found = samples_ ? found_.data() : nullptr;
  return of_slots;
}

double GrowthChoice::largest_size() const {
  double largest = -1.0;
  for (std::size_t slot = 0; slot < size_.size(); ++slot) {
    if (grows_[slot] != 0) largest = std::max(largest, size_[slot]);
  }
  return largest;
}

int GrowthChoice::updates_at_once() const {
  const double largest = largest_size();
  if (largest < 0.0 || grown_ < static_cast<int>(size_.size())) return 1;
  return static_cast<int>(std::clamp(most_sites_at_once / std::max(largest, 1.0), 1.0, most_updates_at_once));
}

unsigned GrowthChoice::threads() const {
  const double largest = largest_size();
  for (const auto& [sites, threads] : {std::pair{40.0, 32U}, {250.0, 64U}, {2500.0, 128U}, {25000.0, 256U}}) {
    if (largest <= sites) return threads;
  }
  return most_growth_threads;
}

}}  // namespace glassworks::cuda
