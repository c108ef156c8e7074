#include "db/transaction.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <stdexcept>

namespace glassworks { inline namespace db {

namespace {

bool has_transaction(Connection& connection) { return sqlite3_get_autocommit(connection.database().getHandle()) == 0; }

void execute(Connection& connection, const char* sql) { connection.query(sql)->exec(); }

}  // namespace

WriteTransaction::WriteTransaction(Connection& connection)
    : connection_(connection), outermost_(!connection.writing.open) {
  connection_.require_writable();
  if (outermost_) {
    execute(connection_, "BEGIN IMMEDIATE");
    connection_.writing = {.open = true, .lost = false};
  } else {
    require_whole();
    execute(connection_, "SAVEPOINT member");
  }
}

WriteTransaction::~WriteTransaction() {
  if (!committed_) undo();
  if (outermost_) connection_.writing = {};
}

/// SQLite undoes a whole transaction at some errors, a full disk for example: what follows would be written on its own.
void WriteTransaction::require_whole() const {
  if (!connection_.writing.lost && has_transaction(connection_)) return;
  throw std::runtime_error(fmt::format(
      "Nothing of several changes was written to {} (an error in one of them has undone all). Check the disk "
      "and its space, then run again; every committed round is safe.",
      connection_.file().string()));
}

void WriteTransaction::commit() {
  require_whole();
  execute(connection_, outermost_ ? "COMMIT" : "RELEASE member");
  committed_ = true;
}

void WriteTransaction::undo() {
  if (!has_transaction(connection_)) return;
  try {
    if (!outermost_) {
      execute(connection_, "ROLLBACK TO member");
      execute(connection_, "RELEASE member");
      return;
    }
    execute(connection_, "ROLLBACK");
  } catch (const SQLite::Exception&) {
    connection_.writing.lost = true;
  }
}

Snapshot::Snapshot(Connection& connection) {
  if (!connection.writing.open) {
    transaction_.emplace(connection.database(), SQLite::TransactionBehavior::DEFERRED);
  }
}

}}  // namespace glassworks::db
