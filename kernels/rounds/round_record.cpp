#include "kernels/rounds/round_record.hpp"

#include "kernels/rounds/bin_layout.hpp"
#include "kernels/rounds/measurement_formulas.hpp"

namespace glassworks { inline namespace rounds {

RoundRecord empty_record(const Chain& chain, int observables) {
  const auto slots = static_cast<std::size_t>(chain.slots()), replicas = static_cast<std::size_t>(chain.replicas());
  RoundRecord record;
  record.mean.assign(slots * static_cast<std::size_t>(observables), 0.0);
  record.exchange_attempts.assign(slots - 1, 0);
  record.exchange_accepted.assign(slots - 1, 0);
  record.walk_up.assign(slots, 0);
  record.walk_down.assign(slots, 0);
  record.walk_mean.assign(replicas * walk_functions, 0.0);
  record.round_trips.assign(replicas, 0);
  return record;
}

RoundRecord empty_record(const Chain& chain) {
  const BinLayout layout(chain);
  RoundRecord record = empty_record(chain, layout.size());
  record.samples_per_slot = chain.samples;
  const auto samples = static_cast<std::size_t>(chain.slots()) * static_cast<std::size_t>(chain.samples);
  record.samples.assign(samples * static_cast<std::size_t>(layout.sample_size()), 0.0F);
  return record;
}

SamplePlaces::SamplePlaces(const Chain& chain, int m, int quantities, RoundRecord& record)
    : stride_(static_cast<std::ptrdiff_t>(chain.samples) * quantities) {
  if (!is_sampled(m, chain.measurements, chain.samples)) return;
  first_ = record.samples.data() + std::ptrdiff_t{samples_before(m, chain.measurements, chain.samples)} * quantities;
}

void record_walk(const Chain& chain, const ChainState& state, RoundRecord& record) {
  // sin and cos come from the fixed series, so that walk means are equal on every platform.
  static thread_local PhaseTable phase(1);
  const int slots = chain.slots();
  if (phase.cosine.size() != static_cast<std::size_t>(2 * slots)) phase = PhaseTable(2 * slots);
  for (std::size_t r = 0; r < state.slot.size(); ++r) {
    const int slot = state.slot[r];
    if (state.heading[r] > 0) ++record.walk_up[static_cast<std::size_t>(slot)];
    if (state.heading[r] < 0) ++record.walk_down[static_cast<std::size_t>(slot)];
    double* f = record.walk_mean.data() + r * walk_functions;
    add_walk_functions(slot, slots, phase.cosine.data(), f);
  }
  ++record.measurements;
}

void finish_record(const Chain& chain, RoundRecord& record) {
  if (chain.measurements == 0) return;
  const double n = chain.measurements;
  for (double& x : record.mean) x /= n;
  for (double& x : record.walk_mean) x /= n;
}

}}  // namespace glassworks::rounds
