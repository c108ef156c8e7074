#include "kernels/cuda/batch_memory.hpp"

#include <algorithm>
#include <utility>

#include "base/threads.hpp"
#include "kernels/cuda/colours/colour_plan.hpp"
#include "kernels/cuda/common_coupling.hpp"
#include "kernels/cuda/state_digest.hpp"
#include "kernels/cuda/step_end.hpp"
#include "kernels/models/model_facts.hpp"
#include "kernels/rounds/beside.hpp"
#include "kernels/rounds/bin_layout.hpp"
#include "kernels/rounds/cluster_replicas.hpp"
#include "kernels/rounds/exchange.hpp"
#include "kernels/rounds/round_record.hpp"
#include "kernels/rounds/state_form.hpp"

namespace glassworks { inline namespace cuda {
namespace {

constexpr int most_record_threads = 8;  ///< of a large batch: more of them wait for memory
std::size_t size(std::int64_t n) { return static_cast<std::size_t>(n); }

/// Axes, 0 at absent sites: there the free spins that stand for them have no anisotropy.
std::vector<float> axes_of_spins(const Disorder& disorder) {
  std::vector<float> axes = disorder.axes;
  const std::size_t n = disorder.absent.empty() ? 0 : axes.size() / disorder.absent.size();
  for (std::size_t i = 0; i < disorder.absent.size(); ++i) {
    if (disorder.absent[i] != 0) std::fill_n(axes.begin() + static_cast<std::ptrdiff_t>(n * i), n, 0.0F);
  }
  return axes;
}

std::uint64_t steps_of_round(const Chain& chain) {
  return static_cast<std::uint64_t>(chain.stretches()) *
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
  batch.discrete = chain.model.is_discrete();
  batch.absent = static_cast<std::uint8_t>(facts_of(chain.model).absent);
  batch.slots = chain.slots();
  batch.site_count = chain.lattice.sites();
  batch.order = SpinOrder::natural(chain.lattice.length(0));
  batch.observables = BinLayout(chain).size();
  batch.samples = chain.samples;
  upload_ladder(chain, batch, stream);
  upload_disorder(chain, tasks, batch, stream);
  upload_states(tasks, batch, stream);
  upload_beside(chain, tasks, batch, stream);
  reserve_sums(batch);
  reserve_samples(chain, batch);
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
  const std::size_t sites = size(batch.sites()), places = size(batch.lattice.bond_places());
  const auto bonds = batch.lattice.is_graph() ? std::size_t{1} : static_cast<std::size_t>(batch.lattice.owned());
  batch.coupling = first_coupling(tasks);
  const bool pure = has_cluster_replicas(chain) && has_one_coupling(tasks);
  float* d_couplings = pure ? nullptr : couplings_.reserve(tasks.size() * places);
  const bool with_fields = tasks.front().disorder->has_fields();
  const auto components = static_cast<std::size_t>(components_of(chain.model));
  float* d_fields = with_fields ? fields_.reserve(tasks.size() * components * sites) : nullptr;
  const bool with_axes = !tasks.front().disorder->axes.empty();
  float* d_axes = with_axes ? axes_.reserve(tasks.size() * components * sites) : nullptr;
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    const Disorder& disorder = *tasks[t].disorder;
    if (!pure) upload_transposed(d_couplings + t * places, disorder.couplings, bonds, stream);
    if (with_fields) upload_transposed(d_fields + t * components * sites, disorder.fields, components, stream);
    if (with_axes) upload_transposed(d_axes + t * components * sites, axes_of_spins(disorder), components, stream);
  }
  upload_absent(tasks, batch, stream);
  graphs_.upload(tasks, batch, staged_, stream);
  auto* d_realization = realization_.reserve(tasks.size());
  int* d_exponent = energy_exponent_.reserve(tasks.size());
  staged_.fill_device(d_realization, tasks.size(), stream, [&](std::size_t t) { return tasks[t].realization; });
  staged_.fill_device(d_exponent, tasks.size(), stream,
                      [&](std::size_t t) { return tasks[t].disorder->energy_scale.exponent; });
  batch.d_couplings = d_couplings;
  batch.d_fields = d_fields;
  batch.d_axes = d_axes;
  batch.anisotropy = tasks.front().disorder->anisotropy;
  batch.d_realization = d_realization;
  batch.d_energy_exponent = d_exponent;
}

void BatchMemory::set_fields(const Chain& chain, std::span<const HeldTask> tasks, float factor, cudaStream_t stream) {
  const auto components = static_cast<std::size_t>(components_of(chain.model));
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    const std::vector<float> fields = scaled_fields(*tasks[t].disorder, factor);
    if (!fields.empty()) upload_transposed(fields_.data() + t * fields.size(), fields, components, stream);
  }
}

void BatchMemory::upload_absent(std::span<const RoundTask> tasks, DeviceBatch& batch, cudaStream_t stream) {
  batch.d_absent = nullptr;
  const auto has_absent = [](const RoundTask& task) { return !task.disorder->absent.empty(); };
  if (std::none_of(tasks.begin(), tasks.end(), has_absent)) return;
  const std::size_t sites = size(batch.sites());
  auto* d_absent = absent_.reserve(tasks.size() * sites);
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    staged_.fill_device(d_absent + t * sites, sites, stream, [&](std::size_t i) {
      return static_cast<std::uint8_t>(tasks[t].disorder->is_absent(static_cast<std::int64_t>(i)) ? 1 : 0);
    });
  }
  batch.d_absent = d_absent;
}

