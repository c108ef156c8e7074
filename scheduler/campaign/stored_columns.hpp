#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "db/database.hpp"
#include "engine/config/config.hpp"
#include "kernels/rounds/chain_observables.hpp"

namespace glassworks { inline namespace scheduler {

/// Names of what this version writes for each slot of a round of a size, in order.
struct WrittenColumns {
  std::vector<std::string> observables, samples;
};
[[nodiscard]] WrittenColumns written_columns(const Config& config, std::size_t size_index);

/// Where the observables of a stored size are in its bins, found by the names that are stored with them. The bins may
/// be those of another version.
[[nodiscard]] ChainObservables stored_observables(const Config& config, const SizeRow& size);

/// Sizes to which rounds of this version cannot be added, and whose rounds cannot be compared with its own by position:
/// why, as a clause, by L. Their columns are missing, unknown or in other places.
[[nodiscard]] std::map<int, std::string> column_differences(const Config& config, const std::vector<SizeRow>& sizes);

/// Throws std::runtime_error with one sentence if the columns of any size are not those of this version. All that reads
/// or writes bins by position relies on this check, which is made once, when a campaign is opened to be continued.
void require_written_columns(const Database& database, const Config& config);

}}  // namespace glassworks::scheduler
