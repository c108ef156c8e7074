#pragma once

#include <cstdint>
#include <filesystem>

#include "db/connection.hpp"

namespace glassworks { inline namespace db {

/// Makes copies of a campaign's database for readers on other machines, which must not open the database itself while
/// it is written (db/FORMAT.md, status.sqlite). A copy has every table and reads like the campaign, but of `rounds` it
/// has only the latest ones of the first realizations of each size, without samples. One thread at a time.
class CampaignCopier {
 public:
  /// Realizations of each size whose latest round is copied (the first ones that have any).
  static constexpr int copied_realizations_per_size = 4;

  CampaignCopier(const std::filesystem::path& database, std::filesystem::path target);

  /// Replaces the target if anything was committed since the last copy, or if there is no target; one moment of the
  /// campaign, whole or not at all. Throws std::runtime_error.
  ///
  /// returns  whether there is a new one
  bool copy_if_changed();

 private:
  db::Connection source_;
  std::filesystem::path target_;
  std::int64_t copied_ = 0;  ///< PRAGMA data_version
};

/// Name of the copy inside a campaign directory.
inline constexpr const char* status_file_name = "status.sqlite";

}}  // namespace glassworks::db
