#include "kernels/cuda/round_course.hpp"

#include <deque>

#include "kernels/cuda/cuda_error.hpp"

namespace glassworks { inline namespace cuda {
namespace {

/// Marks the end of a measurement on the device.
class MeasurementEvent {
 public:
  MeasurementEvent() {
    check_cuda(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming | cudaEventBlockingSync), "creating an event");
  }
  MeasurementEvent(const MeasurementEvent&) = delete;
  MeasurementEvent& operator=(const MeasurementEvent&) = delete;
  ~MeasurementEvent() { (void)cudaEventDestroy(event_); }
  void record(cudaStream_t stream) const { check_cuda(cudaEventRecord(event_, stream), "simulating"); }
  void wait() const { check_cuda(cudaEventSynchronize(event_), "simulating a round"); }

 private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace

RoundOutcome run_round_course(const Chain& chain, std::size_t tasks, RoundCourse& course, RoundControl& control,
                              cudaStream_t stream) {
  const auto updates = static_cast<std::uint64_t>(chain.updates_per_stretch()) * tasks;
  std::deque<MeasurementEvent> events;  // of measurements on their way
  int done = 0;
  const auto finish_one = [&] {
    events.front().wait();
    events.pop_front();
    ++done;
    control.updates.fetch_add(updates, std::memory_order_relaxed);
  };
  for (int m = 0; m < chain.stretches(); ++m) {
    if (!course.start_steps(m, control)) {
      check_cuda(cudaStreamSynchronize(stream), "ending a round early");
      return RoundOutcome::abandoned;
    }
    if (m - done == course.ahead()) finish_one();
    if (chain.measurements > 0) {
      course.start_measurement(m);
    } else {
      course.start_last_step(m);
    }
    events.emplace_back().record(stream);
  }
  while (done < chain.stretches()) finish_one();
  return RoundOutcome::finished;
}

}}  // namespace glassworks::cuda
