#include "db/log_copier.hpp"

#include <sqlite3.h>

#include <exception>
#include <optional>
#include <utility>

#include "db/connection.hpp"

namespace glassworks { inline namespace db {

LogCopier::LogCopier(std::filesystem::path database) : database_(std::move(database)) {}

LogCopier::~LogCopier() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
}

void LogCopier::committed(std::size_t rounds) {
  const std::lock_guard lock(mutex_);
  rounds_ += rounds;
  if (rounds_ < enough_rounds) return;
  if (!std::exchange(started_, true)) {
    try {
      thread_ = Thread([this](const std::stop_token& stop) { work(stop); });
    } catch (const std::exception&) {  // no more threads: the connections that write do it
    }
  }
  changed_.notify_one();
}

void LogCopier::work(const std::stop_token& stop) {
  std::optional<Connection> connection;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      if (!changed_.wait(lock, stop, [this] { return rounds_ >= enough_rounds; })) return;
      rounds_ = 0;
    }
    try {
      if (!connection) connection.emplace(database_, DatabaseAccess::read_write);
    } catch (const std::exception&) {  // who writes meets the same error and says so
      continue;
    }
    // Passive: waits for nobody, and nobody waits for it. What it cannot copy is left for the next time.
    sqlite3_wal_checkpoint_v2(connection->database().getHandle(), "main", SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
  }
}

}}  // namespace glassworks::db
