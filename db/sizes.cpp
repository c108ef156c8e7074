#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "db/impl.hpp"
#include "engine/config/config.hpp"

namespace glassworks { inline namespace db {

namespace {

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

constexpr std::size_t most_names = 4096;

/// Throws std::out_of_range.
void check_temperatures(const std::vector<double>& temperatures) {
  if (!temperatures.empty() && temperatures.size() <= db::most_slots && db::is_ladder(temperatures)) return;
  throw std::out_of_range(fmt::format("{} temperatures that are not those of a ladder", temperatures.size()));
}

/// Throws std::out_of_range.
db::StoredSize size_of(const SQLite::Statement& statement) {
  db::StoredSize size;
  size.row.L = static_cast<int>(db::number_within(statement.getColumn(0), 1, db::largest_count));
  if (!db::read_array(statement.getColumn(1), size.row.temperatures)) throw std::out_of_range("half a temperature");
  size.row.observables = split_lines(statement.getColumn(2).getString());
  size.realizations = static_cast<int>(db::number_within(statement.getColumn(3), 1, db::largest_count));
  size.row.adapting = db::number_within(statement.getColumn(4), 0, 1) != 0;
  size.claim = db::number_within(statement.getColumn(6), 0, db::largest_sum);
  size.row.samples = split_lines(statement.getColumn(7).getString());
  if (std::max(size.row.observables.size(), size.row.samples.size()) > most_names) {
    throw std::out_of_range("more names than there are observables");
  }
  return size;
}

db::StoredSize read_size(const std::filesystem::path& file, const SQLite::Statement& statement) {
  const std::string name = fmt::format("the row of L = {} in table sizes", statement.getColumn(0).getInt64());
  try {
    db::StoredSize size = size_of(statement);
    if (db::size_checksum(size.row, size.realizations) != statement.getColumn(5).getInt64()) {
      db::throw_damaged(file, name);
    }
    check_temperatures(size.row.temperatures);
    return size;
  } catch (const std::out_of_range& error) {
    db::throw_damage(file, fmt::format("{} has {}", name, error.what()));
  }
}

void check_names(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (name.empty() || name.find('\n') != std::string::npos) {
      throw std::invalid_argument("insert_size: a name is empty or has two lines");
    }
  }
}

}  // namespace

void insert_size(SQLite::Database& database, const SizeRow& size, int realizations) {
  SQLite::Statement insert(
      database,
      "INSERT INTO sizes (L, temperatures, observables, realizations, adapting, checksum, sample_names) "
      "VALUES (?, ?, ?, ?, ?, ?, ?)");
  check_names(size.observables);
  check_names(size.samples);
  insert.bind(1, size.L);
  db::bind_blob(insert, 2, std::as_bytes(std::span(size.temperatures)));
  insert.bind(3, db::join_lines(size.observables));
  insert.bind(4, realizations);
  insert.bind(5, size.adapting ? 1 : 0);
  insert.bind(6, db::size_checksum(size, realizations));
  insert.bind(7, db::join_lines(size.samples));
  insert.exec();
}

std::vector<db::StoredSize> Database::Impl::sizes() {
  std::vector<db::StoredSize> all;
  auto query = connection.query(
      "SELECT L, temperatures, observables, realizations, adapting, checksum, claim, sample_names FROM sizes "
      "ORDER BY L");
  while (query->executeStep()) all.push_back(read_size(file(), *query.operator->()));
  return all;
}

db::StoredSize Database::Impl::size(int L) {
  auto query = connection.query(
      "SELECT L, temperatures, observables, realizations, adapting, checksum, claim, sample_names FROM sizes "
      "WHERE L = ?");
  query->bind(1, L);
  if (query->executeStep()) return read_size(file(), *query.operator->());
  throw InputError(InputFault::unknown, "L",
                   fmt::format("Campaign {} has no size L = {}. Choose one of its sizes.", file().string(), L));
}

void Database::Impl::store(const db::StoredSize& size) {
  auto query = connection.query(
      "UPDATE sizes SET temperatures = ?, realizations = ?, adapting = ?, checksum = ?, claim = ? WHERE L = ?");
  db::bind_blob(*query.operator->(), 1, std::as_bytes(std::span(size.row.temperatures)));
  query->bind(2, size.realizations);
  query->bind(3, size.row.adapting ? 1 : 0);
  query->bind(4, db::size_checksum(size.row, size.realizations));
  query->bind(5, size.claim);
  query->bind(6, size.row.L);
  if (query->exec() != 1) throw std::logic_error("store: a size that was read is gone");
}

std::vector<SizeRow> Database::sizes() const {
  return db::translated(impl_->file(), [&] {
    std::vector<SizeRow> rows;
    for (db::StoredSize& size : impl_->sizes()) rows.push_back(std::move(size.row));
    return rows;
  });
}

}}  // namespace glassworks::db
