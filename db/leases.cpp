#include <stdexcept>

#include "db/impl.hpp"

namespace glassworks { inline namespace db {

namespace {

/// A lease ends without a commit: its attempt can commit nothing more.
void end_lease(RealizationRow& row, LeaseEnd end) {
  ++row.attempt;
  row.worker = 0;
  if (end == LeaseEnd::failed) ++row.failures;
}

}  // namespace

std::vector<RealizationRow> Database::lease(std::int64_t worker, std::span<const RealizationRow> wanted) {
  if (worker <= 0) throw std::invalid_argument("Database::lease: a lease needs a worker");
  return db::translated(impl_->file(), [&] {
    std::vector<RealizationRow> leased;
    db::WriteTransaction transaction(impl_->connection);
    if (!impl_->worker(worker)) return leased;
    const std::int64_t sequence = impl_->next_sequence();
    for (const RealizationRow& seen : wanted) {
      RealizationRow row = impl_->realization(seen.key);
      if (row.worker != 0 || row.attempt != seen.attempt || row.rounds != seen.rounds || is_finished(row.status)) {
        continue;
      }
      ++row.attempt;
      row.worker = worker;
      impl_->store(row, sequence, {.status = true});
      leased.push_back(std::move(row));
    }
    if (!leased.empty()) transaction.commit();
    return leased;
  });
}

void Database::release(std::int64_t worker, std::span<const RealizationRow> rows, LeaseEnd end,
                       const std::string& reason) {
  if (worker <= 0) throw std::invalid_argument("Database::release: a lease has a worker");
  db::translated(impl_->file(), [&] {
    db::WriteTransaction transaction(impl_->connection);
    const std::int64_t sequence = impl_->next_sequence();
    bool changed = false;
    for (const RealizationRow& held : rows) {
      RealizationRow row = impl_->realization(held.key);
      if (row.worker != worker || row.attempt != held.attempt) continue;
      end_lease(row, end);
      if (!reason.empty()) row.reason = reason;
      impl_->store(row, sequence, {.status = true});
      changed = true;
    }
    if (changed) transaction.commit();
  });
}

std::size_t Database::remove_worker(std::int64_t worker, LeaseEnd end, std::optional<std::int64_t> silent_since) {
  return db::translated(impl_->file(), [&] {
    db::WriteTransaction transaction(impl_->connection);
    const std::optional<WorkerRow> known = impl_->worker(worker);
    if (silent_since && (!known || known->heartbeat != *silent_since)) return std::size_t{0};
    std::vector<RealizationKey> keys;
    {
      // Avoids the index: a damaged index could hide a lease, and its realization would never be simulated again.
      auto query = impl_->connection.query(
          "SELECT L, realization FROM realizations NOT INDEXED WHERE worker = ? AND worker != 0 ORDER BY L, "
          "realization");
      query->bind(1, worker);
      while (query->executeStep()) keys.push_back({query->getColumn(0).getInt(), query->getColumn(1).getUInt()});
    }
    if (!keys.empty()) {
      const std::int64_t sequence = impl_->next_sequence();
      for (const RealizationKey key : keys) {
        RealizationRow row = impl_->realization(key);
        end_lease(row, end);
        impl_->store(row, sequence, {.status = true});
      }
    }
    auto query = impl_->connection.query("DELETE FROM workers WHERE id = ?");
    query->bind(1, worker);
    query->exec();
    transaction.commit();
    return keys.size();
  });
}

}}  // namespace glassworks::db
