#include "kernels/cuda/batch_memory.hpp"

#include <algorithm>

#include "kernels/rounds/round_record.hpp"

namespace glassworks::inline cuda {
namespace {

std::size_t size(std::int64_t n) { return static_cast<std::size_t>(n); }

/// Exchanges tried on a pair of slots in steps [first, first + steps), one copy.
std::uint64_t attempts(ExchangeSchedule schedule, int pair, std::uint64_t first, std::uint64_t steps) {
  if (schedule == ExchangeSchedule::none) return 0;
  if (schedule == ExchangeSchedule::sequential) return steps;
  const std::uint64_t offset = (first + static_cast<std::uint64_t>(pair)) & 1U;  // steps until the pair is first tried
  return steps > offset ? (steps - offset + 1) / 2 : 0;
}

/// Whether all couplings of all tasks have one value.
bool has_one_coupling(std::span<const RoundTask> tasks) {
  const float first = tasks.front().disorder->couplings.front();
  return std::all_of(tasks.begin(), tasks.end(), [first](const RoundTask& task) {
    const std::vector<float>& J = task.disorder->couplings;
    return J.front() == first && std::equal(J.begin() + 1, J.end(), J.begin());
  });
}

std::uint64_t steps_of_round(const Chain& chain) {
  return static_cast<std::uint64_t>(chain.measurements) *
         static_cast<std::uint64_t>(chain.protocol.exchanges_per_measurement);
}

}  // namespace

DeviceBatch BatchMemory::upload(const Chain& chain, std::span<const RoundTask> tasks, cudaStream_t stream) {
  DeviceBatch batch{};
  batch.lattice = chain.lattice;
  batch.protocol = chain.protocol;
  batch.protocol.overrelaxation = chain.overrelaxation();
  batch.key = PhiloxRoundKeys(chain.key);
  batch.tasks = static_cast<int>(tasks.size());
  batch.copies = chain.copies;
  batch.components = components_of(chain.model);
  batch.slots = chain.slots();
  batch.site_count = chain.lattice.sites();
  batch.order = SpinOrder::natural(chain.lattice.L);
  if (measures_tensors(chain.model)) {  // the records of other models are made by the host
    batch.observables = ObservableLayout(chain.lattice.dim, chain.copies).size();
    batch.samples = chain.samples;
  }
  upload_ladder(chain, batch, stream);
  upload_disorder(chain, tasks, batch, stream);
  upload_states(chain, tasks, batch, stream);
  clear_sums(batch, stream);
  reserve_samples(batch);
  check_cuda(cudaStreamSynchronize(stream), "copying to the device");
  return batch;
}

void BatchMemory::upload_ladder(const Chain& chain, DeviceBatch& batch, cudaStream_t stream) {
  const auto slots = chain.beta.size();
  float* d_beta = beta_.reserve(slots);
  auto* d_temperature = temperature_.reserve(slots);
  staged_.fill_device(d_beta, slots, stream, [&](std::size_t i) { return chain.beta[i]; });
  staged_.fill_device(d_temperature, slots, stream, [&](std::size_t i) {
    return exact::HeatBathTemperature<float>{-2.0F * chain.beta[i], -1.0F / chain.beta[i]};
  });
  batch.d_beta = d_beta;
  batch.d_temperature = d_temperature;
}

void BatchMemory::upload_transposed(float* d_to, const std::vector<float>& from, std::size_t columns,
                                    cudaStream_t stream) {
  const std::size_t rows = from.size() / columns;
  for (std::size_t k = 0; k < columns; ++k) {
    staged_.fill_device(d_to + k * rows, rows, stream, [&](std::size_t i) { return from[i * columns + k]; });
  }
}

void BatchMemory::upload_disorder(const Chain& chain, std::span<const RoundTask> tasks, DeviceBatch& batch,
                                  cudaStream_t stream) {
  const auto sites = size(batch.sites()), bonds = static_cast<std::size_t>(batch.lattice.owned());
  batch.coupling = tasks.front().disorder->couplings.front();
  const bool pure = !measures_tensors(chain.model) && has_one_coupling(tasks);
  float* d_couplings = pure ? nullptr : couplings_.reserve(tasks.size() * bonds * sites);
  const bool with_fields = tasks.front().disorder->has_fields();
  const auto components = static_cast<std::size_t>(components_of(chain.model));
  float* d_fields = with_fields ? fields_.reserve(tasks.size() * components * sites) : nullptr;
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    const Disorder& disorder = *tasks[t].disorder;
    if (!pure) upload_transposed(d_couplings + t * bonds * sites, disorder.couplings, bonds, stream);
    if (with_fields) upload_transposed(d_fields + t * components * sites, disorder.fields, components, stream);
  }
  auto* d_realization = realization_.reserve(tasks.size());
  int* d_exponent = energy_exponent_.reserve(tasks.size());
  staged_.fill_device(d_realization, tasks.size(), stream, [&](std::size_t t) { return tasks[t].realization; });
  staged_.fill_device(d_exponent, tasks.size(), stream,
                      [&](std::size_t t) { return tasks[t].disorder->energy_scale.exponent; });
  batch.d_couplings = d_couplings;
  batch.d_fields = d_fields;
  batch.d_realization = d_realization;
  batch.d_energy_exponent = d_exponent;
}

