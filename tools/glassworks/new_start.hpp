#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scheduler/work/worker.hpp"
#include "tools/glassworks/arguments.hpp"

namespace glassworks { inline namespace tools {

/// Notes which devices of a run fail. After one was lost (DeviceLost) the others fail too, because CUDA serves no
/// device of that process any more; they can go on in a new process. May be used from several threads.
class DeviceWatch {
 public:
  DeviceWatch();

  /// The same backends, wrapped so that failures of devices are recorded before they reach the workers.
  [[nodiscard]] std::vector<WorkerBackend> watched(std::vector<WorkerBackend> backends);

  /// Whether a failure of this backend comes from the loss of another device.
  ///
  /// backend  its description
  [[nodiscard]] bool is_consequence(const std::string& backend) const;
  /// Devices that are left, ascending: without the lost one (the first that reported a loss) and without those that
  /// had failed before. Empty if no device was lost.
  [[nodiscard]] std::vector<int> others() const;
  /// The lost one; none if no device was lost.
  [[nodiscard]] std::optional<int> lost() const;

 private:
  struct Failures;
  struct WatchedDevice;
  class WatchedBatch;
  class WatchedBackend;

  std::shared_ptr<Failures> failures_;
};

/// The arguments of a verb for a new start: the same, but for devices and time limit.
///
/// devices       number of devices that the new process sees; it uses all of them
/// seconds_left  of the time limit [s], more than 0; none: without a limit
[[nodiscard]] Arguments arguments_of_new_start(const Arguments& arguments, std::size_t devices,
                                               std::optional<double> seconds_left);

/// Devices of the restarted process, and the record of those that it leaves out.
struct NewStart {
  std::vector<std::string> devices;  ///< identities; empty: there is nothing to go on with
  std::string left_out;              ///< value of left_out_variable
};

/// The environment variable in which a new start finds the devices that were left out before it: identities with commas
/// between them; `second_chances_used` when they have been tried again.
constexpr const char* left_out_variable = "GLASSWORKS_DEVICES_LEFT_OUT";
constexpr const char* second_chances_used = "none";

/// After a device was lost: the others without it. Which device was at fault cannot be told for certain, so when no
/// other is left those that were left out before get a second chance, once.
///
/// others    identities of the devices that are left
/// lost      identity of the lost one
/// left_out  value of left_out_variable in this process; empty where it is not set
[[nodiscard]] NewStart plan_new_start(const std::vector<std::string>& others, const std::string& lost,
                                      const std::string& left_out);

/// Replaces this process by a new one of the same program that sees certain devices only: `glassworks VERB ARGUMENTS`.
/// Files are closed; the process id stays. Returns only by an exception, if that cannot be done.
///
/// start.devices  values of CUDA_VISIBLE_DEVICES, at least one
[[noreturn]] void restart_process(const std::string& verb, const Arguments& arguments, const NewStart& start);

}}  // namespace glassworks::tools
