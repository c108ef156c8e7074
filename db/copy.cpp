#include "db/copy.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <memory>
#include <span>
#include <utility>

#include "base/durable_file.hpp"
#include "db/errors.hpp"
#include "db/schema.hpp"

namespace glassworks { inline namespace db {

namespace {

namespace fs = std::filesystem;

/// Raw numbers of the latest rounds of the first realizations of one size.
constexpr const char* copy_latest_rounds =
    "INSERT INTO rounds SELECT b.* FROM (SELECT L, realization, rounds FROM source.realizations WHERE L = ? AND rounds "
    "> 0 ORDER BY realization LIMIT ?) r JOIN source.rounds b ON b.L = r.L AND b.realization = r.realization AND "
    "b.round = r.rounds - 1";

void copy_rounds(SQLite::Database& copy) {
  SQLite::Statement size(copy, "SELECT L FROM sizes");
  SQLite::Statement latest(copy, copy_latest_rounds);
  while (size.executeStep()) {
    latest.bind(1, size.getColumn(0).getInt());
    latest.bind(2, CampaignCopier::copied_realizations_per_size);
    latest.exec();
    latest.reset();
  }
  copy.exec("UPDATE rounds SET samples = x''");
}

/// The campaign as it is at one moment, in memory.
void copy_tables(const fs::path& file, SQLite::Database& copy) {
  copy.exec(fmt::format("PRAGMA application_id = {}", db::application_id));
  db::apply_migrations(file, copy, db::migrations());
  SQLite::Statement attach(copy, "ATTACH ? AS source");
  attach.bind(1, db::uri_of(file, "mode=ro"));
  attach.exec();
  SQLite::Transaction snapshot(copy);
  for (const char* table :
       {"campaign", "sizes", "realizations", "clock", "workers", "ladder_stages", "amendments", "provenance"}) {
    copy.exec(fmt::format("DELETE FROM {0}; INSERT INTO {0} SELECT * FROM source.{0}", table));
  }
  copy_rounds(copy);
  snapshot.commit();
}

void publish(SQLite::Database& copy, const fs::path& target) {
  sqlite3_int64 size = 0;
  const std::unique_ptr<unsigned char, decltype(&sqlite3_free)> bytes(
      sqlite3_serialize(copy.getHandle(), "main", &size, 0), sqlite3_free);
  if (!bytes) throw SQLite::Exception("no memory for a copy", SQLITE_NOMEM);
  DurableFile file(target);
  file.append(std::as_bytes(std::span(bytes.get(), static_cast<std::size_t>(size))));
  file.publish();
}

}  // namespace

CampaignCopier::CampaignCopier(const fs::path& database, fs::path target)
    : source_(database, DatabaseAccess::read_only), target_(std::move(target)) {}

bool CampaignCopier::copy_if_changed() {
  return db::translated(source_.file(), [&] {
    const std::int64_t version = source_.database().execAndGet("PRAGMA data_version").getInt64();
    std::error_code unknown;
    if (version == copied_ && fs::exists(target_, unknown)) return false;
    SQLite::Database copy(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE | SQLite::OPEN_URI);
    copy_tables(source_.file(), copy);
    publish(copy, target_);
    copied_ = version;
    return true;
  });
}

}}  // namespace glassworks::db
