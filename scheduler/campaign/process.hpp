#pragma once

#include <cstdint>
#include <string>

#include "engine/bins/records.hpp"

namespace glassworks { inline namespace scheduler {

/// Milliseconds since 1970, UTC.
[[nodiscard]] std::int64_t now_ms();

/// Identifies a machine (boot id) and PID namespace, so containers that cannot see each other's processes differ.
/// Changes at every reboot.
[[nodiscard]] std::string machine_identity();

/// Name of this machine, for people; "unknown" if it cannot be had.
[[nodiscard]] std::string host_name();

/// This process as a worker of a campaign: host, pid, process_start, and times of a lease that begins now.
[[nodiscard]] WorkerRow this_process(const std::string& backend, int lease_seconds);

/// Whether the process of a worker of this machine still exists. A later process of the same pid is another one.
[[nodiscard]] bool is_running(const WorkerRow& worker);

}}  // namespace glassworks::scheduler
