#include "kernels/cuda/cuda_backend.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "kernels/core/threads.hpp"
#include "kernels/cuda/batch_memory.hpp"
#include "kernels/cuda/cluster/round/device_cluster_round.hpp"
#include "kernels/cuda/cuda_devices.hpp"
#include "kernels/cuda/cuda_plan.hpp"
#include "kernels/cuda/device_round.hpp"

namespace glassworks::inline cuda {
namespace {

/// Rounds of different backends on one device take turns.
std::mutex& turn_of(int device) {
  static std::array<std::mutex, 64> turns;
  return turns[static_cast<std::size_t>(device) % turns.size()];
}

/// Of the host, for what models other than heisenberg leave to it: every device gets its share.
int threads_of_a_device() {
  return std::max(1, hardware_threads() / std::max(1, static_cast<int>(cuda_devices().size())));
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
      : number_(number), device_(std::move(device)), choices_(std::move(choices)), clusters_(choices_) {
    use_device();
    stream_ = std::make_unique<Stream>();
    memory_ = std::make_unique<BatchMemory>();
  }
  CudaBackend(const CudaBackend&) = delete;
  CudaBackend& operator=(const CudaBackend&) = delete;
  ~CudaBackend() override { (void)cudaSetDevice(device_.ordinal); }

  RoundOutcome run_round(const Chain& chain, std::span<const RoundTask> batch, RoundControl& control) override {
    if (batch.empty()) return RoundOutcome::finished;
    use_device();
    if (!measures_tensors(chain.model)) {
      return clusters_.run(chain, batch, control, turn_of(number_), threads_of_a_device(), *memory_, stream_->get());
    }
    const CudaPlan plan = choose_cuda_plan(chain, batch.front().disorder->has_fields(), choices_);
    DeviceBatch on_device = memory_->upload(chain, batch, stream_->get());
    if (plan.arranges()) {
      on_device.d_arranged_couplings =
          memory_->reserve_arranged_couplings(batch.size() * plan.coupling_order().count());
    }
    {
      const std::lock_guard turn(turn_of(number_));
      if (run_device_round(chain, plan, on_device, stream_->get(), control) == RoundOutcome::abandoned) {
        return RoundOutcome::abandoned;
      }
    }
    memory_->download(chain, batch, on_device, stream_->get());
    return RoundOutcome::finished;
  }

  [[nodiscard]] std::string description() const override {
    return "cuda (device " + std::to_string(number_) + ", " + device_.name + ")";
  }

  [[nodiscard]] int preferred_batch(const Chain& chain) const override;

  [[nodiscard]] std::string kernel_description(const Chain& chain) const override {
    use_device();
    if (!measures_tensors(chain.model)) return DeviceClusterRounds::description(chain, choices_);
    return choose_cuda_plan(chain, false, choices_).description();
  }

 private:
  void use_device() const { check_cuda(cudaSetDevice(device_.ordinal), "choosing the device"); }

  int number_;  ///< of the device, among those that are counted
  CudaDevice device_;
  CudaChoices choices_;
  std::unique_ptr<Stream> stream_;
  std::unique_ptr<BatchMemory> memory_;
  DeviceClusterRounds clusters_;
};

/// Realizations that give every place on the device 16 tiles of a colour or more, and leave few places idle at the end.
int tile_batch(const Chain& chain, const TilePlan& plan, int fitting) {
  const auto use = [&](int tasks) { return schedule_tiles(plan, chain.lattice, tasks, chain.replicas()).use; };
  const double sites = 2.0 * plan.item_capacity() * plan.variant->T * plan.variant->T * plan.variant->T;
  const double per_task = chain.replicas() * static_cast<double>(chain.lattice.sites());
  const int first = std::clamp(static_cast<int>(std::ceil(16.0 * sites / per_task)), 1, fitting);
  int best = first;
  for (int tasks = first + 1; tasks <= std::min(fitting, first + 4 + first / 2); ++tasks) {
    if (use(tasks) > use(best) + 0.01) best = tasks;
  }
  return best;
}

/// Realizations of the models of cluster updates that keep every multiprocessor busy.
int cluster_batch(const Chain& chain, double bytes) {
  constexpr double sites = 2e7, most_replicas = 60000;
  const double per_task = chain.replicas() * static_cast<double>(chain.lattice.sites());
  const double wanted = std::min(std::ceil(sites / per_task), most_replicas / chain.replicas());
  return static_cast<int>(std::max(1.0, std::min(wanted, bytes / DeviceClusterRounds::bytes_per_task(chain))));
}

/// Realizations that give every place on the device several work items, few places idle in the last turn, and fit into
/// two fifths of its memory, because two batches share it.
int CudaBackend::preferred_batch(const Chain& chain) const {
  use_device();
  const double bytes = static_cast<double>(device_.memory_bytes);
  if (!measures_tensors(chain.model)) return cluster_batch(chain, 0.4 * bytes);
  const int fitting = std::max(1, static_cast<int>(0.4 * bytes / BatchMemory::bytes_per_task(chain, true)));
  const CudaPlan plan = choose_cuda_plan(chain, false, choices_);
  if (plan.kind == CudaPlan::Kind::plain) {
    constexpr double sites = 2e7;  // enough threads for any device
    const double per_task = chain.replicas() * static_cast<double>(chain.lattice.sites());
    return std::clamp(static_cast<int>(std::ceil(sites / per_task)), 1, fitting);
  }
  if (plan.kind == CudaPlan::Kind::tile) return tile_batch(chain, plan.tile, fitting);
  // A place of the ladder kernel is busy for a whole launch, one of the resident kernel for a step of a replica.
  const bool ladder = plan.kind == CudaPlan::Kind::ladder;
  const double capacity = ladder ? plan.ladder.ladder_capacity() * chain.slots() : plan.resident.item_capacity();
  const double few = ladder ? 2.0 : 8.0, many = ladder ? 3.5 : 14.0;
  const double per_task = chain.replicas();
  const auto tasks_for = [&](double turns) { return std::max(1, static_cast<int>(turns * capacity / per_task)); };
  int best = std::min(fitting, tasks_for(few));
  double best_use = 0.0;
  for (int tasks = best; tasks <= std::min(fitting, std::max(tasks_for(many), best + 6)); ++tasks) {
    const double turns = tasks * per_task / capacity, use = turns / std::ceil(turns);
    if (use > best_use + 0.005) {
      best = tasks;
      best_use = use;
    }
  }
  return best;
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

}  // namespace glassworks::inline cuda
