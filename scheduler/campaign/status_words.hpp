#pragma once

#include "engine/bins/records.hpp"
#include "engine/config/config.hpp"

namespace glassworks { inline namespace scheduler {

/// The state of a realization for people. A realization with a course is "running" and then "complete": it does not
/// converge. Databases and tables for programs have to_string(status).
[[nodiscard]] const char* status_word(const Config& config, RealizationStatus status);

}}  // namespace glassworks::scheduler
