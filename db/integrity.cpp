#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>

#include "db/impl.hpp"
#include "db/schema.hpp"

namespace glassworks { inline namespace db {

namespace {

/// A database up to this size is checked as a whole before it is written, which takes a second at most.
constexpr std::int64_t small_database = 64 << 20;  // [bytes]

/// Tables and their indexes that do not grow with the number of rounds.
constexpr std::array<const char*, 8> small_tables{"campaign", "sizes",         "realizations", "clock",
                                                  "workers",  "ladder_stages", "amendments",   "provenance"};

std::string text_of(const SQLite::Column& column) { return db::in_one_line(column.getString()); }

/// The first thing that SQLite finds wrong.
void add_integrity_fault(SQLite::Database& database, const std::string& pragma, std::vector<std::string>& faults) {
  SQLite::Statement check(database, pragma);
  if (!check.executeStep()) return;
  std::string text = check.getColumn(0).getString();
  if (text == "ok") return;
  constexpr std::string_view heading = "*** in database main ***\n";
  if (text.starts_with(heading)) text.erase(0, heading.size());
  faults.push_back("its file is damaged: " + db::in_one_line(text.substr(0, text.find('\n'))));
}

std::int64_t bytes_of(SQLite::Database& database) {
  return database.execAndGet("PRAGMA page_count").getInt64() * database.execAndGet("PRAGMA page_size").getInt64();
}

/// For every row of a query, the fault that it tells of: format(first column, second column, ...).
struct RowCheck {
  const char* sql;
  const char* fault;
};

/// Rows that no reader asks for, because nothing refers to them.
constexpr std::array row_checks{
    RowCheck{"SELECT L, stage FROM ladder_stages WHERE L NOT IN (SELECT L FROM sizes) LIMIT 1",
             "table ladder_stages has a row of L = {}, stage {}, and table sizes no such L"},
    RowCheck{"SELECT count(*), 1 FROM campaign HAVING count(*) != 1", "table campaign has {} rows instead of {}"},
    RowCheck{"SELECT count(*), 1 FROM clock HAVING count(*) != 1", "table clock has {} rows instead of {}"},
    RowCheck{"SELECT max(r.sequence), c.sequence FROM realizations r, clock c HAVING max(r.sequence) > c.sequence",
             "table realizations has a row of moment {}, and table clock has only come to {}"},
    RowCheck{"SELECT min(sequence), 1 FROM realizations HAVING min(sequence) < 1",
             "table realizations has a row of moment {}, and the first one was {}"}};

/// Rounds are read from the first one on.
constexpr RowCheck check_before_first{"SELECT L, realization FROM rounds WHERE round < 0 LIMIT 1",
                                      "table rounds has a round of L = {}, realization {} before the first one"};

/// ?1: number of the first realization.
constexpr RowCheck check_of_sizes{
    "SELECT r.L, r.realization FROM realizations r LEFT JOIN sizes s ON s.L = r.L "
    "WHERE s.L IS NULL OR r.realization NOT BETWEEN ?1 AND ?1 + s.realizations - 1 LIMIT 1",
    "table realizations has a row of L = {}, realization {}, which table sizes does not have"};

void add_row_fault(SQLite::Database& database, const RowCheck& check, std::vector<std::string>& faults,
                   std::optional<std::uint32_t> first = std::nullopt) {
  SQLite::Statement found(database, check.sql);
  if (first) found.bind(1, *first);
  if (!found.executeStep()) return;
  faults.push_back(fmt::format(fmt::runtime(check.fault), text_of(found.getColumn(0)), text_of(found.getColumn(1))));
}

/// Rows of `rounds` are counted by their index, which is hardly a hundredth of the table.
constexpr const char* count_rounds =
    "SELECT b.L, b.realization, b.n, b.first, b.last, r.rounds FROM "
    "(SELECT L, realization, count(*) AS n, min(round) AS first, max(round) AS last FROM rounds GROUP BY L, "
    "realization) "
    "b LEFT JOIN realizations r ON r.L = b.L AND r.realization = b.realization "
    "WHERE r.rounds IS NULL OR r.rounds != b.n OR b.first != 0 OR b.last != b.n - 1 LIMIT 1";
constexpr const char* count_missing_rounds =
    "SELECT r.L, r.realization, r.rounds FROM realizations r WHERE r.rounds > 0 AND NOT EXISTS "
    "(SELECT 1 FROM rounds b WHERE b.L = r.L AND b.realization = r.realization) LIMIT 1";

void add_round_faults(SQLite::Database& database, std::vector<std::string>& faults) {
  SQLite::Statement counted(database, count_rounds);
  if (counted.executeStep()) {
    faults.push_back(
        fmt::format("table rounds has {} rounds ({} to {}) of L = {}, realization {}, and table realizations {}",
                    text_of(counted.getColumn(2)), text_of(counted.getColumn(3)), text_of(counted.getColumn(4)),
                    text_of(counted.getColumn(0)), text_of(counted.getColumn(1)),
                    counted.getColumn(5).isNull() ? "no such row" : "counts " + text_of(counted.getColumn(5))));
  }
  SQLite::Statement missing(database, count_missing_rounds);
  if (missing.executeStep()) {
    faults.push_back(
        fmt::format("table rounds has no rounds of L = {}, realization {}, and table realizations counts {}",
                    text_of(missing.getColumn(0)), text_of(missing.getColumn(1)), text_of(missing.getColumn(2))));
  }
}

/// Rounds tell of their provenance themselves, each with its number.
void add_reference_fault(SQLite::Database& database, std::vector<std::string>& faults) {
  SQLite::Statement violation(database, "PRAGMA main.foreign_key_check");
  while (violation.executeStep()) {
    const std::string table = text_of(violation.getColumn(0)), parent = text_of(violation.getColumn(2));
    if (table == "rounds" && parent == "provenance") continue;
    faults.push_back(fmt::format("a row of table {} refers to a row of table {} that is missing", table, parent));
    return;
  }
}

}  // namespace

std::vector<std::string> Database::faults(CheckDepth depth) const {
  return db::translated(impl_->file(), [&] {
    const db::Snapshot snapshot(impl_->connection);
    SQLite::Database& database = impl_->connection.database();
    std::vector<std::string> faults;
    if (depth == CheckDepth::all || bytes_of(database) <= small_database) {
      add_integrity_fault(database, "PRAGMA main.integrity_check(1)", faults);
    } else {
      for (const char* table : small_tables) {
        if (!database.tableExists(table)) continue;  // an earlier version of the schema has fewer
        add_integrity_fault(database, fmt::format("PRAGMA main.integrity_check({})", table), faults);
      }
    }
    if (!faults.empty()) return faults;  // what else is asked could be answered wrongly
    add_row_fault(database, check_of_sizes, faults, impl_->first_realization());
    for (const RowCheck& check : row_checks) add_row_fault(database, check, faults);
    if (depth == CheckDepth::all) {
      add_row_fault(database, check_before_first, faults);
      add_reference_fault(database, faults);
    } else {
      add_round_faults(database, faults);
    }
    const auto version = db::read_schema_version(database);
    for (std::string& fault : db::schema_faults(database, version, db::migrations()).of_others) {
      faults.push_back(std::move(fault));
    }
    return faults;
  });
}

std::vector<RealizationRow> Database::leases_without_worker() const {
  return db::translated(impl_->file(), [&] {
    const db::Snapshot snapshot(impl_->connection);
    std::vector<RealizationKey> keys;
    {
      auto query = impl_->connection.query(
          "SELECT L, realization FROM realizations NOT INDEXED WHERE worker != 0 AND worker NOT IN "
          "(SELECT id FROM workers) ORDER BY L, realization");
      while (query->executeStep()) keys.push_back({query->getColumn(0).getInt(), query->getColumn(1).getUInt()});
    }
    std::vector<RealizationRow> rows;
    for (const RealizationKey key : keys) rows.push_back(impl_->realization(key));
    return rows;
  });
}

}}  // namespace glassworks::db
