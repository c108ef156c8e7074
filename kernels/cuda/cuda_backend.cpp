#include "kernels/cuda/cuda_backend.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "kernels/core/addresses.hpp"
#include "kernels/cuda/batch_memory.hpp"
#include "kernels/cuda/batch_sizes.hpp"
#include "kernels/cuda/cluster/round/device_cluster_round.hpp"
#include "kernels/cuda/cuda_devices.hpp"
#include "kernels/cuda/cuda_plan.hpp"
#include "kernels/cuda/device_places.hpp"
#include "kernels/cuda/device_round.hpp"
#include "kernels/cuda/multispin/copies/device_copy_round.hpp"
#include "kernels/cuda/multispin/device_multispin_round.hpp"
#include "kernels/cuda/series/device_ising_series.hpp"
#include "kernels/cuda/series/device_vector_series.hpp"
#include "kernels/rounds/beside.hpp"
#include "kernels/rounds/cluster_replicas.hpp"
#include "kernels/rounds/kernel_families.hpp"
#include "kernels/series/series_measurer.hpp"

namespace glassworks { inline namespace cuda {
namespace {

/// Kernels of different kinds, each with a course of their own.
enum class Rounds { tensors, clusters, multispin, copies };

Rounds rounds_of(const Chain& chain) {
  if (uses_kernel_kind(BackendKind::cuda, KernelKind::bits, chain)) return Rounds::multispin;
  if (uses_kernel_kind(BackendKind::cuda, KernelKind::copies, chain)) return Rounds::copies;
  return has_cluster_replicas(chain) ? Rounds::clusters : Rounds::tensors;
}

/// Those of a batch: what does not lie in words has plain kernels, which tests and benchmarks may prescribe for graphs.
Rounds rounds_of(const Chain& chain, std::span<const RoundTask> tasks, const CudaChoices& choices) {
  const Rounds rounds = rounds_of(chain);
  if (rounds != Rounds::multispin || !chain.lattice.is_graph()) return rounds;
  const bool plain = choices.kernel.starts_with("plain") || choices.kernel.starts_with("graph");
  return plain || !has_words(chain, tasks) ? Rounds::clusters : rounds;
}

class Stream {
 public:
  Stream() { check_cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "creating a stream"); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { (void)cudaStreamDestroy(stream_); }
  [[nodiscard]] cudaStream_t get() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

class CudaBackend final : public Backend {
 public:
  CudaBackend(int number, CudaDevice device, CudaChoices choices)
      : number_(number),
        device_(std::move(device)),
        choices_(std::move(choices)),
        clusters_(choices_),
        multispin_(choices_) {
    use_device();
    stream_ = std::make_unique<Stream>();
    memory_ = std::make_unique<BatchMemory>();
  }
  CudaBackend(const CudaBackend&) = delete;
  CudaBackend& operator=(const CudaBackend&) = delete;
  ~CudaBackend() override { (void)cudaSetDevice(device_.ordinal); }

  RoundOutcome run_round(const Chain& chain, std::span<const RoundTask> batch, RoundControl& control) override {
    if (batch.empty()) return RoundOutcome::finished;
    const std::unique_ptr<HeldBatch> held = take(chain, batch);
    std::vector<RoundRecord> records(batch.size());
    if (held->run_round(records, control) == RoundOutcome::abandoned) return RoundOutcome::abandoned;
    std::vector<ChainState> states;  // nothing of a task is touched before all is here
    for (std::size_t t = 0; t < batch.size(); ++t) states.push_back(held->state(t));
    for (std::size_t t = 0; t < batch.size(); ++t) {
      *batch[t].state = std::move(states[t]);
      *batch[t].record = std::move(records[t]);
    }
    return RoundOutcome::finished;
  }

  [[nodiscard]] std::unique_ptr<HeldBatch> hold(const Chain& chain, std::vector<HeldTask> tasks) override;

