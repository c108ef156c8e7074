#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <optional>

#include "db/connection.hpp"

namespace glassworks { inline namespace db {

/// Write transaction of one member function, rolled back unless committed; a savepoint if the connection already has an
/// open transaction. Transactions must end in reverse order.
class WriteTransaction {
 public:
  /// The outermost one waits for other writers here; what it reads stays true until it ends.
  explicit WriteTransaction(Connection& connection);
  WriteTransaction(const WriteTransaction&) = delete;
  WriteTransaction& operator=(const WriteTransaction&) = delete;
  ~WriteTransaction();

  /// Of the outermost one: brings everything to stable storage. Throws if an error has undone it all meanwhile.
  void commit();

 private:
  void require_whole() const;
  void undo();

  Connection& connection_;
  bool outermost_;
  bool committed_ = false;
};

/// All queries in its life see one snapshot; within a write transaction that is what it has written.
class Snapshot {
 public:
  explicit Snapshot(Connection& connection);

 private:
  std::optional<SQLite::Transaction> transaction_;
};

}}  // namespace glassworks::db
