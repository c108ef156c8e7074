#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scheduler/worker.hpp"
#include "tools/glassworks/arguments.hpp"

namespace glassworks {

/// Notes which devices of a run fail. After one was lost (DeviceLost) the others fail too, because CUDA serves no
/// device of that process any more; they can go on in a new process. May be used from several threads.
class DeviceWatch {
 public:
  DeviceWatch();

  /// The same backends; what those of devices throw is noted before the workers see it.
  [[nodiscard]] std::vector<WorkerBackend> watched(std::vector<WorkerBackend> backends);

  /// Whether a failure of this backend comes from the loss of another device.
  ///
  /// backend  its description
  [[nodiscard]] bool is_consequence(const std::string& backend) const;
  /// Devices that are left, ascending: without the lost one, which is the first that said so, and without those that
  /// had failed before. Empty if no device was lost.
  [[nodiscard]] std::vector<int> others() const;

 private:
  struct Failures;
  class WatchedBackend;

  std::shared_ptr<Failures> failures_;
};

/// The arguments of `run` for a new start: the same, but for devices and time limit.
///
/// devices       number of devices that the new process sees; it uses all of them
/// seconds_left  of the time limit [s], more than 0; none: without a limit
[[nodiscard]] Arguments arguments_of_new_start(const Arguments& arguments, std::size_t devices,
                                               std::optional<double> seconds_left);

/// Replaces this process by a new one of the same program that sees certain devices only: `glassworks run ARGUMENTS`.
/// Files are closed; the process id stays. Returns only by an exception, if that cannot be done.
///
/// devices  values of CUDA_VISIBLE_DEVICES
[[noreturn]] void start_run_anew(const Arguments& arguments, const std::vector<std::string>& devices);

}  // namespace glassworks
