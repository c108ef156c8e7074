#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <filesystem>
#include <memory>
#include <unordered_map>

#include "db/database.hpp"

namespace glassworks::db {

/// A prepared statement in use; reset when it goes, so that it holds neither a snapshot nor borrowed memory.
class Query {
 public:
  explicit Query(SQLite::Statement& statement) : statement_(&statement) {}
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;
  ~Query() {
    statement_->tryReset();
    statement_->clearBindings();
  }
  SQLite::Statement* operator->() { return statement_; }

 private:
  SQLite::Statement* statement_;
};

/// An open campaign database, with a cache of prepared statements. An older schema reads like the current one (views).
/// One thread at a time.
class Connection {
 public:
  Connection(std::filesystem::path file, DatabaseAccess access);

  /// The cached statement of an SQL literal (the key is its address), ready to bind. One use of each at a time.
  [[nodiscard]] Query query(const char* sql);

  /// Begins a transaction that writes: it waits for other writers here, and what it reads stays true until it ends.
  [[nodiscard]] SQLite::Transaction write_transaction();
  /// Begins a transaction that reads: all its queries see one snapshot.
  [[nodiscard]] SQLite::Transaction one_snapshot();

  [[nodiscard]] SQLite::Database& database() { return *database_; }
  [[nodiscard]] const std::filesystem::path& file() const { return file_; }

 private:
  std::filesystem::path file_;
  std::unique_ptr<SQLite::Database> database_;
  std::int64_t version_;                                           ///< of the schema, when it was opened
  std::unordered_map<const char*, SQLite::Statement> statements_;  // goes before the database
};

}  // namespace glassworks::db
