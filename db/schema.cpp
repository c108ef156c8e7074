#include "db/schema.hpp"

#include <fmt/format.h>

#include <array>
#include <stdexcept>

namespace glassworks::db {

namespace {

constexpr const char* version_1 = R"sql(
CREATE TABLE campaign (
  id       INTEGER PRIMARY KEY CHECK (id = 1),
  config   TEXT NOT NULL,
  created  TEXT NOT NULL,
  version  INTEGER NOT NULL,
  checksum INTEGER NOT NULL
) STRICT;

CREATE TABLE sizes (
  L            INTEGER PRIMARY KEY CHECK (L > 0),
  temperatures BLOB NOT NULL,
  observables  TEXT NOT NULL,
  realizations INTEGER NOT NULL CHECK (realizations > 0),
  checksum     INTEGER NOT NULL
) STRICT;

CREATE TABLE realizations (
  L             INTEGER NOT NULL REFERENCES sizes (L),
  realization   INTEGER NOT NULL CHECK (realization >= 0),
  status        TEXT NOT NULL
                CHECK (status IN ('queued', 'equilibrating', 'producing', 'converged', 'failed')),
  rounds        INTEGER NOT NULL CHECK (rounds >= 0),
  checkpoint    TEXT NOT NULL,
  state_digest  TEXT NOT NULL,
  round_trips   INTEGER NOT NULL,
  reason        TEXT NOT NULL,
  attempt       INTEGER NOT NULL CHECK (attempt >= 0),
  checksum      INTEGER NOT NULL,
  lease_owner   TEXT,
  lease_expires INTEGER,
  PRIMARY KEY (L, realization)
) STRICT, WITHOUT ROWID;

CREATE TABLE provenance (
  id            INTEGER PRIMARY KEY,
  version       TEXT NOT NULL,
  source_commit TEXT NOT NULL,
  compiler      TEXT NOT NULL,
  backend       TEXT NOT NULL,
  host          TEXT NOT NULL,
  checksum      INTEGER NOT NULL,
  UNIQUE (version, source_commit, compiler, backend, host)
) STRICT;

CREATE TABLE rounds (
  L                          INTEGER NOT NULL,
  realization                INTEGER NOT NULL,
  round                      INTEGER NOT NULL CHECK (round >= 0),
  attempt                    INTEGER NOT NULL,
  provenance                 INTEGER NOT NULL REFERENCES provenance (id),
  seconds                    REAL NOT NULL,
  measurements               INTEGER NOT NULL,
  slots                      INTEGER NOT NULL,
  observables                INTEGER NOT NULL,
  replicas                   INTEGER NOT NULL,
  checksum                   INTEGER NOT NULL,
  means                      BLOB NOT NULL,
  means_checksum             INTEGER NOT NULL,
  exchange_attempts          BLOB NOT NULL,
  exchange_attempts_checksum INTEGER NOT NULL,
  exchange_accepted          BLOB NOT NULL,
  exchange_accepted_checksum INTEGER NOT NULL,
  walk_up                    BLOB NOT NULL,
  walk_up_checksum           INTEGER NOT NULL,
  walk_down                  BLOB NOT NULL,
  walk_down_checksum         INTEGER NOT NULL,
  walk_mean                  BLOB NOT NULL,
  walk_mean_checksum         INTEGER NOT NULL,
  round_trips                BLOB NOT NULL,
  round_trips_checksum       INTEGER NOT NULL,
  PRIMARY KEY (L, realization, round),
  FOREIGN KEY (L, realization) REFERENCES realizations (L, realization)
) STRICT;
)sql";

constexpr std::array all_migrations{Migration{version_1}};

}  // namespace

std::span<const Migration> migrations() { return all_migrations; }

std::int64_t read_schema_version(SQLite::Database& database) {
  return database.execAndGet("PRAGMA user_version").getInt64();
}

void refuse_newer_schema(const std::filesystem::path& file, std::int64_t version, std::span<const Migration> known) {
  if (version <= static_cast<std::int64_t>(known.size())) return;
  throw std::runtime_error(
      fmt::format("Cannot open {} (it has schema version {}; this program knows up to {}). Use a newer version of the "
                  "program.",
                  file.string(), version, known.size()));
}

void apply_migrations(const std::filesystem::path& file, SQLite::Database& database, std::span<const Migration> known) {
  SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
  const std::int64_t version = read_schema_version(database);  // another process may have been first
  refuse_newer_schema(file, version, known);
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

}  // namespace glassworks::db