  [[nodiscard]] std::string refusal(const Chain& chain) const override { return refusal_of(BackendKind::cuda, chain); }

  [[nodiscard]] std::string description() const override {
    return "cuda (device " + std::to_string(number_) + ", " + device_.name + ")";
  }

  [[nodiscard]] int preferred_batch(const Chain& chain) const override;
  [[nodiscard]] int batch_width(const Chain& chain) const override;

  [[nodiscard]] std::string kernel_description(const Chain& chain) const override {
    use_device();
    if (rounds_of(chain) == Rounds::multispin) return multispin_.description(chain);
    if (rounds_of(chain) == Rounds::copies) return DeviceCopyRounds::description();
    if (rounds_of(chain) == Rounds::clusters) return DeviceClusterRounds::description(chain, choices_);
    return choose_cuda_plan(chain, false, choices_).description();
  }

 private:
  class DeviceHeldBatch;

  [[nodiscard]] std::unique_ptr<HeldBatch> take(const Chain& chain, std::span<const RoundTask> tasks);
  void use_device() const { check_cuda(cudaSetDevice(device_.ordinal), "choosing the device"); }

  int number_;  ///< of the device, among those that are counted
  CudaDevice device_;
  CudaChoices choices_;
  std::unique_ptr<Stream> stream_;
  std::unique_ptr<BatchMemory> memory_;
  DeviceClusterRounds clusters_;
  DeviceMultispinRounds multispin_;
  DeviceCopyRounds copies_;
  DeviceVectorSeries vector_series_;
  DeviceIsingSeries ising_series_;
};

/// On the device of a backend, in its memory.
class CudaBackend::DeviceHeldBatch final : public HeldBatch, public SeriesMeasurer {
 public:
  /// The tasks are read here; only their disorder outlives that.
  DeviceHeldBatch(CudaBackend& backend, const Chain& chain, std::span<const RoundTask> tasks)
      : backend_(backend),
        chain_(chain),
        rounds_(rounds_of(chain, tasks, backend.choices_)),
        plan_(choose_cuda_plan(chain, tasks.front().disorder->has_fields(), backend.choices_)),
        batch_(memory().upload(chain, tasks, stream())) {
    for (const RoundTask& task : tasks) {
      if (task.state->steps == 0 && BesideLayout(chain).has_reserves()) unstarted_.push_back(tasks_.size());
      tasks_.push_back({task.realization, task.disorder, {}});
    }
    if (rounds_ == Rounds::multispin) {
      backend_.multispin_.begin(chain_, tasks, batch_, stream());
    } else if (rounds_ == Rounds::copies) {
      backend_.copies_.begin(chain_, tasks, batch_, stream());
    } else if (rounds_ == Rounds::clusters) {
      backend_.clusters_.begin(chain_, tasks_, batch_, stream());
    } else if (plan_.arranges()) {
      batch_.d_arranged_couplings = memory().reserve_arranged_couplings(tasks_.size() * plan_.coupling_order().count());
    } else if (plan_.kind == CudaPlan::Kind::colours) {
      batch_.d_arranged_spins = memory().reserve_arranged_spins(plan_.colours.spins(chain) * tasks_.size());
    }
  }

  RoundOutcome run_round(std::span<RoundRecord> records, RoundControl& control) override {
    backend_.use_device();
    memory().begin_round(batch_, stream());
    const RoundOutcome outcome = simulate(records, control);
    if (outcome == RoundOutcome::abandoned) {
      memory().restore(batch_, stream());
      check_cuda(cudaStreamSynchronize(stream()), "ending a round early");
    } else {
      unstarted_.clear();
    }
    return outcome;
  }

