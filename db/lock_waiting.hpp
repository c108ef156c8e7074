#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>

#include "db/database.hpp"

struct sqlite3;

namespace glassworks { inline namespace db {

/// How connections of this process wait while another process keeps a database locked. A process that writes holds the
/// lock for milliseconds; one that is stopped holds it until it goes on.
struct LockWaiting {
  /// Maximum wait of a writer; readers wait at most max_wait_of_readers.
  std::chrono::milliseconds max_wait{300'000};
  std::function<bool()> stop = {};  ///< returns true to end all waits a few seconds later; called from any thread
  std::function<void(const std::string& text)> note = {};  ///< gets a sentence while a wait is long, from any thread
};

/// For all connections, also those that are open. What `stop` and `note` refer to outlives all connections.
void set_lock_waiting(LockWaiting waiting);

/// Readers wait only for a process that recovers the log or holds the database exclusively.
constexpr std::chrono::milliseconds max_wait_of_readers{10'000};

/// After a stop was asked for, a wait goes on for this time: what is finished may still be committed.
constexpr std::chrono::milliseconds wait_after_stop{5'000};

/// Makes a connection wait as set_lock_waiting says, not longer.
void install_lock_waiting(sqlite3* connection, const std::filesystem::path& file, DatabaseAccess access);

/// "process 123 (glassworks), which is stopped": who keeps a database locked, or "another process" if nobody can tell.
[[nodiscard]] std::string lock_holder(const std::filesystem::path& file);

}}  // namespace glassworks::db