void BatchMemory::upload_states(std::span<const RoundTask> tasks, DeviceBatch& batch, cudaStream_t stream) {
  const auto replicas = static_cast<std::size_t>(batch.replicas()), slots = static_cast<std::size_t>(batch.slots);
  const std::size_t all = tasks.size() * replicas;
  floats_ = tasks.front().state->spins.size();
  bytes_ = tasks.front().state->states.size();
  batch.d_spins = spins_.reserve(tasks.size() * floats_);
  batch.d_spare_spins = spins_before_.reserve(tasks.size() * floats_);
  batch.d_states = states_.reserve((tasks.size() * bytes_ + 3) / 4 * 4);  // digests read whole words
  steps_.clear();
  walk_.reset();
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    const ChainState& state = *tasks[t].state;
    staged_.to_device(batch.d_spins + t * floats_, state.spins.data(), floats_ * sizeof(float), stream);
    staged_.to_device(batch.d_states + t * bytes_, state.states.data(), bytes_, stream);
    steps_.push_back(state.steps);
  }
  batch.d_first_step = first_step_.reserve(tasks.size());
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
  staged_.fill_device(batch.d_heading, all, stream, [&](std::size_t i) {
    return static_cast<int>(tasks[i / replicas].state->heading[i % replicas]);
  });
  staged_.fill_device(batch.d_trips, all, stream,
                      [&](std::size_t i) { return tasks[i / replicas].state->round_trips[i % replicas]; });
}

void BatchMemory::set_beside(const Chain& chain, const RoundTask& of_task, std::size_t task, const DeviceBatch& batch,
                             cudaStream_t stream) {
  const auto numbers = beside_at_start(chain, *of_task.disorder, of_task.realization, *of_task.state);
  staged_.to_device(batch.d_beside + task * numbers.size(), numbers.data(), numbers.size() * sizeof(std::int64_t),
                    stream);
}

void BatchMemory::upload_beside(const Chain& chain, std::span<const RoundTask> tasks, DeviceBatch& batch,
                                cudaStream_t stream) {
  const BesideLayout layout(chain);
  batch.beside_count = static_cast<std::int64_t>(layout.size());
  batch.beside_widths = layout.widths;
  if (layout.size() > 0) {
    batch.d_beside = beside_.reserve(tasks.size() * layout.size());
    for (std::size_t t = 0; t < tasks.size(); ++t) set_beside(chain, tasks[t], t, batch, stream);
  }
  auto* const d_proposed = proposed_.reserve(tasks.size());
  staged_.fill_device(d_proposed, tasks.size(), stream,
                      [&](std::size_t t) { return proposals_of_step(chain, *tasks[t].disorder); });
  batch.d_proposed = d_proposed;
  if (!measures_acceptance(chain.model, chain.protocol.local)) return;
  const auto systems = tasks.size() * static_cast<std::size_t>(batch.replicas());
  batch.d_local_accepted = local_accepted_.reserve(systems);
  batch.d_last_replica_at = last_replica_at_.reserve(systems);
}

