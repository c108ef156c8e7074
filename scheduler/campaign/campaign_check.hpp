#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "db/database.hpp"
#include "engine/config/config.hpp"

namespace glassworks { inline namespace scheduler {

/// Continuing a campaign relies on more than reading it.
enum class CheckedUse { reading, writing };

/// Mismatches between the tables and the stored configuration, one clause each: sizes, ladders and duplicate column
/// names; for writing also ladder stages and numbers of realizations. Columns of other versions are accepted
/// (stored_columns.hpp).
[[nodiscard]] std::vector<std::string> configuration_faults(const Database& database, CheckedUse use);

/// Throws std::runtime_error with one sentence if the sizes of a campaign are not those of its configuration.
void require_readable(const Database& database);

/// Throws std::runtime_error with one sentence if a campaign must not be continued: what is continued must be whole, or
/// results would be lost that could still be restored. Reads all rows of realizations, and checks the database as a
/// whole (Database::faults).
void require_whole(const Database& database);

}}  // namespace glassworks::scheduler
