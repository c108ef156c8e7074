#include "scheduler/devices/worker_backends.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <set>
#include <stdexcept>

namespace glassworks { inline namespace scheduler {

std::vector<int> chosen_devices(const Config& config, int available, const std::string& unavailable) {
  const BackendKind kind = config.backend.options.kind;
  if (const std::string sentence = backend_refusal(config, kind); !sentence.empty()) {
    throw InputError(InputFault::conflict, "backend.kind", sentence);
  }
  if (kind == BackendKind::reference || kind == BackendKind::cpu) return {};
  if (config.backend.devices.empty()) {
    std::vector<int> all(static_cast<std::size_t>(available));
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  for (const int device : config.backend.devices) {
    if (device < available) continue;
    if (available == 0) {
      throw InputError(InputFault::unsupported, "backend.devices",
                       fmt::format("backend.devices = {} cannot be used ({}). Leave backend.devices empty and use "
                                   "backend.kind = auto or cpu.",
                                   fmt::join(config.backend.devices, ", "), unavailable));
    }
    throw InputError(
        InputFault::unknown, "backend.devices",
        fmt::format("backend.devices asks for device {} (there {} {} CUDA device{}, counted from 0). Use {}.", device,
                    available == 1 ? "is" : "are", available, available == 1 ? "" : "s",
                    available == 1 ? "0" : fmt::format("0 to {}", available - 1)));
  }
  return config.backend.devices;
}

namespace {

/// The backend where no device is used. Throws InputError if it asks for what this machine does not have.
std::unique_ptr<Backend> make_processor(const BackendOptions& options) {
  const auto sets = available_instruction_sets();
  const bool has_isa = options.isa == InstructionSet::automatic || std::ranges::find(sets, options.isa) != sets.end();
  try {
    return make_backend(options);
  } catch (const std::runtime_error& error) {
    if (options.kind == BackendKind::cuda || !has_isa)
      throw InputError(InputFault::unsupported, options.kind == BackendKind::cuda ? "backend.kind" : "backend.isa",
                       error.what());
    throw;
  }
}

}  // namespace

std::vector<WorkerBackend> make_worker_backends(const Config& config) {
  const auto available = static_cast<int>(config.backend.options.cuda.counted_devices().size());
  const std::vector<int> devices = chosen_devices(config, available, cuda_unavailable_reason());
  std::vector<WorkerBackend> backends;
  if (devices.empty()) backends.push_back({make_processor(config.backend.options), 0, true});
  for (int i = 0; i < workers_per_device; ++i) {  // the first batches go to different devices
    for (const int device : devices) {
      BackendOptions options = config.backend.options;
      options.kind = BackendKind::cuda;
      options.device = device;
      backends.push_back({make_backend(options), device});
    }
  }
  return backends;
}

std::string describe(const std::vector<WorkerBackend>& backends) {
  std::set<int> devices;
  std::vector<std::string> names;
  for (const WorkerBackend& worker : backends) {
    devices.insert(worker.device);
    const std::string name = worker.backend->description();
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  const std::string list = fmt::format("{}", fmt::join(names, "; "));
  return devices.size() > 1 ? fmt::format("{} devices: {}", devices.size(), list) : "backend " + list;
}

}}  // namespace glassworks::scheduler
