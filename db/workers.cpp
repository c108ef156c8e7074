#include <fmt/format.h>

#include <limits>
#include <stdexcept>

#include "db/impl.hpp"

namespace glassworks { inline namespace db {

namespace {

constexpr std::int64_t largest_pid = (std::int64_t{1} << 31) - 1;

/// Throws std::out_of_range.
WorkerRow worker_of(const SQLite::Statement& statement) {
  const auto number = [&](int column, std::int64_t least = 0, std::int64_t most = db::largest_sum) {
    return db::number_within(statement.getColumn(column), least, most);
  };
  return {.id = number(0, 1),
          .host = statement.getColumn(1).getString(),
          .backend = statement.getColumn(2).getString(),
          .pid = number(3, 0, largest_pid),  // negative ones mean many processes
          .process_start = number(4, -1),
          .started = number(5),
          .heartbeat = number(6),
          .expires = number(7, 0, std::numeric_limits<std::int64_t>::max()),
          .rounds = static_cast<std::uint64_t>(number(8)),
          .updates = db::finite_amount(statement.getColumn(9))};
}

WorkerRow read_worker(const std::filesystem::path& file, const SQLite::Statement& statement) {
  const std::string name = fmt::format("the row of worker {} in table workers", statement.getColumn(0).getInt64());
  try {
    WorkerRow row = worker_of(statement);
    if (db::worker_checksum(row) != statement.getColumn(10).getInt64()) db::throw_damaged(file, name);
    return row;
  } catch (const std::out_of_range& error) {
    db::throw_damage(file, fmt::format("{} has {}", name, error.what()));
  }
}

}  // namespace

std::optional<WorkerRow> Database::Impl::worker(std::int64_t id) {
  auto query = connection.query(
      "SELECT id, host, backend, pid, process_start, started, heartbeat, expires, rounds, updates, checksum "
      "FROM workers WHERE id = ?");
  query->bind(1, id);
  if (!query->executeStep()) return std::nullopt;
  return read_worker(file(), *query.operator->());
}

void Database::Impl::store(const WorkerRow& row) {
  auto query = connection.query(
      "UPDATE workers SET heartbeat = ?, expires = ?, rounds = ?, updates = ?, checksum = ? WHERE id = ?");
  query->bind(1, row.heartbeat);
  query->bind(2, row.expires);
  query->bind(3, static_cast<std::int64_t>(row.rounds));
  query->bind(4, row.updates);
  query->bind(5, db::worker_checksum(row));
  query->bind(6, row.id);
  if (query->exec() != 1) throw std::logic_error("store: a worker that was read is gone");
}

std::int64_t Database::add_worker(const WorkerRow& row) {
  return db::translated(impl_->file(), [&] {
    db::WriteTransaction transaction(impl_->connection);
    auto query = impl_->connection.query(
        "INSERT INTO workers (host, backend, pid, process_start, started, heartbeat, expires, rounds, updates, "
        "checksum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    query->bind(1, row.host);
    query->bind(2, row.backend);
    query->bind(3, row.pid);
    query->bind(4, row.process_start);
    query->bind(5, row.started);
    query->bind(6, row.heartbeat);
    query->bind(7, row.expires);
    query->bind(8, static_cast<std::int64_t>(row.rounds));
    query->bind(9, row.updates);
    query->bind(10, db::worker_checksum(row));
    query->exec();
    const std::int64_t id = impl_->connection.database().getLastInsertRowid();
    transaction.commit();
    return id;
  });
}

bool Database::heartbeat(std::int64_t worker, std::int64_t now, std::int64_t expires) {
  return db::translated(impl_->file(), [&] {
    db::WriteTransaction transaction(impl_->connection);
    auto row = impl_->worker(worker);
    if (!row) return false;
    row->heartbeat = now != row->heartbeat ? now : now + 1;  // a sign of life is a change
    row->expires = expires;
    impl_->store(*row);
    transaction.commit();
    return true;
  });
}

std::vector<WorkerRow> Database::workers() const {
  return db::translated(impl_->file(), [&] {
    std::vector<WorkerRow> all;
    auto query = impl_->connection.query(
        "SELECT id, host, backend, pid, process_start, started, heartbeat, expires, rounds, updates, checksum "
        "FROM workers ORDER BY id");
    while (query->executeStep()) all.push_back(read_worker(impl_->file(), *query.operator->()));
    return all;
  });
}

}}  // namespace glassworks::db
