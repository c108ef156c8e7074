#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "db/database.hpp"
#include "engine/config.hpp"

namespace glassworks::inline scheduler {

/// Throws InputError with every difference between the stored configuration and the given one that a campaign does not
/// allow.
void refuse_other_configuration(const std::filesystem::path& directory, const Config& stored, const Config& given);

/// Enters thresholds, maxima and numbers of realizations that were raised: realizations are added, and finished ones
/// are decided upon again, so that those which no longer pass are opened. Returns what was raised, for people.
///
/// alone  no other process works on the campaign; otherwise a change is refused with InputError
std::vector<std::string> amend_campaign(Database& database, const Config& stored, const Config& given, bool alone);

}  // namespace glassworks::inline scheduler
