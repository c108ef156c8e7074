#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "db/database.hpp"

namespace glassworks { inline namespace db {

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

/// URI of a file for SQLite, with parameters such as "mode=ro".
[[nodiscard]] std::string uri_of(const std::filesystem::path& file, std::string_view parameters);

/// An open campaign database, with a cache of prepared statements. An older schema reads like the current one (views).
/// One thread at a time.
class Connection {
 public:
  Connection(std::filesystem::path file, DatabaseAccess access);

  /// The cached statement of an SQL literal (the key is its address), ready to bind. One use of each at a time.
  [[nodiscard]] Query query(const char* sql);

  /// Throws if the database was opened for reading only.
  void require_writable();

  /// State of the transaction that writes; kept by WriteTransaction.
  struct Writing {
    bool open = false;
    bool lost = false;  ///< a part of it could not be undone: none of it may be committed
  };
  Writing writing;

  [[nodiscard]] SQLite::Database& database() { return *database_; }
  [[nodiscard]] const std::filesystem::path& file() const { return file_; }

 private:
  std::filesystem::path file_;
  std::int64_t version_ = 0;  ///< of the schema, when it was opened; set on opening
  std::unique_ptr<SQLite::Database> database_;
  std::unordered_map<const char*, SQLite::Statement> statements_;  // goes before the database
};

}}  // namespace glassworks::db
