#pragma once

#include <string>
#include <vector>

#include "engine/config/config.hpp"
#include "scheduler/devices/worker_backend.hpp"

namespace glassworks { inline namespace scheduler {

/// Workers for each CUDA device.
constexpr int workers_per_device = 2;

/// CUDA devices that a configuration asks for: backend.devices, or all; empty for the kinds that use none. Throws
/// InputError for one that is not there.
///
/// available    devices of this machine
/// unavailable  why there is none
[[nodiscard]] std::vector<int> chosen_devices(const Config& config, int available, const std::string& unavailable);

/// The backends of a run: two workers for each CUDA device, so that checkpoints and commits of one batch overlap with
/// the computing of another; a single worker for the kinds that use all threads themselves. Throws as make_backend.
[[nodiscard]] std::vector<WorkerBackend> make_worker_backends(const Config& config);

/// "backend cpu (avx512, 2 threads)"; "2 devices: ..." if there are several.
[[nodiscard]] std::string describe(const std::vector<WorkerBackend>& backends);

}}  // namespace glassworks::scheduler