  void set_conditions(const Conditions& conditions, RoundLength length) override {
    const bool field_changes = conditions.field != field_, changes = field_changes || conditions.beta != chain_.beta;
    set_round(chain_, conditions, length);
    field_ = conditions.field;
    if (!changes) return;
    backend_.use_device();
    memory().set_temperatures(chain_, batch_, stream());
    if (field_changes) memory().set_fields(chain_, tasks_, field_, stream());
    draw_reserves();
    if (rounds_ == Rounds::clusters) backend_.clusters_.set_conditions(chain_, field_, stream());
    if (rounds_ == Rounds::multispin) backend_.multispin_.set_conditions(chain_, tasks_, field_, stream());
    if (rounds_ == Rounds::copies) backend_.copies_.set_temperatures(chain_, stream());
  }

  [[nodiscard]] ChainState state(std::size_t task) const override {
    backend_.use_device();
    return memory().state(batch_, task, stream());
  }
  [[nodiscard]] std::vector<StateDigest> digests() const override {
    backend_.use_device();
    return memory().digests(batch_, stream());
  }
  SeriesMeasurer* series_measurer() override { return this; }
  bool measure(std::size_t first, const SeriesLayout& layout, std::span<const std::vector<KeptSpins>> kept, int threads,
               std::span<double> rows) override {
    backend_.use_device();
    if (rounds_ != Rounds::copies && chain_.model.kind == ModelKind::ising) {
      return backend_.ising_series_.measure(chain_, tasks_, batch_, first, layout, kept, threads, rows, stream());
    }
    const auto of_task = static_cast<std::size_t>(chain_.slots() * layout.size());
    for (std::size_t i = 0; i < kept.size(); ++i) {
      if (!measure_task(first + i, layout, kept[i], rows.subspan(i * of_task, of_task))) return false;
    }
    return true;
  }

 private:
  [[nodiscard]] BatchMemory& memory() const { return *backend_.memory_; }
  [[nodiscard]] cudaStream_t stream() const { return backend_.stream_->get(); }

  /// Those of tasks that have made no step, anew: in the conditions of the first one.
  void draw_reserves() {
    for (const std::size_t t : unstarted_) {
      Disorder disorder = *tasks_[t].disorder;
      disorder.fields = scaled_fields(disorder, field_);
      ChainState state = state_without_spins(chain_);
      memory().set_beside(chain_, {tasks_[t].realization, &disorder, &state, nullptr}, t, batch_, stream());
    }
  }

  bool measure_task(std::size_t task, const SeriesLayout& layout, std::span<const KeptSpins> kept,
                    std::span<double> rows) {
    const Disorder& disorder = *tasks_[task].disorder;
    if (rounds_ == Rounds::copies) {
      return backend_.copies_.measure(chain_, disorder, task, layout, kept, rows, stream());
    }
    return backend_.vector_series_.measure(chain_, disorder, batch_, task, layout, kept, rows, stream());
  }

  RoundOutcome simulate(std::span<RoundRecord> records, RoundControl& control) {
    DevicePlaces& places = places_of_device(backend_.number_);
    if (rounds_ == Rounds::clusters) {
      return backend_.clusters_.run(chain_, tasks_, records, control, places, memory(), stream());
    }
    const RoundOutcome outcome = run_in(places, control);
    if (outcome == RoundOutcome::abandoned) return outcome;
    std::ranges::move(memory().end_round(chain_, batch_, stream()), records.begin());
    return RoundOutcome::finished;
  }

  RoundOutcome run_in(DevicePlaces& places, RoundControl& control) {
    const bool whole_steps = rounds_ == Rounds::tensors && plan_.arranges();
    const double share = whole_steps ? whole_step_share(chain_, plan_, batch_.tasks) : 1.0;
    if (share <= DevicePlaces::most_of_parts) {
      const DevicePlaces::Part part = places.take_part(share);
      return run_tensors(nullptr, control);
    }
    const bool beside_others = whole_steps ? plan_.runs_beside_others() : rounds_ == Rounds::multispin;
    using Beside = DevicePlaces::Beside;
    const DevicePlaces::Turn turn = places.take_turn(beside_others ? Beside::others : Beside::none);
    if (rounds_ == Rounds::multispin) return backend_.multispin_.run(chain_, control, stream());
    if (rounds_ == Rounds::copies) return backend_.copies_.run(chain_, control, stream());
    return run_tensors(&places, control);
  }
  RoundOutcome run_tensors(const DevicePlaces* shared, RoundControl& control) {
    if (!measurement_) measurement_.emplace(chain_, plan_.spin_layout());
    return run_device_round(chain_, plan_, batch_, *measurement_, shared, stream(), control);
  }