void BatchMemory::reserve_sums(DeviceBatch& batch) {
  const auto tasks = static_cast<std::size_t>(batch.tasks), slots = static_cast<std::size_t>(batch.slots);
  const auto all = tasks * static_cast<std::size_t>(batch.replicas());
  batch.d_energy_sum = energy_sum_.reserve(2 * all);
  batch.d_energy = energy_.reserve(all);
  batch.d_accepted = accepted_.reserve(tasks * std::max<std::size_t>(slots - 1, 1));
  batch.d_round_trips = round_trips_.reserve(all);
  batch.d_walk_up = walk_up_.reserve(tasks * slots);
  batch.d_walk_down = walk_down_.reserve(tasks * slots);
  batch.d_walk_mean = walk_mean_.reserve(all * walk_functions);
  batch.d_mean = mean_.reserve(std::max<std::size_t>(tasks * slots * static_cast<std::size_t>(batch.observables), 1));
  batch.d_arrived = arrived_.reserve(tasks * static_cast<std::size_t>(batch.copies));
  batch.d_report = report_.reserve(2 * all);
  batch.d_tickets = tickets_.reserve(1);
}

void BatchMemory::copy_state(const DeviceBatch& batch, Copy direction, cudaStream_t stream) {
  const auto tasks = static_cast<std::size_t>(batch.tasks);
  const auto all = tasks * static_cast<std::size_t>(batch.replicas());
  const auto copy = [&](auto* d_state, auto& kept, std::size_t count) {
    auto* d_kept = kept.reserve(count);
    const bool keep = direction == Copy::keep;
    check_cuda(cudaMemcpyAsync(keep ? d_kept : d_state, keep ? d_state : d_kept, count * sizeof(*d_state),
                               cudaMemcpyDeviceToDevice, stream),
               "keeping the states of a round");
  };
  copy(batch.d_spins, spins_before_, tasks * floats_);
  copy(batch.d_states, states_before_, tasks * bytes_);
  if (batch.beside_count > 0) {
    copy(batch.d_beside, beside_before_, tasks * static_cast<std::size_t>(batch.beside_count));
  }
  copy(batch.d_slot, slot_before_, all);
  copy(batch.d_replica_at, replica_at_before_, all);
  copy(batch.d_heading, heading_before_, all);
  copy(batch.d_trips, trips_before_, all);
}

void BatchMemory::begin_round(const DeviceBatch& batch, cudaStream_t stream) {
  copy_state(batch, Copy::keep, stream);
  const auto clear = [stream](auto* d, std::size_t count) {
    check_cuda(cudaMemsetAsync(d, 0, count * sizeof(*d), stream), "clearing memory");
  };
  const auto tasks = static_cast<std::size_t>(batch.tasks), slots = static_cast<std::size_t>(batch.slots);
  const auto all = tasks * static_cast<std::size_t>(batch.replicas());
  clear(batch.d_energy_sum, 2 * all);
  clear(batch.d_energy, all);
  clear(batch.d_accepted, tasks * (slots - 1));
  clear(batch.d_round_trips, all);
  clear(batch.d_walk_up, tasks * slots);
  clear(batch.d_walk_down, tasks * slots);
  clear(batch.d_walk_mean, all * walk_functions);
  clear(batch.d_mean, tasks * slots * static_cast<std::size_t>(batch.observables));
  clear(batch.d_arrived, tasks * static_cast<std::size_t>(batch.copies));
  clear(batch.d_report, 2 * all);
  clear(batch.d_tickets, 1);
  staged_.to_device(first_step_.data(), steps_.data(), tasks * sizeof(std::uint64_t), stream);
  launch_first_orders(batch, 0, stream);
}

