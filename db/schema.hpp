#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace glassworks { inline namespace db {

/// PRAGMA application_id of every campaign database: "GLAS".
constexpr std::int64_t application_id = 0x474C4153;

/// Takes the schema from the version before it (position in the list) to the next; `sql` is never changed once
/// released. Both texts may call row_checksum(value, ...), the checksum of a row with these values (RowBytes).
struct Migration {
  std::string sql;
  /// Temporary views through which a database of the version before reads as one of the newest; the file is not
  /// touched. These change with the newest version.
  std::string views = {};
};

/// All migrations, oldest first; the schema version (PRAGMA user_version) is the number of them that were applied.
[[nodiscard]] std::span<const Migration> migrations();

[[nodiscard]] std::int64_t read_schema_version(SQLite::Database& database);

/// Throws one sentence if there is no such version, or if the file is newer than this program.
void refuse_other_schema(const std::filesystem::path& file, std::int64_t version, std::span<const Migration> known);

/// Brings a database up to date in one transaction: all missing migrations and the new version, or nothing.
/// Foreign keys must still be off, so that a migration may rebuild tables; they are checked at the end.
void apply_migrations(const std::filesystem::path& file, SQLite::Database& database, std::span<const Migration> known);

/// How the tables, indexes, triggers and views of a database differ from what the migrations make, as clauses.
struct SchemaFaults {
  std::vector<std::string> of_its_objects;  ///< missing or different ones
  std::vector<std::string> of_others;       ///< that no migration makes
};

/// version  of the schema, one that there is
[[nodiscard]] SchemaFaults schema_faults(SQLite::Database& database, std::int64_t version,
                                         std::span<const Migration> known);

/// Lets a connection that may not write read a database of an older version.
void add_views(SQLite::Database& database, std::int64_t version, std::span<const Migration> known);

}}  // namespace glassworks::db
