#pragma once

#include <cuda_runtime_api.h>

#include "kernels/rounds/backend.hpp"

namespace glassworks { inline namespace cuda {

/// What one round of a batch starts on the device.
class RoundCourse {
 public:
  virtual ~RoundCourse() = default;

  /// Starts the steps before measurement m (or all but the last); false where the round is to end first.
  [[nodiscard]] virtual bool start_steps(int m, const RoundControl& control) = 0;
  /// Starts the step before measurement m where start_steps has left it.
  virtual void start_last_step(int m) { (void)m; }
  /// Starts measurement m, and that step.
  virtual void start_measurement(int m) = 0;
  /// Measurements that the host may run ahead of the device when it starts the next one: enough that the device never
  /// waits, few enough that a stop is soon obeyed.
  [[nodiscard]] virtual int ahead() const = 0;
};

/// One round of `tasks` realizations: the only device code that defines the order of steps and measurements, for every
/// model. Returns when the device is done.
RoundOutcome run_round_course(const Chain& chain, std::size_t tasks, RoundCourse& course, RoundControl& control,
                              cudaStream_t stream);

}}  // namespace glassworks::cuda