void BatchMemory::restore(const DeviceBatch& batch, cudaStream_t stream) { copy_state(batch, Copy::restore, stream); }

/// All of it is written before it is read.
void BatchMemory::reserve_samples(const Chain& chain, DeviceBatch& batch) {
  if (batch.samples == 0) return;
  const auto units = static_cast<std::size_t>(batch.tasks) * static_cast<std::size_t>(batch.slots);
  const BinLayout layout(chain);
  if (!layout.samples_all()) {
    batch.d_mean_before = mean_before_.reserve(units * static_cast<std::size_t>(batch.observables));
    const auto pairs = static_cast<std::size_t>(layout.sampled_pairs());
    if (pairs > 0) batch.d_pair_overlap = pair_overlap_.reserve(units * pairs);
  }
  batch.d_samples = samples_.reserve(units * static_cast<std::size_t>(batch.samples) *
                                     static_cast<std::size_t>(layout.sample_size()));
}

const BatchMemory::Walk& BatchMemory::walk_of(const DeviceBatch& batch, cudaStream_t stream) {
  if (walk_) return *walk_;
  const auto tasks = static_cast<std::size_t>(batch.tasks), slots = static_cast<std::size_t>(batch.slots);
  const std::size_t all = tasks * static_cast<std::size_t>(batch.replicas());
  Walk walk;
  walk.slot = take_all(batch.d_slot, all, stream);
  walk.heading = take_all(batch.d_heading, all, stream);
  walk.trips = take_all(batch.d_trips, all, stream);
  walk.round_trips = take_all(batch.d_round_trips, all, stream);
  walk.accepted = take_all(batch.d_accepted, tasks * (slots - 1), stream);
  return walk_.emplace(std::move(walk));
}

std::vector<RoundRecord> BatchMemory::end_round(const Chain& chain, const DeviceBatch& batch, cudaStream_t stream) {
  const std::size_t tasks = steps_.size();
  RoundRecord empty = empty_record(chain);
  empty.measurements = chain.measurements;
  // One copy for all tasks: a copy takes 20 us, however short.
  const auto take_rows = [&](auto of, const auto* d) { return take_all(d, tasks * (empty.*of).size(), stream); };
  const auto mean = take_rows(&RoundRecord::mean, batch.d_mean);
  const auto walk_up = take_rows(&RoundRecord::walk_up, batch.d_walk_up);
  const auto walk_down = take_rows(&RoundRecord::walk_down, batch.d_walk_down);
  const auto walk_mean = take_rows(&RoundRecord::walk_mean, batch.d_walk_mean);
  const auto samples = take_rows(&RoundRecord::samples, batch.d_samples);  // none without samples
  walk_.reset();
  const Walk& walk = walk_of(batch, stream);
  const std::uint64_t copies = size(chain.copies), steps = steps_of_round(chain);
  std::vector<RoundRecord> records(tasks);
  const auto fill = [&](std::size_t t) {
    RoundRecord& record = records[t] = empty;
    const auto copy_row = [t](const auto& rows, auto& to) {
      std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(t * to.size()), to.size(), to.begin());
    };
    copy_row(mean, record.mean);
    copy_row(walk_up, record.walk_up);
    copy_row(walk_down, record.walk_down);
    copy_row(walk_mean, record.walk_mean);
    copy_row(samples, record.samples);
    copy_row(walk.accepted, record.exchange_accepted);
    copy_row(walk.round_trips, record.round_trips);
    int pair = 0;
    for (std::uint64_t& attempts : record.exchange_attempts) {
      attempts = copies * exchange_attempts(chain.protocol.exchange, pair++, steps_[t], steps);
    }
    finish_record(chain, record);
  };
  constexpr std::size_t worth_threads = 1 << 17;  // numbers
  parallel_for(tasks, mean.size() > worth_threads ? std::min(most_record_threads, hardware_threads()) : 1, fill);
  for (std::uint64_t& done : steps_) done += steps;
  return records;
}

