#include "kernels/cuda/device_round.hpp"

#include "kernels/cuda/cuda_error.hpp"
#include "kernels/cuda/measure.hpp"
#include "kernels/cuda/plain.hpp"
#include "kernels/cuda/resident_order.hpp"
#include "kernels/cuda/sample.hpp"
#include "kernels/rounds/samples.hpp"

namespace glassworks::inline cuda {
namespace {

/// The n_A steps before measurement `m`.
void launch_steps(const Chain& chain, const CudaPlan& plan, const DeviceBatch& batch, int m, cudaStream_t stream) {
  const int n_A = chain.protocol.exchanges_per_measurement;
  const auto first = static_cast<std::uint64_t>(m) * static_cast<std::uint64_t>(n_A);
  if (plan.arranges()) {
    launch_whole_steps(plan, batch, first, n_A, stream);
    return;
  }
  for (std::uint64_t step = first; step < first + static_cast<std::uint64_t>(n_A); ++step) {
    if (plan.kind == CudaPlan::Kind::tile) {
      launch_tile_sweeps(plan.tile, batch, step, stream);
    } else {
      launch_plain_sweeps(batch, step, stream);
    }
    launch_energies(batch, step, stream);
    launch_exchange(batch, step, stream);
  }
}

/// Lets the host run a few measurements ahead of the device, so that the device never waits and a stop is soon obeyed.
class Pace {
 public:
  Pace() {
    for (cudaEvent_t& e : events_) {
      check_cuda(cudaEventCreateWithFlags(&e, cudaEventDisableTiming | cudaEventBlockingSync), "creating an event");
    }
  }
  Pace(const Pace&) = delete;
  Pace& operator=(const Pace&) = delete;
  ~Pace() {
    for (cudaEvent_t e : events_) (void)cudaEventDestroy(e);
  }
  static constexpr int ahead = 4;

  void record(int m, cudaStream_t stream) { check_cuda(cudaEventRecord(events_[m % ahead], stream), "simulating"); }
  void wait_for(int m) { check_cuda(cudaEventSynchronize(events_[m % ahead]), "simulating a round"); }

 private:
  cudaEvent_t events_[ahead] = {};
};

}  // namespace

RoundOutcome run_device_round(const Chain& chain, const CudaPlan& plan, DeviceBatch batch, cudaStream_t stream,
                              RoundControl& control) {
  if (plan.arranges()) {
    arrange_couplings(plan.coupling_order(), batch, stream);
    split_planes(batch, stream);
  }
  DeviceMeasurement measurement(chain);
  Pace pace;
  const auto updates = static_cast<std::uint64_t>(chain.updates_per_round() / chain.measurements) *
                       static_cast<std::uint64_t>(batch.tasks);
  const auto n_A = static_cast<std::uint64_t>(chain.protocol.exchanges_per_measurement);
  int done = 0;
  const auto finish_one = [&] {
    pace.wait_for(done++);
    control.updates.fetch_add(updates, std::memory_order_relaxed);
  };
  for (int m = 0; m < chain.measurements; ++m) {
    if (m - done == Pace::ahead) finish_one();
    if (control.stop.load(std::memory_order_relaxed)) {
      check_cuda(cudaStreamSynchronize(stream), "ending a round early");
      return RoundOutcome::abandoned;
    }
    launch_steps(chain, plan, batch, m, stream);
    if (chain.protocol.heatbath == 0) {
      launch_renormalize(batch, (static_cast<std::uint64_t>(m) + 1) * n_A - 1, stream);
    }
    const bool sampled = is_sampled(m, chain.measurements, chain.samples);
    if (sampled) keep_sums(batch, stream);
    measurement.launch(batch, stream);
    if (sampled) launch_samples(batch, samples_before(m, chain.measurements, chain.samples), stream);
    pace.record(m, stream);
  }
  if (plan.arranges()) join_planes(batch, stream);
  while (done < chain.measurements) finish_one();
  return RoundOutcome::finished;
}

}  // namespace glassworks::inline cuda
