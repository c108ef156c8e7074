#pragma once

#include <filesystem>
#include <set>
#include <string>

#include "db/database.hpp"
#include "kernels/make_backend.hpp"
#include "scheduler/recovery/recomputation.hpp"
#include "scheduler/recovery/verification.hpp"

namespace glassworks { inline namespace scheduler {

/// Names of the checkpoints and of their unfinished files in a directory; none if it is not there.
[[nodiscard]] std::set<std::string> checkpoint_files(const std::filesystem::path& checkpoints);

/// Names of the checkpoints of pilots whose ladder is still being adapted.
[[nodiscard]] std::set<std::string> ladder_checkpoints(const Database& database, Verification& result);

/// Both generations that a row names. A checkpoint that goes because a round was committed meanwhile is no problem:
/// then the row, read again, names others, and these are checked.
void check_checkpoints(const Database& database, const StateSource& source, RealizationRow row, Verification& result);

/// Stages of all ladders, and the checkpoints of pilots whose ladder is still being adapted.
void check_ladders(const Database& database, const std::filesystem::path& checkpoints, Verification& result);

/// Simulates the last round of a realization again; if its files have gone because a round was committed meanwhile, the
/// present last round. A file that cannot be read is not told of: check_checkpoints has done it.
void recompute_row(const Database& database, const StateSource& source, RealizationRow row, Backend& backend,
                   RoundControl& control, Verification& result);

}}  // namespace glassworks::scheduler