void BatchMemory::upload_states(const Chain& chain, std::span<const RoundTask> tasks, DeviceBatch& batch,
                                cudaStream_t stream) {
  const auto replicas = static_cast<std::size_t>(batch.replicas()), slots = static_cast<std::size_t>(batch.slots);
  const std::size_t all = tasks.size() * replicas;
  const std::size_t floats = tasks.front().state->spins.size(), bytes = tasks.front().state->states.size();
  batch.d_spins = spins_.reserve(tasks.size() * floats);
  batch.d_states = states_.reserve(tasks.size() * bytes);
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    staged_.to_device(batch.d_spins + t * floats, tasks[t].state->spins.data(), floats * sizeof(float), stream);
    staged_.to_device(batch.d_states + t * bytes, tasks[t].state->states.data(), bytes, stream);
  }
  auto* d_first_step = first_step_.reserve(tasks.size());
  staged_.fill_device(d_first_step, tasks.size(), stream, [&](std::size_t t) { return tasks[t].state->steps; });
  batch.d_first_step = d_first_step;
  batch.d_slot = slot_.reserve(all);
  batch.d_heading = heading_.reserve(all);
  batch.d_order = order_.reserve(all);
  batch.d_trips = trips_.reserve(all);
  batch.d_replica_at = replica_at_.reserve(all);
  std::vector<int> replica_at(all);
  for (std::size_t i = 0; i < all; ++i) {
    const std::size_t r = i % replicas, first = i - r + r / slots * slots;
    replica_at[first + tasks[i / replicas].state->slot[r]] = static_cast<int>(r);
  }
  staged_.to_device(batch.d_replica_at, replica_at.data(), all * sizeof(int), stream);
  staged_.fill_device(batch.d_slot, all, stream,
                      [&](std::size_t i) { return static_cast<int>(tasks[i / replicas].state->slot[i % replicas]); });
  staged_.fill_device(batch.d_order, all, stream, [&](std::size_t i) {
    const float beta = chain.beta[tasks[i / replicas].state->slot[i % replicas]];
    return OrderWord{exact::as_uint(beta), 0};
  });
  staged_.fill_device(batch.d_heading, all, stream, [&](std::size_t i) {
    return static_cast<int>(tasks[i / replicas].state->heading[i % replicas]);
  });
  staged_.fill_device(batch.d_trips, all, stream,
                      [&](std::size_t i) { return tasks[i / replicas].state->round_trips[i % replicas]; });
}

void BatchMemory::clear_sums(DeviceBatch& batch, cudaStream_t stream) {
  const auto clear = [stream](auto& buffer, std::size_t count) {
    auto* d = buffer.reserve(std::max<std::size_t>(count, 1));
    check_cuda(cudaMemsetAsync(d, 0, count * sizeof(*d), stream), "clearing memory");
    return d;
  };
  const auto tasks = static_cast<std::size_t>(batch.tasks), slots = static_cast<std::size_t>(batch.slots);
  const auto all = tasks * static_cast<std::size_t>(batch.replicas());
  batch.d_energy_sum = clear(energy_sum_, 2 * all);
  batch.d_energy = clear(energy_, all);
  batch.d_accepted = clear(accepted_, tasks * (slots - 1));
  batch.d_round_trips = clear(round_trips_, all);
  batch.d_walk_up = clear(walk_up_, tasks * slots);
  batch.d_walk_down = clear(walk_down_, tasks * slots);
  batch.d_walk_mean = clear(walk_mean_, all * walk_functions);
  batch.d_mean = clear(mean_, tasks * slots * static_cast<std::size_t>(batch.observables));
  batch.d_arrived = clear(arrived_, tasks * static_cast<std::size_t>(batch.copies));
  batch.d_report = clear(report_, 2 * all);
  batch.d_tickets = clear(tickets_, 1);
}

/// All of it is written before it is read.
void BatchMemory::reserve_samples(DeviceBatch& batch) {
  if (batch.samples == 0) return;
  const SampleLayout layout(batch.lattice.dim, batch.copies);
  const auto units = static_cast<std::size_t>(batch.tasks) * static_cast<std::size_t>(batch.slots);
  batch.d_mean_before = mean_before_.reserve(units * static_cast<std::size_t>(batch.observables));
  if (layout.pairs() > 0)
    batch.d_pair_overlap = pair_overlap_.reserve(units * static_cast<std::size_t>(layout.pairs()));
  batch.d_samples =
      samples_.reserve(units * static_cast<std::size_t>(batch.samples) * static_cast<std::size_t>(layout.size()));
}

