#pragma once

#include "engine/config.hpp"
#include "tools/glassworks/new_start.hpp"
#include "tools/glassworks/run_course.hpp"

namespace glassworks::inline tools {

/// The configuration that the campaign of a directory holds, with what may change from run to run as given: backend,
/// workers, checkpoint interval.
[[nodiscard]] Config stored_campaign(const Config& given);

/// Runs the second histories of a finished campaign, where it or this run asks for them; returns the exit status.
///
/// given  configuration of the run
/// watch  as in run_course
int run_second_histories(const Config& given, const RunRequest& request, const DeviceWatch* watch = nullptr);

}  // namespace glassworks::inline tools
