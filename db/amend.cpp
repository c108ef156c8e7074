#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "db/impl.hpp"

namespace glassworks { inline namespace db {

namespace {

void store_config(db::Connection& connection, const std::string& config) {
  auto query = connection.query("UPDATE campaign SET config = ?, checksum = ? WHERE id = 1");
  query->bind(1, config);
  query->bind(2, db::RowBytes().text(config).checksum());
  query->exec();
}

std::string time_now(db::Connection& connection) {
  auto query = connection.query("SELECT strftime('%Y-%m-%dT%H:%M:%SZ', 'now')");
  static_cast<void>(query->executeStep());
  return query->getColumn(0).getString();
}

void record(db::Connection& connection, const std::string& time, const std::string& change) {
  auto query = connection.query("INSERT INTO amendments (time, change, checksum) VALUES (?, ?, ?)");
  query->bind(1, time);
  query->bind(2, change);
  query->bind(3, db::RowBytes().text(time).text(change).checksum());
  query->exec();
}

}  // namespace

void Database::amend(const Amendment& amendment) {
  db::translated(impl_->file(), [&] {
    db::WriteTransaction transaction(impl_->connection);
    const std::int64_t sequence = impl_->next_sequence();
    const std::vector<db::StoredSize> sizes = impl_->sizes();
    const auto first = static_cast<int>(impl_->first_realization());
    for (const SizeEntry& amended : amendment.sizes) {
      SQLite::Database& database = impl_->connection.database();
      const int L = amended.size.L, realizations = amended.realizations;
      const auto known = std::ranges::find(sizes, L, [](const db::StoredSize& size) { return size.row.L; });
      const int before = known == sizes.end() ? 0 : known->realizations;
      if (realizations < before) {
        throw std::invalid_argument("Database::amend: realizations cannot be taken away");
      }
      if (known == sizes.end()) {
        db::insert_size(database, amended.size, realizations);
      } else {
        db::StoredSize size = *known;
        size.realizations = realizations;
        impl_->store(size);
      }
      db::insert_realizations(database, L, first + before, first + realizations, sequence);
    }
    for (const RealizationRow& reopened : amendment.reopened) {
      RealizationRow row = impl_->realization(reopened.key);
      if (row.attempt != reopened.attempt || row.rounds != reopened.rounds || row.worker != 0) {
        throw std::runtime_error(
            fmt::format("The configuration of {} was not changed ({} is being simulated or has changed meanwhile). "
                        "Wait for the other processes of the campaign, then run again.",
                        impl_->file().string(), db::describe(row.key)));
      }
      row.status = reopened.status;
      row.reason = reopened.reason;
      row.judgement = reopened.judgement;
      row.failures = reopened.failures;
      impl_->store(row, sequence);
    }
    store_config(impl_->connection, amendment.config_text);
    const std::string time = time_now(impl_->connection);
    for (const std::string& change : amendment.changes) record(impl_->connection, time, change);
    transaction.commit();
  });
}

std::vector<std::string> Database::amendments() const {
  return db::translated(impl_->file(), [&] {
    std::vector<std::string> lines;
    auto query = impl_->connection.query("SELECT id, time, change, checksum FROM amendments ORDER BY id");
    while (query->executeStep()) {
      const std::string time = query->getColumn(1).getString(), change = query->getColumn(2).getString();
      lines.push_back(time + ' ' + change);
      if (query->getColumn(0).getInt64() != static_cast<std::int64_t>(lines.size()) ||
          query->getColumn(3).getInt64() != db::RowBytes().text(time).text(change).checksum()) {
        db::throw_damaged(impl_->file(), fmt::format("row {} of table amendments", lines.size()));
      }
    }
    return lines;
  });
}

}}  // namespace glassworks::db
