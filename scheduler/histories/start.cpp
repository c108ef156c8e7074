#include "scheduler/histories/start.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "base/threads.hpp"
#include "engine/starts/stored_starts.hpp"
#include "kernels/rounds/course_driver.hpp"
#include "kernels/rounds/first_state.hpp"

namespace glassworks { inline namespace scheduler {
namespace {

/// The spins of the copies go to the replicas of a slot; both arrays have the replica as their first index.
template <class T>
void copy_spins_to_slot(const std::vector<T>& copies, int slot, const Chain& chain, std::vector<T>& replicas) {
  if (copies.empty()) return;
  const std::size_t size = copies.size() / static_cast<std::size_t>(chain.copies);
  for (int copy = 0; copy < chain.copies; ++copy) {
    const auto replica = static_cast<std::size_t>(copy * chain.slots() + slot);
    std::copy_n(copies.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(copy) * size), size,
                replicas.begin() + static_cast<std::ptrdiff_t>(replica * size));
  }
}

bool anneal(const Chain& chain, std::span<const Beginning> histories, Backend& backend, RoundControl& control) {
  const Chain annealed = annealing_chain(chain);
  const Course course = annealing_course(chain);
  std::vector<HeldTask> tasks;
  for (const Beginning& each : histories) {
    tasks.push_back({each.realization, each.disorder, initial_state(annealed, each.realization)});
  }
  const std::unique_ptr<HeldBatch> held = backend.hold(annealed, std::move(tasks));
  int slot = chain.slots();
  CourseVisitor visitor;
  visitor.reference = [&](std::uint64_t, const HeldBatch& batch) {
    --slot;
    for (std::size_t i = 0; i < histories.size(); ++i) {
      const ChainState cold = batch.state(i);
      copy_spins_to_slot(cold.spins, slot, chain, histories[i].state->spins);
      copy_spins_to_slot(cold.states, slot, chain, histories[i].state->states);
    }
  };
  return follow_course(*held, histories.size(), course, 0, course.end(), visitor, control) == course.end();
}

}  // namespace

Course annealing_course(const Chain& chain) {
  const auto n_A = static_cast<std::uint64_t>(chain.protocol.exchanges_per_measurement);
  Course course;
  course.measured.every = n_A;
  for (int slot = chain.slots() - 1; slot >= 0; --slot) {
    const double T = 1.0 / static_cast<double>(chain.beta[static_cast<std::size_t>(slot)]);
    course.segments.push_back({.steps = annealing_measurements * n_A, .temperature = {Ramp::constant(T)}});
    course.references.push_back(course.end());
  }
  return course;
}

Chain annealing_chain(const Chain& chain) {
  Chain annealed = chain;
  annealed.beta = {chain.beta.back()};
  annealed.key = chain.cooling_key;
  annealed.start = Start::random;
  annealed.samples = 0;
  annealed.local = 0;
  annealed.course = nullptr;
  return annealed;
}

bool make_starts(const Config& config, const Chain& chain, std::span<const Beginning> histories, Backend& backend,
                 RoundControl& control) {
  if (histories.empty()) return true;
  const int threads = config.backend.options.threads > 0 ? config.backend.options.threads : hardware_threads();
  const int of_each = std::max(1, threads / static_cast<int>(histories.size()));
  parallel_for(histories.size(), threads, [&](std::size_t i) {
    const auto& [realization, disorder, state] = histories[i];
    *state = first_state(chain, realization, of_each);
    if (chain.start == Start::stored) take_stored_start(config, chain, realization, *disorder, *state);
  });
  return chain.start != Start::annealed || anneal(chain, histories, backend, control);
}

}}  // namespace glassworks::scheduler
