#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "db/database.hpp"
#include "engine/config/config.hpp"

namespace glassworks { inline namespace scheduler {

/// A configuration with which a campaign goes on.
struct Continuation {
  Config stored;  ///< of the campaign
  Config taken;   ///< with what was raised, and what is left to the campaign
  /// What the campaign raises with it.
  std::vector<ConfigChange> raised;
  /// Values given as before an earlier raise; the campaign keeps the raised value. "given -> present"
  std::vector<ConfigChange> kept;
};

/// How a campaign goes on with a configuration. Throws InputError with every difference from the stored one that a
/// campaign does not allow.
[[nodiscard]] Continuation plan_continuation(const Database& database, const Config& given);

/// Applies raised values, adds sizes and realizations, and judges finished realizations again: those that no longer
/// pass are reopened.
///
/// alone  no other process works on the campaign; otherwise a change is refused with InputError
void amend_campaign(Database& database, const Continuation& continuation, bool alone);

/// All sizes of a configuration, as a new campaign holds them.
[[nodiscard]] std::vector<SizeEntry> size_entries(const Config& config);

}}  // namespace glassworks::scheduler
