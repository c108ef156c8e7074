#pragma once

#include <functional>
#include <vector>

#include "engine/config/config.hpp"
#include "scheduler/devices/worker_backends.hpp"
#include "tools/glassworks/new_start.hpp"
#include "tools/glassworks/run_course.hpp"

namespace glassworks { inline namespace tools {

using MakeWorkers = std::function<std::vector<WorkerBackend>(const Config&)>;

/// The configuration that the campaign of a directory holds, with what may change from run to run as given: backend,
/// workers, checkpoint interval.
[[nodiscard]] Config stored_campaign(const Config& given);

/// Runs the second histories of a finished campaign, where it or this run asks for them; returns the exit status.
///
/// given  configuration of the run
/// watch  notes which devices fail, as in the first histories
/// make   makes the workers of the run
int run_second_histories(const Config& given, const RunRequest& request, DeviceWatch& watch,
                         const MakeWorkers& make = make_worker_backends);

}}  // namespace glassworks::tools
