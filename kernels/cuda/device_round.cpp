#include "kernels/cuda/device_round.hpp"

#include <optional>

#include "kernels/cuda/absent_sites.hpp"
#include "kernels/cuda/cluster/round/device_site_updates.hpp"
#include "kernels/cuda/cluster/round/local_updates.hpp"
#include "kernels/cuda/colours/colour_sweeps.hpp"
#include "kernels/cuda/resident_order.hpp"
#include "kernels/cuda/round_course.hpp"
#include "kernels/cuda/sample.hpp"
#include "kernels/cuda/step_end.hpp"
#include "kernels/rounds/round_record.hpp"

namespace glassworks { inline namespace cuda {
namespace {

/// Everything is done by the device, which forms the observables too.
class DeviceCourse final : public RoundCourse {
 public:
  DeviceCourse(const Chain& chain, const CudaPlan& plan, const DeviceBatch& batch, DeviceMeasurement& measurement,
               const DevicePlaces* shared, cudaStream_t stream)
      : chain_(chain),
        plan_(plan),
        shared_(shared),
        batch_(batch),
        single_spins_(batch_for_single_spins(chain, batch)),
        stream_(stream),
        moves_(chain),
        measurement_(measurement) {
    if (plan_.kind == CudaPlan::Kind::colours) {
      colours_.emplace(plan_.colours, single_spins_, moves_, batch_.d_arranged_spins, stream_);
    }
    if (!plan_.arranges()) return;
    arrange_couplings(plan_.coupling_order(), batch_, stream_);
    split_planes(batch_, plan_.spin_layout(), stream_);
  }
  /// Puts the spins back in the order of a state.
  void end() {
    if (plan_.arranges()) join_planes(batch_, stream_);
  }

  bool start_steps(int m, const RoundControl& control) override {
    if (control.stop) return false;
    const int n_A = chain_.protocol.exchanges_per_measurement;
    const auto first = static_cast<std::uint64_t>(m) * static_cast<std::uint64_t>(n_A);
    if (plan_.arranges()) {
      launch_whole_steps(plan_, batch_, first, n_A, stream_, shared_ != nullptr ? shared_->left() : 1.0);
      return true;
    }
    for (std::uint64_t step = first; step < first + static_cast<std::uint64_t>(n_A); ++step) {
      const bool last = step + 1 == first + static_cast<std::uint64_t>(n_A);
      if (last) begin_observed_step();
      if (colours_) {
        colours_->sweeps(step);
      } else if (plan_.kind == CudaPlan::Kind::tile) {
        launch_tile_sweeps(plan_.tile, batch_, step, stream_);
      } else {
        for (int t = 0; t < moves_.repetitions(); ++t) {
          launch_single_spins(single_spins_, moves_, moves_.moves(), step, t, stream_);
        }
      }
      // Without exchanges nothing between two measurements needs energies.
      if (!last && chain_.protocol.exchange == ExchangeSchedule::none) continue;
      add_energies(step, last);
      launch_exchange(batch_, step, stream_);
    }
    return true;
  }

  void start_last_step(int) override { clear_absent(batch_, stream_); }  // no step is left

  void start_measurement(int m) override {
    const auto n_A = static_cast<std::uint64_t>(chain_.protocol.exchanges_per_measurement);
    if (!moves_.ends_with_heat_bath()) {
      launch_unit_vectors(single_spins_, stream_);
      launch_energies_again(batch_, (static_cast<std::uint64_t>(m) + 1) * n_A - 1, stream_);
    }
    clear_absent(batch_, stream_);
    const bool sampled = is_sampled(m, chain_.measurements, chain_.samples);
    if (sampled) keep_sums(batch_, stream_);
    measurement_.launch(batch_, stream_);
    if (batch_.d_local_accepted != nullptr) {
      launch_acceptance(single_spins_, batch_.d_last_replica_at, stream_);
      launch_adaptation(single_spins_, batch_.d_last_replica_at, (static_cast<std::uint64_t>(m) + 1) * n_A, stream_);
    }
    if (sampled) launch_samples(batch_, samples_before(m, chain_.measurements, chain_.samples), stream_);
  }

  [[nodiscard]] int ahead() const override { return 4; }

 private:
  /// last: of the steps before a measurement
  void add_energies(std::uint64_t step, bool last) {
    if (!colours_) return launch_energies(batch_, step, stream_);
    colours_->energies(step);
    if (last) colours_->finish();
  }
  /// Of a step before a measurement, whose accepted moves count.
  void begin_observed_step() {
    if (batch_.d_local_accepted == nullptr) return;
    const auto systems = static_cast<std::size_t>(single_spins_.systems());
    check_cuda(cudaMemsetAsync(batch_.d_local_accepted, 0, systems * sizeof(unsigned long long), stream_),
               "clearing memory");
    check_cuda(cudaMemcpyAsync(batch_.d_last_replica_at, batch_.d_replica_at, systems * sizeof(int),
                               cudaMemcpyDeviceToDevice, stream_),
               "copying slots");
  }

  const Chain& chain_;
  const CudaPlan& plan_;
  const DevicePlaces* shared_;
  DeviceBatch batch_;
  ClusterBatch single_spins_;
  cudaStream_t stream_;
  const Step moves_;
  std::optional<ColourSweeps> colours_;
  DeviceMeasurement& measurement_;
};

}  // namespace

RoundOutcome run_device_round(const Chain& chain, const CudaPlan& plan, const DeviceBatch& batch,
                              DeviceMeasurement& measurement, const DevicePlaces* shared, cudaStream_t stream,
                              RoundControl& control) {
  DeviceCourse course(chain, plan, batch, measurement, shared, stream);
  const RoundOutcome outcome = run_round_course(chain, static_cast<std::size_t>(batch.tasks), course, control, stream);
  if (outcome == RoundOutcome::finished) course.end();
  return outcome;
}

}}  // namespace glassworks::cuda
