#include <string>
#include <vector>

#include "db/schema.hpp"

namespace glassworks { inline namespace db {

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

/// Rows of version 1 as version 2 has them. A row that does not match its old checksum does not match the new one.
constexpr const char* sizes_of_version_1 = R"sql(
SELECT
  L, temperatures, observables, realizations, 0 AS adapting,
  CASE WHEN checksum = row_checksum(L, temperatures, observables, realizations)
       THEN row_checksum(L, temperatures, observables, realizations, 0)
       ELSE ~row_checksum(L, temperatures, observables, realizations, 0) END AS checksum,
  0 AS claim
FROM main.sizes
)sql";

constexpr const char* realizations_of_version_1 = R"sql(
SELECT
  L, realization, status, rounds, checkpoint, state_digest, round_trips, reason, attempt,
  '' AS previous_checkpoint, '' AS previous_digest, 0.0 AS tau, 0 AS equilibration_rounds, 0 AS expected_rounds,
  0 AS failures,
  CASE WHEN checksum =
            row_checksum(L, realization, status, rounds, checkpoint, state_digest, round_trips, reason, attempt)
       THEN row_checksum(L, realization, status, rounds, checkpoint, state_digest, round_trips, reason, attempt,
                         '', '', 0.0, 0, 0, 0)
       ELSE ~row_checksum(L, realization, status, rounds, checkpoint, state_digest, round_trips, reason, attempt,
                          '', '', 0.0, 0, 0, 0) END AS checksum,
  0 AS worker, 1 AS sequence
FROM main.realizations
)sql";

constexpr const char* tables_of_version_2 = R"sql(
CREATE TABLE sizes_2 (
  L            INTEGER PRIMARY KEY CHECK (L > 0),
  temperatures BLOB NOT NULL,
  observables  TEXT NOT NULL,
  realizations INTEGER NOT NULL CHECK (realizations > 0),
  adapting     INTEGER NOT NULL CHECK (adapting IN (0, 1)),
  checksum     INTEGER NOT NULL,
  claim        INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE realizations_2 (
  L                    INTEGER NOT NULL REFERENCES sizes (L),
  realization          INTEGER NOT NULL CHECK (realization >= 0),
  status               TEXT NOT NULL CHECK (status IN ('queued', 'equilibrating', 'producing', 'converged', 'failed',
                                                       'quarantined')),
  rounds               INTEGER NOT NULL CHECK (rounds >= 0),
  checkpoint           TEXT NOT NULL,
  state_digest         TEXT NOT NULL,
  round_trips          INTEGER NOT NULL,
  reason               TEXT NOT NULL,
  attempt              INTEGER NOT NULL CHECK (attempt >= 0),
  previous_checkpoint  TEXT NOT NULL,
  previous_digest      TEXT NOT NULL,
  tau                  REAL NOT NULL,
  equilibration_rounds INTEGER NOT NULL CHECK (equilibration_rounds >= 0),
  expected_rounds      INTEGER NOT NULL CHECK (expected_rounds >= 0),
  failures             INTEGER NOT NULL CHECK (failures >= 0),
  checksum             INTEGER NOT NULL,
  worker               INTEGER NOT NULL DEFAULT 0,
  sequence             INTEGER NOT NULL,
  PRIMARY KEY (L, realization)
) STRICT, WITHOUT ROWID;

CREATE TABLE clock (
  id       INTEGER PRIMARY KEY CHECK (id = 1),
  sequence INTEGER NOT NULL
) STRICT;
INSERT INTO clock VALUES (1, 1);

CREATE TABLE workers (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  host          TEXT NOT NULL,
  backend       TEXT NOT NULL,
  pid           INTEGER NOT NULL,
  process_start INTEGER NOT NULL,
  started       INTEGER NOT NULL,
  heartbeat     INTEGER NOT NULL,
  expires       INTEGER NOT NULL,
  rounds        INTEGER NOT NULL,
  updates       REAL NOT NULL,
  checksum      INTEGER NOT NULL
) STRICT;

CREATE TABLE ladder_stages (
  L                 INTEGER NOT NULL REFERENCES sizes (L),
  stage             INTEGER NOT NULL CHECK (stage >= 0),
  pilots            INTEGER NOT NULL,
  measurements      INTEGER NOT NULL,
  temperatures      BLOB NOT NULL,
  exchange_attempts BLOB NOT NULL,
  exchange_accepted BLOB NOT NULL,
  walk_up           BLOB NOT NULL,
  walk_down         BLOB NOT NULL,
  round_trips       INTEGER NOT NULL,
  checkpoints       TEXT NOT NULL,
  checksum          INTEGER NOT NULL,
  PRIMARY KEY (L, stage)
) STRICT;

CREATE TABLE amendments (
  id       INTEGER PRIMARY KEY,
  time     TEXT NOT NULL,
  change   TEXT NOT NULL,
  checksum INTEGER NOT NULL
) STRICT;
)sql";

