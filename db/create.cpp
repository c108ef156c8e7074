#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "base/durable_file.hpp"
#include "db/impl.hpp"
#include "db/schema.hpp"
#include "engine/config/config.hpp"

namespace glassworks { inline namespace db {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t first_moment = 1;  // as the clock of a new database shows

constexpr std::chrono::seconds max_wait{10};  // a campaign is created in much less

/// Keeps a second process from creating a campaign in the same directory at the same time. Where the file system has
/// no such locks it does nothing.
class DirectoryLock {
 public:
  explicit DirectoryLock(const fs::path& directory)
      : descriptor_(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    const auto begin = std::chrono::steady_clock::now();
    while (descriptor_ >= 0 && ::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      if (std::chrono::steady_clock::now() - begin >= max_wait) {
        ::close(descriptor_);
        throw std::runtime_error(
            fmt::format("Cannot create a campaign in {} (another process keeps the directory locked). Wait for that "
                        "process or end it, then run again.",
                        directory.string()));
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;
  ~DirectoryLock() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

 private:
  int descriptor_;
};

void remove_database(const fs::path& file) {
  for (const char* suffix : {"", "-journal", "-wal", "-shm"}) {
    fs::path name = file;
    name += suffix;
    std::error_code ignored;
    fs::remove(name, ignored);
  }
}

void insert_campaign(SQLite::Database& database, const std::string& config) {
  SQLite::Statement insert(database,
                           "INSERT INTO campaign (id, config, created, version, checksum) "
                           "VALUES (1, ?, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ?, ?)");
  insert.bind(1, config);
  insert.bind(2, static_cast<std::int64_t>(db::migrations().size()));
  insert.bind(3, db::RowBytes().text(config).checksum());
  insert.exec();
}

/// Everything a new campaign holds. The database is closed, its log is gone, and its bytes are on the disk.
void build(const fs::path& file, const std::string& config, const std::vector<SizeEntry>& sizes) {
  {
    SQLite::Database database(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    database.exec(fmt::format("PRAGMA synchronous = FULL; PRAGMA application_id = {}", db::application_id));
    db::apply_migrations(file, database, db::migrations());
    database.exec("PRAGMA foreign_keys = ON");
    SQLite::Transaction transaction(database);
    insert_campaign(database, config);
    const auto first = static_cast<int>(stored_first_realization(config));
    for (const auto& [size, realizations] : sizes) {
      db::insert_size(database, size, realizations);
      db::insert_realizations(database, size.L, first, first + realizations, first_moment);
    }
    transaction.commit();
    database.exec("PRAGMA journal_mode = WAL");
  }
  sync_path(file);
}

}  // namespace

Database Database::create(const fs::path& file, const std::string& config_text, const std::vector<SizeRow>& sizes,
                          int realizations) {
  std::vector<SizeEntry> entries;
  for (const SizeRow& size : sizes) entries.push_back({size, realizations});
  return create(file, config_text, entries);
}

Database Database::create(const fs::path& file, const std::string& config_text, const std::vector<SizeEntry>& sizes) {
  if (sizes.empty() || std::ranges::any_of(sizes, [](const SizeEntry& entry) { return entry.realizations < 1; })) {
    throw std::invalid_argument("Database::create: a campaign needs a size and a realization");
  }
  const fs::path directory = file.has_parent_path() ? file.parent_path() : ".";
  if (!fs::is_directory(directory)) {
    throw std::runtime_error(fmt::format("Cannot create {} (there is no directory {}). Create it first.", file.string(),
                                         directory.string()));
  }
  const DirectoryLock lock(directory);
  if (fs::exists(file)) {
    throw std::runtime_error(
        fmt::format("Cannot create {} (it exists). Open it, or choose another campaign directory.", file.string()));
  }
  fs::path unfinished = file;
  unfinished += ".new";
  remove_database(unfinished);
  try {
    db::translated(file, [&] { build(unfinished, config_text, sizes); });
    rename_durably(unfinished, file);
  } catch (...) {
    remove_database(unfinished);
    throw;
  }
  return open(file, DatabaseAccess::read_write);
}

}}  // namespace glassworks::db
