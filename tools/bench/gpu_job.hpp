#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/config/config.hpp"
#include "kernels/make_backend.hpp"
#include "tools/bench/task_batch.hpp"

namespace glassworks { inline namespace tools {

/// Wall-clock times of a round [s].
struct RoundTimes {
  double all = 0.0;
  double between = 0.0;  ///< the ends of two of its measurements
};

/// A batch of realizations on one device, to be timed round by round; its states go on from round to round.
class GpuJob {
 public:
  /// system  of the disorder
  /// kernel  CudaChoices::kernel
  GpuJob(const Config& system, const Chain& chain, int device, const std::string& kernel, int batch);
  GpuJob(const GpuJob&) = delete;
  GpuJob& operator=(const GpuJob&) = delete;

  /// One round with other numbers of measurements and of exchanges between them. What lies between the ends of
  /// measurement `from` and the last one is free of transfers and of what the host does at both ends of a round.
  ///
  /// from  at least 1, less than `measurements`
  RoundTimes time_round(int measurements, int from, int exchanges_per_measurement);

  [[nodiscard]] int batch() const { return static_cast<int>(tasks_.size()); }
  /// Spin updates of the whole batch between two exchanges.
  [[nodiscard]] double updates_per_step() const;

 private:
  Chain chain_;
  std::unique_ptr<Backend> backend_;
  TaskBatch tasks_;
};

[[nodiscard]] std::unique_ptr<Backend> backend_of_device(int device, const std::string& kernel);

/// work(i) for i < n at the same time, a thread each; throws what the first of them threw.
void at_once(std::size_t n, const std::function<void(std::size_t)>& work);

}}  // namespace glassworks::tools
