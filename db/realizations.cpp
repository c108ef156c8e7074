#include <fmt/format.h>

#include <stdexcept>

#include "db/impl.hpp"

namespace glassworks {

namespace {

constexpr const char* select_one =
    "SELECT L, realization, status, rounds, checkpoint, state_digest, round_trips, reason, attempt, checksum "
    "FROM realizations WHERE L = ? AND realization = ?";

constexpr const char* select_size =
    "SELECT r.L, r.realization, r.status, r.rounds, r.checkpoint, r.state_digest, r.round_trips, r.reason, r.attempt, "
    "r.checksum, s.realizations "
    "FROM sizes s JOIN realizations r ON r.L = s.L WHERE s.L = ? ORDER BY r.realization";
constexpr int size_count_column = 10;

[[noreturn]] void throw_damaged_row(const std::filesystem::path& file, RealizationKey key) {
  db::throw_damaged(file, fmt::format("the row of {} in table realizations", db::describe(key)));
}

RealizationRow read_row(const std::filesystem::path& file, SQLite::Statement& statement) {
  RealizationRow row;
  row.key = {statement.getColumn(0).getInt(), statement.getColumn(1).getUInt()};
  try {
    row.status = db::status_from(statement.getColumn(2).getString());
  } catch (const std::out_of_range&) {
    throw_damaged_row(file, row.key);
  }
  row.rounds = statement.getColumn(3).getUInt();
  row.checkpoint = statement.getColumn(4).getString();
  row.state_digest = statement.getColumn(5).getString();
  row.round_trips = static_cast<std::uint64_t>(statement.getColumn(6).getInt64());
  row.reason = statement.getColumn(7).getString();
  row.attempt = statement.getColumn(8).getInt();
  if (db::realization_checksum(row) != statement.getColumn(9).getInt64()) throw_damaged_row(file, row.key);
  return row;
}

}  // namespace

std::string db::describe(RealizationKey key) { return fmt::format("realization {} at L = {}", key.realization, key.L); }

RealizationRow Database::Impl::realization(RealizationKey key) {
  auto query = connection.query(select_one);
  query->bind(1, key.L);
  query->bind(2, key.realization);
  if (query->executeStep()) return read_row(file(), *query.operator->());
  throw std::runtime_error(
      fmt::format("Campaign {} has no {}. Choose one that it has.", file().string(), db::describe(key)));
}

bool Database::Impl::update_if(const RealizationRow& row, int attempt, std::uint32_t rounds) {
  auto query = connection.query(
      "UPDATE realizations SET status = ?, rounds = ?, checkpoint = ?, state_digest = ?, round_trips = ?, reason = ?, "
      "attempt = ?, checksum = ? WHERE L = ? AND realization = ? AND attempt = ? AND rounds = ?");
  query->bind(1, to_string(row.status));
  query->bind(2, row.rounds);
  query->bind(3, row.checkpoint);
  query->bind(4, row.state_digest);
  query->bind(5, static_cast<std::int64_t>(row.round_trips));
  query->bind(6, row.reason);
  query->bind(7, row.attempt);
  query->bind(8, db::realization_checksum(row));
  query->bind(9, row.key.L);
  query->bind(10, row.key.realization);
  query->bind(11, attempt);
  query->bind(12, rounds);
  return query->exec() == 1;
}

void Database::Impl::append_realizations(int L, std::vector<RealizationRow>& rows) {
  auto query = connection.query(select_size);
  query->bind(1, L);
  std::uint32_t next = 0, count = 1;
  for (; query->executeStep(); ++next) {
    count = query->getColumn(size_count_column).getUInt();
    rows.push_back(read_row(file(), *query.operator->()));
    if (rows.back().key != RealizationKey{L, next}) throw_damaged_row(file(), {L, next});
  }
  if (next != count) throw_damaged_row(file(), {L, next});
}

std::vector<RealizationRow> Database::realizations(std::optional<int> L) const {
  return db::translated(impl_->file(), [&] {
    SQLite::Transaction one_snapshot(impl_->connection.database(), SQLite::TransactionBehavior::DEFERRED);
    std::vector<RealizationRow> rows;
    if (L) {
      impl_->append_realizations(impl_->size(*L).L, rows);
    } else {
      for (const SizeRow& size : impl_->sizes) impl_->append_realizations(size.L, rows);
    }
    return rows;
  });
}

RealizationRow Database::realization(RealizationKey key) const {
  return db::translated(impl_->file(), [&] { return impl_->realization(key); });
}

std::vector<int> Database::lease(std::span<const RealizationKey> keys) {
  return db::translated(impl_->file(), [&] {
    SQLite::Transaction transaction(impl_->connection.database(), SQLite::TransactionBehavior::IMMEDIATE);
    std::vector<int> attempts;
    for (const RealizationKey key : keys) {
      RealizationRow row = impl_->realization(key);
      const int before = row.attempt++;
      if (!impl_->update_if(row, before, row.rounds)) throw std::logic_error("lease: a row changed under a write lock");
      attempts.push_back(row.attempt);
    }
    transaction.commit();
    return attempts;
  });
}

void Database::set_status(RealizationKey key, RealizationStatus status, const std::string& reason) {
  db::translated(impl_->file(), [&] {
    SQLite::Transaction transaction(impl_->connection.database(), SQLite::TransactionBehavior::IMMEDIATE);
    RealizationRow row = impl_->realization(key);
    row.status = status;
    row.reason = reason;
    if (!impl_->update_if(row, row.attempt, row.rounds)) {
      throw std::logic_error("set_status: a row changed under a write lock");
    }
    transaction.commit();
  });
}

}  // namespace glassworks