ChainState BatchMemory::state_of(const Walk& walk, const DeviceBatch& batch, std::size_t task) const {
  const auto replicas = static_cast<std::size_t>(batch.replicas());
  const auto part = [&](const auto& of_all) { return std::span(of_all).subspan(task * replicas, replicas); };
  ChainState state;
  state.steps = steps_[task];
  const auto slot = part(walk.slot), heading = part(walk.heading);
  const auto trips = part(walk.trips);
  state.slot.assign(slot.begin(), slot.end());
  state.heading.assign(heading.begin(), heading.end());
  state.round_trips.assign(trips.begin(), trips.end());
  return state;
}

ChainState BatchMemory::state(const DeviceBatch& batch, std::size_t task, cudaStream_t stream) {
  ChainState state = state_of(walk_of(batch, stream), batch, task);
  state.spins.resize(floats_);
  take(state.spins.data(), batch.d_spins, task, floats_, stream);
  state.states.resize(bytes_);
  take(state.states.data(), batch.d_states, task, bytes_, stream);
  state.beside.resize(static_cast<std::size_t>(batch.beside_count));
  if (batch.beside_count > 0) take(state.beside.data(), batch.d_beside, task, state.beside.size(), stream);
  return state;
}

std::vector<StateDigest> BatchMemory::digests(const DeviceBatch& batch, cudaStream_t stream) {
  if (batch.beside_count > 0) return {};
  const std::size_t tasks = steps_.size();
  const Walk& walk = walk_of(batch, stream);
  std::vector<std::byte> heads;
  for (std::size_t t = 0; t < tasks; ++t) {
    const std::vector<std::byte> head = bytes_before_sites(state_of(walk, batch, t), floats_, bytes_);
    heads.insert(heads.end(), head.begin(), head.end());
  }
  DigestedBytes bytes;
  bytes.head_bytes = heads.size() / tasks;
  bytes.d_bodies = floats_ > 0 ? reinterpret_cast<const std::uint8_t*>(batch.d_spins) : batch.d_states;
  bytes.body_bytes = floats_ > 0 ? floats_ * sizeof(float) : bytes_;
  if (bytes.total() < shortest_digested) return {};
  std::uint8_t* d_heads = heads_.reserve(heads.size());
  staged_.to_device(d_heads, heads.data(), heads.size(), stream);
  bytes.d_heads = d_heads;
  std::vector<StateDigest> digests(tasks);
  std::uint8_t* d_digests = digests_.reserve(tasks * sizeof(StateDigest));
  launch_digests(bytes, batch.tasks,
                 digest_scratch_.reserve(std::max<std::size_t>(tasks * digest_scratch(bytes.total()), 1)), d_digests,
                 stream);
  staged_.to_host(digests.data(), d_digests, tasks * sizeof(StateDigest), stream);
  return digests;
}

double BatchMemory::bytes_per_task(const Chain& chain, bool with_fields) {
  const auto sites = static_cast<double>(chain.lattice.sites());
  const double of_state = colour_kernels_fit(chain) ? 3.0 : 2.0;  // before a round and after it; by colour
  const double spins = of_state * 12.0 * chain.replicas() * sites;
  constexpr double arranged = 4.5;  // couplings once more, for the resident kernel: at most 36 for 8 sites
  const double disorder = 4.0 * (chain.lattice.dim + arranged + (with_fields ? 3 : 0)) * sites +
                          ((chain.model.anisotropic ? 12.0 : 0.0) + (chain.model.diluted ? 1.0 : 0.0)) * sites;
  const BinLayout layout(chain);
  const double bins = 8.0 * chain.slots() * layout.size();
  const double samples =
      chain.samples > 0
          ? bins + chain.slots() * (8.0 * layout.sampled_pairs() + 4.0 * chain.samples * layout.sample_size())
          : 0.0;
  const double beside = 16.0 * static_cast<double>(BesideLayout(chain).size());
  return beside + spins + disorder + bins + samples + 100.0 * chain.replicas();
}

}}  // namespace glassworks::cuda