constexpr const char* replace_by_version_2 = R"sql(
DROP TABLE realizations;
DROP TABLE sizes;
ALTER TABLE sizes_2 RENAME TO sizes;
ALTER TABLE realizations_2 RENAME TO realizations;
CREATE INDEX realizations_by_sequence ON realizations (sequence);
CREATE INDEX realizations_by_worker ON realizations (worker) WHERE worker != 0;
)sql";

std::string version_2() {
  return std::string(tables_of_version_2) + "INSERT INTO sizes_2 " + sizes_of_version_1 +
         ";INSERT INTO realizations_2 " + realizations_of_version_1 + ";" + replace_by_version_2;
}

/// Rounds without samples, and sizes without names of samples, keep the checksums they have: neither is in them. The
/// default of samples_checksum is XXH3-64 of nothing. The blob comes last, so that a reader that skips it reads none of
/// its pages.
constexpr const char* version_3 = R"sql(
ALTER TABLE sizes ADD COLUMN sample_names TEXT NOT NULL DEFAULT '';
ALTER TABLE rounds ADD COLUMN samples_per_slot INTEGER NOT NULL DEFAULT 0 CHECK (samples_per_slot >= 0);
ALTER TABLE rounds ADD COLUMN samples_checksum INTEGER NOT NULL DEFAULT 3244421341483603138;
ALTER TABLE rounds ADD COLUMN samples BLOB NOT NULL DEFAULT x'';
)sql";

/// Columns of a realization that the checksum of version 3 covers.
#define GLASSWORKS_COLUMNS_OF_VERSION_3                                                                           \
  "L, realization, status, rounds, checkpoint, state_digest, round_trips, reason, attempt, previous_checkpoint, " \
  "previous_digest, tau, equilibration_rounds, expected_rounds, failures"

/// The checksum of version 4 for a row of version 3, whose newest checkpoint is that of its last round.
#define GLASSWORKS_CHECKSUM_FROM_VERSION_3                             \
  "CASE WHEN checksum = row_checksum(" GLASSWORKS_COLUMNS_OF_VERSION_3 \
  ") THEN row_checksum(" GLASSWORKS_COLUMNS_OF_VERSION_3               \
  ", state_digest) ELSE ~row_checksum(" GLASSWORKS_COLUMNS_OF_VERSION_3 ", state_digest) END"

constexpr const char* version_4 =
    "ALTER TABLE realizations ADD COLUMN checkpoint_digest TEXT NOT NULL DEFAULT '';"
    "UPDATE realizations SET checkpoint_digest = state_digest, checksum = " GLASSWORKS_CHECKSUM_FROM_VERSION_3 ";";

/// Realizations as version 4 has them, of a table as version 3 has it.
std::string realizations_from_version_3(const std::string& table) {
  return "CREATE TEMP VIEW realizations AS SELECT " GLASSWORKS_COLUMNS_OF_VERSION_3
         ", " GLASSWORKS_CHECKSUM_FROM_VERSION_3
         " AS checksum, worker, sequence, state_digest AS checkpoint_digest FROM " +
         table + ";";
}

/// Rows without samples as version 3 has them.
constexpr const char* rounds_without_samples = R"sql(
CREATE TEMP VIEW rounds AS
SELECT *, 0 AS samples_per_slot, 3244421341483603138 AS samples_checksum, x'' AS samples FROM main.rounds;
)sql";

std::string version_1_views() {
  return std::string("CREATE TEMP VIEW sizes AS SELECT *, '' AS sample_names FROM (") + sizes_of_version_1 + ");" +
         realizations_from_version_3(std::string("(") + realizations_of_version_1 + ")") + rounds_without_samples +
         R"sql(
CREATE TEMP VIEW clock AS SELECT 1 AS id, 1 AS sequence;
CREATE TEMP VIEW workers AS SELECT 0 AS id, '' AS host, '' AS backend, 0 AS pid, 0 AS process_start, 0 AS started,
  0 AS heartbeat, 0 AS expires, 0 AS rounds, 0.0 AS updates, 0 AS checksum WHERE 0;
CREATE TEMP VIEW ladder_stages AS SELECT 0 AS L, 0 AS stage, 0 AS pilots, 0 AS measurements, x'' AS temperatures,
  x'' AS exchange_attempts, x'' AS exchange_accepted, x'' AS walk_up, x'' AS walk_down, 0 AS round_trips,
  '' AS checkpoints, 0 AS checksum WHERE 0;
CREATE TEMP VIEW amendments AS SELECT 0 AS id, '' AS time, '' AS change, 0 AS checksum WHERE 0;
)sql";
}

std::string version_2_views() {
  return std::string("CREATE TEMP VIEW sizes AS SELECT *, '' AS sample_names FROM main.sizes;") +
         realizations_from_version_3("main.realizations") + rounds_without_samples;
}

}  // namespace

std::span<const Migration> migrations() {
  static const std::vector<Migration> all{
      {.sql = version_1},
      {.sql = version_2(), .views = version_1_views()},
      {.sql = version_3, .views = version_2_views()},
      {.sql = version_4, .views = realizations_from_version_3("main.realizations")}};
  return all;
}

}}  // namespace glassworks::db
