#include "db/schema.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "db/errors.hpp"
#include "db/row.hpp"
#include "engine/config/config.hpp"

namespace glassworks { inline namespace db {

namespace {

/// SQL function row_checksum(value, ...).
void row_checksum(sqlite3_context* context, int count, sqlite3_value** values) {
  RowBytes bytes;
  for (int i = 0; i < count; ++i) {
    sqlite3_value* value = values[i];
    switch (sqlite3_value_type(value)) {
      case SQLITE_INTEGER:
        bytes.number(sqlite3_value_int64(value));
        break;
      case SQLITE_FLOAT:
        bytes.real(sqlite3_value_double(value));
        break;
      case SQLITE_TEXT:
      case SQLITE_BLOB: {
        const auto* data = static_cast<const std::byte*>(sqlite3_value_blob(value));
        bytes.blob({data, static_cast<std::size_t>(sqlite3_value_bytes(value))});
        break;
      }
      default:
        sqlite3_result_error(context, "row_checksum: a value is missing", -1);
        return;
    }
  }
  sqlite3_result_int64(context, bytes.checksum());
}

void add_row_checksum(SQLite::Database& database) {
  const int code = sqlite3_create_function_v2(database.getHandle(), "row_checksum", -1,
                                              SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, nullptr,
                                              row_checksum, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) throw SQLite::Exception(database.getHandle(), code);
}

/// Definitions of "table NAME", "index NAME" and so on, without what versions of SQLite write differently. Statistics
/// for SQLite's planner, which a tool may have left, change no results.
std::map<std::string, std::string> objects_of(SQLite::Database& database) {
  std::map<std::string, std::string> objects;
  SQLite::Statement select(database,
                           "SELECT type, name, tbl_name, coalesce(sql, '') FROM main.sqlite_schema "
                           "WHERE tbl_name NOT IN ('sqlite_stat1', 'sqlite_stat3', 'sqlite_stat4')");
  while (select.executeStep()) {
    std::string definition = select.getColumn(2).getString() + ':' + select.getColumn(3).getString();
    std::erase_if(definition, [](char c) { return c == ' ' || c == '\n' || c == '"'; });
    const std::string name = select.getColumn(0).getString() + ' ' + select.getColumn(1).getString();
    if (!objects.emplace(name, definition).second) objects.emplace("second " + name, definition);
  }
  return objects;
}

}  // namespace

std::int64_t read_schema_version(SQLite::Database& database) {
  return database.execAndGet("PRAGMA user_version").getInt64();
}

void refuse_other_schema(const std::filesystem::path& file, std::int64_t version, std::span<const Migration> known) {
  if (version < 1) {
    throw_damage(file, fmt::format("it has schema version {}, and the first one was 1", version));
  }
  if (version <= static_cast<std::int64_t>(known.size())) return;
  throw InputError(
      InputFault::unsupported, file.string(),
      fmt::format("Cannot open {} (it has schema version {}; this program reads up to {}). Use a newer version of the "
                  "program.",
                  file.string(), version, known.size()));
}

void apply_migrations(const std::filesystem::path& file, SQLite::Database& database, std::span<const Migration> known) {
  add_row_checksum(database);
  SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
  const std::int64_t version = read_schema_version(database);   // another process may have been first
  if (version != 0) refuse_other_schema(file, version, known);  // 0: there are no tables yet
  for (const Migration& migration : known.subspan(static_cast<std::size_t>(version))) database.exec(migration.sql);
  SQLite::Statement violation(database, "PRAGMA foreign_key_check");
  if (violation.executeStep()) {
    throw std::runtime_error(
        fmt::format("Cannot bring {} to schema version {} (a row of table {} refers to a missing "
                    "row). Restore the database from a copy.",
                    file.string(), known.size(), violation.getColumn(0).getString()));
  }
  violation.reset();
  database.exec(fmt::format("PRAGMA user_version = {}", known.size()));
  transaction.commit();
}

SchemaFaults schema_faults(SQLite::Database& database, std::int64_t version, std::span<const Migration> known) {
  SQLite::Database model(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
  apply_migrations(":memory:", model, known.first(static_cast<std::size_t>(version)));
  const std::map<std::string, std::string> expected = objects_of(model), found = objects_of(database);
  SchemaFaults faults;
  for (const auto& [name, definition] : expected) {
    const auto object = found.find(name);
    if (object == found.end()) {
      faults.of_its_objects.push_back(fmt::format("{} is missing", name));
    } else if (object->second != definition) {
      faults.of_its_objects.push_back(fmt::format("{} is not defined as in schema version {}", name, version));
    }
  }
  for (const auto& [name, definition] : found) {
    if (!expected.contains(name)) faults.of_others.push_back(fmt::format("{} is not of a campaign", in_one_line(name)));
  }
  return faults;
}

void add_views(SQLite::Database& database, std::int64_t version, std::span<const Migration> known) {
  add_row_checksum(database);
  database.exec("PRAGMA temp_store = MEMORY");
  if (version < static_cast<std::int64_t>(known.size())) database.exec(known[static_cast<std::size_t>(version)].views);
}

}}  // namespace glassworks::db
