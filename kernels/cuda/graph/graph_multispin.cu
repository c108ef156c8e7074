#include <algorithm>
#include <set>
#include <vector>

#include "kernels/core/addresses.hpp"
#include "kernels/cuda/cluster/launch.cuh"
#include "kernels/cuda/cluster/round/local_site.cuh"
#include "kernels/cuda/graph/graph_multispin.hpp"
#include "kernels/models/activation.hpp"
#include "kernels/models/multispin.hpp"

namespace glassworks { inline namespace cuda {
namespace {

/// Grid: sites of the largest colour, of all systems.
__global__ void __launch_bounds__(256) graph_multispin_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b,
                                                              const __grid_constant__ UpdateNumber sweep, int colour) {
  const ThreadPlace place(blocks);
  const LocalUpdate<GraphSite> update(b, place, sweep, colour);
  const std::uint32_t i = update.site.site;
  if (i == GraphSite::none) return;
  std::uint8_t* const states = b.states_of(place.system);
  const std::uint8_t s = states[i];
  const auto z = static_cast<std::uint32_t>(update.site.end - update.site.begin);
  std::uint32_t m = s == 0 ? 2 * z + 1 : 0;
  update.for_each_bond(b, [&](std::uint32_t j, float J, bool) {
    m += J == 0.0F ? 1 : exact::is_satisfied(J, s, states[j]) ? 0 : 2;
  });
  const auto slots = static_cast<unsigned>(b.common.slots);
  const unsigned replica = place.system % static_cast<unsigned>(b.common.replicas()),
                 slot = b.common.d_slot[place.system];
  const std::uint32_t realization = b.common.d_realization[update.task];
  const WordAddress address = graph_multispin_address(i);
  const RandomBlock words = random_block(CurandKey(b.common.key), Stream::multispin, realization / multispin_group,
                                         replica / slots * slots + slot,
                                         colour_sweep(b.common.lattice, update.number, colour), address.block);
  const std::uint32_t word = address.word == 0   ? words.word[0]
                             : address.word == 1 ? words.word[1]
                             : address.word == 2 ? words.word[2]
                                                 : words.word[3];
  const GraphThresholds& t = b.multispin;
  const std::size_t row = static_cast<std::size_t>(t.d_table[update.task]) * slots + slot;
  if (multispin_word(word, realization) >= t.d_threshold[row * t.of_slot + t.d_first[z] + m]) {
    states[i] = static_cast<std::uint8_t>(1 - s);
  }
}

/// Numbers of bonds that the sites of a batch have.
std::set<int> degrees_of(std::span<const HeldTask> tasks) {
  std::set<int> degrees;
  const SiteGraph* last = nullptr;
  for (const HeldTask& task : tasks) {
    const SiteGraph& graph = *task.disorder->graph;
    if (&graph == last) continue;
    last = &graph;
    for (std::int64_t i = 0; i < graph.sites(); ++i) degrees.insert(graph.degree(i));
  }
  return degrees;
}

}  // namespace

void GraphMultispin::begin(const Chain& chain, std::span<const HeldTask> tasks, ClusterBatch& batch, StagedCopy& staged,
                           cudaStream_t stream) {
  batch.multispin = {};
  if (chain.protocol.multispin == MultispinRule::off || !chain.lattice.is_graph()) return;
  degrees_ = degrees_of(tasks);
  std::vector<std::uint32_t> first(static_cast<std::size_t>(degrees_.empty() ? 0 : *degrees_.rbegin()) + 1, 0);
  std::uint32_t of_slot = 0;
  for (const int z : degrees_) {
    first[static_cast<std::size_t>(z)] = of_slot;
    of_slot += 2 * (2 * static_cast<std::uint32_t>(z) + 1);
  }
  tables_.clear();
  std::vector<int> number;
  for (const HeldTask& task : tasks) {
    const Table table{single_modulus(task.disorder->couplings).value_or(0.0F),
                      single_field(task.disorder->fields).value_or(0.0F)};
    const auto known = std::ranges::find(tables_, table);
    number.push_back(static_cast<int>(known - tables_.begin()));
    if (known == tables_.end()) tables_.push_back(table);
  }
  auto* d_first = first_.reserve(first.size());
  auto* d_number = table_.reserve(number.size());
  staged.to_device(d_first, first.data(), first.size() * sizeof(first.front()), stream);
  staged.to_device(d_number, number.data(), number.size() * sizeof(number.front()), stream);
  batch.multispin = {threshold_.reserve(tables_.size() * chain.beta.size() * of_slot), d_first, d_number, of_slot};
  set_thresholds(chain, 1.0F, batch, staged, stream);
}

void GraphMultispin::set_thresholds(const Chain& chain, float factor, ClusterBatch& batch, StagedCopy& staged,
                                    cudaStream_t stream) {
  if (batch.multispin.d_threshold == nullptr) return;
  std::vector<std::uint32_t> threshold;
  for (const Table& table : tables_) {
    const float field = scaled_field(table.field, factor);
    for (const float beta : chain.beta) {
      for (const int z : degrees_) {
        const auto of_site = multispin_thresholds_in_field(chain.protocol.multispin, beta, table.modulus, z, field);
        threshold.insert(threshold.end(), of_site.begin(), of_site.end());
      }
    }
  }
  staged.to_device(threshold_.data(), threshold.data(), threshold.size() * sizeof(threshold.front()), stream);
}

void launch_graph_multispin(const ClusterBatch& b, const UpdateNumber& sweep, int colour, cudaStream_t stream) {
  colour_launch(b)("updating spins of graphs", graph_multispin_kernel, b.systems(), stream, b, sweep, colour);
}

}}  // namespace glassworks::cuda
