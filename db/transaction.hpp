#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <optional>

#include "db/connection.hpp"

namespace glassworks { inline namespace db {

/// What one member writes, undone unless it is committed: a transaction of its own or, within another one of the same
/// connection, a part of that which can be undone alone. Transactions end in the reverse order of their beginning.
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
