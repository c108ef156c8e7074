#include "scheduler/histories/cooling.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace glassworks { inline namespace scheduler {
namespace {

/// The chain of one temperature, whose replicas are the copies.
Chain at_slot(const Chain& chain, int slot) {
  Chain one = chain;
  one.beta = {chain.beta[static_cast<std::size_t>(slot)]};
  one.key = chain.cooling_key;
  one.start = Start::random;
  one.measurements = cooling_measurements;
  one.samples = 0;
  one.local = 0;
  return one;
}

/// The spins of the copies go to the replicas of a slot; both arrays have the replica as their first index.
template <class T>
void leave_behind(const std::vector<T>& copies, int slot, const Chain& chain, std::vector<T>& replicas) {
  if (copies.empty()) return;
  const std::size_t size = copies.size() / static_cast<std::size_t>(chain.copies);
  for (int copy = 0; copy < chain.copies; ++copy) {
    const auto replica = static_cast<std::size_t>(copy * chain.slots() + slot);
    std::copy_n(copies.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(copy) * size), size,
                replicas.begin() + static_cast<std::ptrdiff_t>(replica * size));
  }
}

}  // namespace

bool cool(const Chain& chain, std::span<const CoolingTask> tasks, Backend& backend, RoundControl& control) {
  if (chain.start != Start::annealed || tasks.empty()) return true;
  std::vector<ChainState> cooled;
  for (const CoolingTask& task : tasks) cooled.push_back(initial_state(at_slot(chain, 0), task.realization));
  for (int slot = chain.slots() - 1; slot >= 0; --slot) {
    const Chain one = at_slot(chain, slot);
    std::vector<HeldTask> held_tasks;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      held_tasks.push_back({tasks[i].realization, tasks[i].disorder, std::move(cooled[i])});
    }
    const std::unique_ptr<HeldBatch> held = backend.hold(one, std::move(held_tasks));
    std::vector<RoundRecord> records(tasks.size());
    if (held->run_round(records, control) == RoundOutcome::abandoned) return false;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      cooled[i] = held->state(i);
      leave_behind(cooled[i].spins, slot, chain, tasks[i].state->spins);
      leave_behind(cooled[i].states, slot, chain, tasks[i].state->states);
    }
  }
  return true;
}

}}  // namespace glassworks::scheduler