BatchMemory::Walk BatchMemory::take_walk(const DeviceBatch& batch, cudaStream_t stream) {
  const auto tasks = static_cast<std::size_t>(batch.tasks), slots = static_cast<std::size_t>(batch.slots);
  const std::size_t all = tasks * static_cast<std::size_t>(batch.replicas());
  Walk walk;
  const auto take_all = [&](auto& to, const auto* d_from, std::size_t count) {
    to.resize(count);
    take(to.data(), d_from, 0, count, stream);
  };
  take_all(walk.slot, batch.d_slot, all);
  take_all(walk.heading, batch.d_heading, all);
  take_all(walk.trips, batch.d_trips, all);
  take_all(walk.round_trips, batch.d_round_trips, all);
  take_all(walk.accepted, batch.d_accepted, tasks * (slots - 1));
  return walk;
}

void BatchMemory::download(const Chain& chain, std::span<const RoundTask> tasks, const DeviceBatch& batch,
                           cudaStream_t stream) {
  const auto slots = static_cast<std::size_t>(batch.slots);
  std::vector<RoundRecord> records(tasks.size());
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    RoundRecord& record = records[t] = empty_record(chain);
    record.measurements = chain.measurements;
    take(record.mean.data(), batch.d_mean, t, record.mean.size(), stream);
    take(record.walk_up.data(), batch.d_walk_up, t, slots, stream);
    take(record.walk_down.data(), batch.d_walk_down, t, slots, stream);
    take(record.walk_mean.data(), batch.d_walk_mean, t, record.walk_mean.size(), stream);
    if (batch.samples > 0) take(record.samples.data(), batch.d_samples, t, record.samples.size(), stream);
  }
  download(chain, tasks, batch, std::move(records), stream);
}

void BatchMemory::download(const Chain& chain, std::span<const RoundTask> tasks, const DeviceBatch& batch,
                           std::vector<RoundRecord> records, cudaStream_t stream) {
  const auto replicas = static_cast<std::size_t>(batch.replicas()), pairs = static_cast<std::size_t>(batch.slots) - 1;
  const Walk walk = take_walk(batch, stream);
  const auto part = [](const auto& of_all, std::size_t task, std::size_t count) {
    return std::span(of_all).subspan(task * count, count);
  };
  std::vector<ChainState> states(tasks.size());
  for (std::size_t t = 0; t < tasks.size(); ++t) {  // nothing of a task is touched before all is here
    const ChainState& before = *tasks[t].state;
    ChainState& state = states[t];
    state.steps = before.steps + steps_of_round(chain);
    const auto slot = part(walk.slot, t, replicas), heading = part(walk.heading, t, replicas);
    const auto trips = part(walk.trips, t, replicas), round_trips = part(walk.round_trips, t, replicas);
    const auto accepted = part(walk.accepted, t, pairs);
    state.slot.assign(slot.begin(), slot.end());
    state.heading.assign(heading.begin(), heading.end());
    state.round_trips.assign(trips.begin(), trips.end());
    state.spins.resize(before.spins.size());
    take(state.spins.data(), batch.d_spins, t, state.spins.size(), stream);
    state.states.resize(before.states.size());
    take(state.states.data(), batch.d_states, t, state.states.size(), stream);

    RoundRecord& record = records[t];
    record.exchange_accepted.assign(accepted.begin(), accepted.end());
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      record.exchange_attempts[pair] =
          static_cast<std::uint64_t>(chain.copies) *
          attempts(chain.protocol.exchange, static_cast<int>(pair), before.steps, steps_of_round(chain));
    }
    record.round_trips.assign(round_trips.begin(), round_trips.end());
    finish_record(chain, record);
  }
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    *tasks[t].state = std::move(states[t]);
    *tasks[t].record = std::move(records[t]);
  }
}

double BatchMemory::bytes_per_task(const Chain& chain, bool with_fields) {
  const auto sites = static_cast<double>(chain.lattice.sites());
  const double spins = 12.0 * chain.replicas() * sites;
  constexpr double arranged = 4.5;  // couplings once more, for the resident kernel: at most 36 for 8 sites
  const double disorder = 4.0 * (chain.lattice.dim + arranged + (with_fields ? 3 : 0)) * sites;
  const double bins = 8.0 * chain.slots() * ObservableLayout(chain.lattice.dim, chain.copies).size();
  const SampleLayout layout(chain.lattice.dim, chain.copies);
  const double samples =
      chain.samples > 0 ? bins + chain.slots() * (8.0 * layout.pairs() + 4.0 * chain.samples * layout.size()) : 0.0;
  return spins + disorder + bins + samples + 100.0 * chain.replicas();
}

}  // namespace glassworks::inline cuda
