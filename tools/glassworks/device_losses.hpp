#pragma once

#include <functional>
#include <string>

#include "tools/glassworks/new_start.hpp"
#include "tools/glassworks/run_course.hpp"

namespace glassworks { inline namespace tools {

/// A verb that simulates, as it was called.
struct SimulatingVerb {
  std::string name;  ///< "run"
  const Arguments& arguments;
  const RunRequest& request;
};

/// Calls `simulate` with one watch for everything that it simulates. After the loss of a device the same command
/// restarts in a new process with the remaining devices and the rest of its time limit; if no device or no time is
/// left, the failure is thrown.
///
/// devices  those that the numbers of devices count
int run_with_device_recovery(const SimulatingVerb& verb, const std::vector<CudaDevice>& devices,
                             const std::function<int(DeviceWatch&)>& simulate);

}}  // namespace glassworks::tools
