#include "kernels/rounds/multispin_groups.hpp"

#include <map>
#include <utility>

#include "kernels/core/addresses.hpp"

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

}}  // namespace glassworks::rounds
