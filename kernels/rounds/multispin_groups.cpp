#include "kernels/rounds/multispin_groups.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "kernels/core/addresses.hpp"
#include "kernels/models/multispin.hpp"

namespace glassworks { inline namespace rounds {

std::vector<MultispinGroup> multispin_groups(std::span<const RoundTask> batch) {
  std::map<std::pair<std::uint64_t, std::uint32_t>, MultispinGroup> groups;
  for (std::size_t t = 0; t < batch.size(); ++t) {
    const std::uint64_t steps = batch[t].state->steps;
    const std::uint32_t number = batch[t].realization / multispin_group;
    MultispinGroup& group = groups[{steps, number}];
    group.steps = steps;
    group.number = number;
    group.tasks.push_back(t);
  }
  std::vector<MultispinGroup> all;
  for (auto& [key, group] : groups) all.push_back(std::move(group));
  return all;
}

bool has_words(const Chain& chain, std::span<const RoundTask> batch) {
  if (!chain.lattice.is_graph() || batch.empty()) return true;
  const std::shared_ptr<const SiteGraph>& graph = batch.front().disorder->graph;
  return graph->largest_degree() <= most_multispin_bonds && std::ranges::all_of(batch, [&](const RoundTask& task) {
           const Disorder& d = *task.disorder;
           return (d.graph == graph || *d.graph == *graph) && std::ranges::find(d.couplings, 0.0F) == d.couplings.end();
         });
}

}}  // namespace glassworks::rounds
