#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/bins/records.hpp"
#include "scheduler/campaign/campaign_rows.hpp"
#include "scheduler/ranks/messages.hpp"

namespace glassworks { inline namespace scheduler {

/// Checkpoints of realizations for a worker that does not see their directory: the newest of each, and where that one
/// is missing or damaged the one before, if there is. Throws FileError where a file may be good but cannot be read.
[[nodiscard]] std::vector<CheckpointFile> read_states(const Config& config, const Chains& chains,
                                                      const std::vector<RealizationRow>& rows);

/// Puts files into the directory, on stable storage, with one sync for all of their names. Throws FileError, and
/// std::runtime_error for a name that leads out of the directory.
void write_states(const std::filesystem::path& checkpoints, const std::vector<CheckpointFile>& files);

/// Removes what is no longer needed; what cannot be removed is left to the next start.
void remove_states(const std::filesystem::path& checkpoints, const std::vector<std::string>& names);

}}  // namespace glassworks::scheduler
