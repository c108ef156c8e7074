#include "tools/glassworks/device_losses.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <exception>
#include <optional>
#include <vector>

#include "tools/glassworks/output.hpp"

namespace glassworks { inline namespace tools {
namespace {

/// Restarts the command with the devices that are left; returns if there is no device or no time left.
///
/// failure  what ended the run: of the lost device, if no other was left
void restart_with_other_devices(const SimulatingVerb& verb, const DeviceWatch& watch,
                                const std::vector<CudaDevice>& devices, const std::string& failure) {
  if (!watch.lost() || run_control().stop) return;
  std::optional<double> seconds_left;
  if (verb.request.deadline) {
    seconds_left = std::chrono::duration<double>(*verb.request.deadline - std::chrono::steady_clock::now()).count();
    if (*seconds_left <= 0.0) return;
  }
  const auto identity = [&](int device) { return devices.at(static_cast<std::size_t>(device)).identity; };
  std::vector<std::string> others;
  for (const int device : watch.others()) others.push_back(identity(device));
  const char* const left_out = std::getenv(left_out_variable);
  const NewStart start = plan_new_start(others, identity(*watch.lost()), left_out != nullptr ? left_out : "");
  if (start.devices.empty()) return;
  const std::size_t count = start.devices.size();
  std::string next = count == 1 ? "device" : fmt::format("{} devices", count), why;
  if (others.empty()) {
    print(Channel::error, "Warning: {}\n", failure);
    next += " left out before";
    why = ", and which one is at fault cannot always be told";
  } else {
    next = "other " + next;
  }
  print(Channel::error,
        "Note: the run restarts with the {}, counted from 0 (after such a failure CUDA serves no device of "
        "the process any more{}).\n",
        next, why);
  restart_process(verb.name, arguments_of_new_start(verb.arguments, count, seconds_left), start);
}

}  // namespace

int run_with_device_recovery(const SimulatingVerb& verb, const std::vector<CudaDevice>& devices,
                             const std::function<int(DeviceWatch&)>& simulate) {
  DeviceWatch watch;
  try {
    return simulate(watch);
  } catch (const std::exception& error) {
    restart_with_other_devices(verb, watch, devices, error.what());
    throw;
  }
}

}}  // namespace glassworks::tools