  CudaBackend& backend_;
  Chain chain_;
  std::vector<HeldTask> tasks_;         ///< without states
  std::vector<std::size_t> unstarted_;  ///< whose reserves are drawn before their first step
  float field_ = 1.0F;                  ///< factor of the fields
  Rounds rounds_;
  CudaPlan plan_;
  DeviceBatch batch_;
  std::optional<DeviceMeasurement> measurement_;  ///< for all rounds: its memory is not asked for while others compute
};

std::unique_ptr<HeldBatch> CudaBackend::hold(const Chain& chain, std::vector<HeldTask> tasks) {
  std::vector<RoundTask> views;
  for (HeldTask& task : tasks) views.push_back({task.realization, task.disorder, &task.state, nullptr});
  return take(chain, views);
}

std::unique_ptr<HeldBatch> CudaBackend::take(const Chain& chain, std::span<const RoundTask> tasks) {
  check_batch(BackendKind::cuda, chain, tasks);
  use_device();
  return std::make_unique<DeviceHeldBatch>(*this, chain, tasks);
}

/// What measurements of a course take.
double series_bytes(const Chain& chain) {
  if (rounds_of(chain) == Rounds::copies) return DeviceCopySeries::bytes(chain);
  return chain.model.kind == ModelKind::ising ? DeviceIsingSeries::bytes(chain) : DeviceVectorSeries::bytes(chain);
}

/// Of two fifths of the memory of the device, because two batches share it.
int CudaBackend::preferred_batch(const Chain& chain) const {
  use_device();
  const double bytes = 0.4 * static_cast<double>(device_.memory_bytes) - series_bytes(chain);
  if (rounds_of(chain) == Rounds::multispin) return multispin_batch(chain, bytes);
  if (rounds_of(chain) == Rounds::copies) return copy_batch(chain, bytes);
  if (rounds_of(chain) == Rounds::clusters) return cluster_batch(chain, bytes);
  const int fitting = std::max(1, static_cast<int>(bytes / BatchMemory::bytes_per_task(chain, true)));
  const CudaPlan plan = choose_cuda_plan(chain, false, choices_);
  if (plan.kind == CudaPlan::Kind::plain || plan.kind == CudaPlan::Kind::colours) return site_batch(chain, fitting);
  if (plan.kind == CudaPlan::Kind::tile) return tile_batch(chain, plan.tile, fitting);
  return whole_step_batch(chain, plan, fitting);
}

int CudaBackend::batch_width(const Chain& chain) const {
  use_device();
  if (rounds_of(chain) == Rounds::tensors) {
    const CudaPlan plan = choose_cuda_plan(chain, false, choices_);
    if (plan.arranges()) return whole_step_width(chain, plan);
  }
  return Backend::batch_width(chain);
}

}  // namespace

std::unique_ptr<Backend> make_cuda_backend(int device, const CudaChoices& choices) {
  const std::vector<CudaDevice>& devices = choices.counted_devices();
  const auto count = static_cast<int>(devices.size());
  if (device < 0 || device >= count) {
    throw std::runtime_error("CUDA device " + std::to_string(device) + " cannot be used (there are " +
                             std::to_string(count) + ", counted from 0). Choose another backend.devices.");
  }
  return std::make_unique<CudaBackend>(device, devices[static_cast<std::size_t>(device)], choices);
}

}}  // namespace glassworks::cuda
