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

/// Runs what simulates, with all that it simulates under one watch. After the loss of a device the same command begins
/// anew in a new process with the devices that are left, and with the rest of its time limit; where there are none, or
/// no time, the failure is thrown.
///
/// devices  those that the numbers of devices count
int with_other_devices(const SimulatingVerb& verb, const std::vector<CudaDevice>& devices,
                       const std::function<int(DeviceWatch&)>& simulate);

}}  // namespace glassworks::tools
