#include "db/connection.hpp"

#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <stdexcept>
#include <utility>

#include "base/regular_file.hpp"
#include "db/errors.hpp"
#include "db/lock_waiting.hpp"
#include "db/schema.hpp"
#include "engine/config/config.hpp"

namespace glassworks { inline namespace db {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t smallest_file = 512;  // one page of the smallest size

/// SQLite counts its memory under a lock of the whole process, and nobody asks for the count.
void leave_memory_uncounted() {
  static const int refused_once_it_is_initialized = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  static_cast<void>(refused_once_it_is_initialized);
}

/// file  that the name means
std::unique_ptr<SQLite::Database> connect(const fs::path& file, const std::string& name, int flags,
                                          const char* vfs = nullptr) {
  leave_memory_uncounted();
  // One thread at a time uses a connection, so it needs no lock.
  auto database = std::make_unique<SQLite::Database>(name.c_str(), flags | SQLITE_OPEN_NOMUTEX, 0, vfs);
  const bool writes = (flags & SQLite::OPEN_READWRITE) != 0;
  install_lock_waiting(database->getHandle(), file, writes ? DatabaseAccess::read_write : DatabaseAccess::read_only);
  // Bytes from a damaged or hostile file are checked before they are used.
  database->exec("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON");
  return database;
}

/// First real read: locks, write-ahead log and header are looked at here, not when the file is opened.
void touch(SQLite::Database& database) { database.execAndGet("SELECT count(*) FROM sqlite_schema"); }

/// Opens a database that nobody can write where it lies, so that the files SQLite shares between processes cannot be
/// made: without locks, and with the write-ahead log, if there is one, indexed in memory.
std::unique_ptr<SQLite::Database> connect_unshared(const fs::path& file) {
  fs::path log = file;
  log += "-wal";
  std::error_code missing;
  const auto log_size = fs::file_size(log, missing);
  std::unique_ptr<SQLite::Database> database;
  if (missing || log_size == 0) {
    database = connect(file, uri_of(file, "immutable=1"), SQLite::OPEN_READONLY | SQLite::OPEN_URI);
  } else {
    database = connect(file, file.string(), SQLite::OPEN_READONLY, "unix-none");
    database->exec("PRAGMA locking_mode = EXCLUSIVE");
  }
  touch(*database);
  return database;
}

std::unique_ptr<SQLite::Database> connect_read_only(const fs::path& file) {
  try {
    auto database = connect(file, file.string(), SQLite::OPEN_READONLY);
    touch(*database);
    return database;
  } catch (const SQLite::Exception& error) {
    const int code = error.getErrorCode() & 0xff;
    if (code != SQLITE_CANTOPEN && code != SQLITE_READONLY) throw;
  }
  return connect_unshared(file);
}

void check_application(const fs::path& file, SQLite::Database& database) {
  const auto id = database.execAndGet("PRAGMA application_id").getInt64();
  if (id == application_id) return;
  throw InputError(
      InputFault::unusable_file, file.string(),
      fmt::format("Cannot open {} (it is a database, but not of a campaign: application id {:#x}). Check the campaign "
                  "directory.",
                  file.string(), id));
}

void refuse_read_only(SQLite::Database& database) {
  if (sqlite3_db_readonly(database.getHandle(), "main") != 1) return;
  throw SQLite::Exception("attempt to write a readonly database", SQLITE_READONLY);
}

void prepare_writing(const fs::path& file, SQLite::Database& database) {
  refuse_read_only(database);
  // The log and its index stay when the last writer leaves: a reader then never has to create them.
  int keep = 1;
  sqlite3_file_control(database.getHandle(), "main", SQLITE_FCNTL_PERSIST_WAL, &keep);
  database.exec("PRAGMA journal_size_limit = 67108864; PRAGMA synchronous = FULL");
  // The log goes into the database after 32 MiB, not 4: a page that many transactions write goes there once. A
  // transaction of a thousand rounds or two stays in memory until it is committed.
  database.exec("PRAGMA wal_autocheckpoint = 8192; PRAGMA cache_size = -24576");
  const std::string mode = database.execAndGet("PRAGMA journal_mode = WAL").getString();
  if (mode != "wal") {
    throw std::runtime_error(fmt::format(
        "Cannot write {} (its file system does not support a write-ahead log: mode {}). Use a local file system.",
        file.string(), mode));
  }
  if (read_schema_version(database) != static_cast<std::int64_t>(migrations().size())) {
    apply_migrations(file, database, migrations());
  }
  database.exec("PRAGMA foreign_keys = ON");
}

/// Refuses files that SQLite would create, or take for an empty database.
void check_file(const fs::path& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  std::string reason;
  if (!fs::exists(status)) {
    reason = fs::status_known(status) ? "there is no such file" : error.message();
  } else if (!fs::is_regular_file(status)) {
    reason = "it is not a regular file";
  } else if (const auto size = fs::file_size(file, error); size < smallest_file) {
    reason = fmt::format("it is not a database: it has {} bytes", size);
  }
  if (reason.empty()) return;
  throw InputError(
      InputFault::unusable_file, file.string(),
      fmt::format("Cannot open {} ({}). Check the campaign directory, or restore the file.", file.string(), reason));
}

/// SQLite opens what lies beside its database under these names, whatever it is, and would wait at a FIFO for ever.
void check_companions(const fs::path& file) {
  std::error_code error;
  const fs::path real = fs::canonical(file, error);
  for (const char* suffix : {"-journal", "-wal", "-shm"}) {
    const std::string name = real.string() + suffix;
    struct stat status {};
    if (error || lstat(name.c_str(), &status) != 0) continue;
    const std::string reason = why_not_regular(status.st_mode);
    if (reason.empty()) continue;
    throw std::runtime_error(
        fmt::format("Cannot open {} (its companion {} is none of the database's: {}). Move that out of the way.",
                    file.string(), name, reason));
  }
}

/// version  out: of the schema that is read from now on
std::unique_ptr<SQLite::Database> open_checked(const fs::path& file, DatabaseAccess access, std::int64_t& version) {
  check_file(file);
  check_companions(file);
  const bool writing = access == DatabaseAccess::read_write;
  auto database = writing ? connect(file, file.string(), SQLite::OPEN_READWRITE) : connect_read_only(file);
  check_application(file, *database);
  SchemaFaults faults;
  {
    const SQLite::Transaction snapshot(*database);  // another process may be bringing the schema up to date
    version = read_schema_version(*database);
    refuse_other_schema(file, version, migrations());
    faults = schema_faults(*database, version, migrations());
  }
  // Whatever else is there does not concern those who only read.
  if (!faults.of_its_objects.empty()) throw_damage(file, faults.of_its_objects.front());
  if (writing && !faults.of_others.empty()) throw_damage(file, faults.of_others.front());
  if (writing) {
    prepare_writing(file, *database);
    version = static_cast<std::int64_t>(migrations().size());
  } else {
    add_views(*database, version, migrations());
  }
  return database;
}

}  // namespace

std::string uri_of(const fs::path& file, std::string_view parameters) {
  std::string uri = "file:";
  for (const char c : fs::absolute(file).string()) {
    if (c == '?' || c == '#' || c == '%') {
      uri += fmt::format("%{:02x}", static_cast<unsigned>(c));
    } else {
      uri += c;
    }
  }
  return uri + '?' + std::string(parameters);
}

Connection::Connection(fs::path file, DatabaseAccess access)
    : file_(std::move(file)), database_(translated(file_, [&] { return open_checked(file_, access, version_); })) {}

Query Connection::query(const char* sql) {
  if (version_ < static_cast<std::int64_t>(migrations().size()) && read_schema_version(*database_) != version_) {
    throw std::runtime_error(
        fmt::format("Cannot continue reading {} (another program has migrated it to a newer schema). Open it again.",
                    file_.string()));
  }
  auto found = statements_.find(sql);
  if (found == statements_.end()) found = statements_.emplace(sql, SQLite::Statement(*database_, sql)).first;
  return Query(found->second);
}

void Connection::require_writable() { refuse_read_only(*database_); }

}}  // namespace glassworks::db
