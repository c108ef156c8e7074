#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "db/impl.hpp"
#include "engine/checkpoint/checkpoint_name.hpp"
#include "engine/config/config.hpp"

namespace glassworks { inline namespace db {

namespace {

#define GLASSWORKS_REALIZATION_COLUMNS                                                                         \
  "r.L, r.realization, r.status, r.rounds, r.checkpoint, r.state_digest, r.round_trips, r.reason, r.attempt, " \
  "r.previous_checkpoint, r.previous_digest, r.tau, r.equilibration_rounds, r.expected_rounds, r.failures, "   \
  "r.checksum, r.worker, r.checkpoint_digest"
constexpr int size_count_column = 18;

constexpr const char* select_one =
    "SELECT " GLASSWORKS_REALIZATION_COLUMNS " FROM realizations r WHERE r.L = ? AND r.realization = ?";
constexpr const char* select_size = "SELECT " GLASSWORKS_REALIZATION_COLUMNS
                                    ", s.realizations FROM sizes s JOIN realizations r ON r.L = s.L "
                                    "WHERE s.L = ? ORDER BY r.realization";
constexpr const char* select_written = "SELECT " GLASSWORKS_REALIZATION_COLUMNS
                                       " FROM realizations r WHERE r.sequence > ? ORDER BY r.sequence";  // by the index

std::string name_of_row(RealizationKey key) {
  return fmt::format("the row of {} in table realizations", db::describe(key));
}

[[noreturn]] void throw_damaged_row(const std::filesystem::path& file, RealizationKey key) {
  db::throw_damaged(file, name_of_row(key));
}

/// Both columns are empty, or a digest and the name of the checkpoint with it, after 1 .. most rounds. Returns how
/// many. Throws std::out_of_range.
std::uint32_t check_generation(RealizationKey key, std::uint32_t most, const std::string& file,
                               const std::string& digest) {
  if (file.empty() && digest.empty()) return 0;
  const std::uint32_t rounds = rounds_of_checkpoint(file);
  if (rounds > 0 && rounds <= most && db::is_state_of(key, rounds, file, digest)) return rounds;
  throw std::out_of_range(fmt::format("the file '{}' for its state after at most {} rounds, digest '{}'",
                                      db::in_one_line(file), most, db::in_one_line(digest)));
}

/// Throws std::out_of_range.
void check_states(const RealizationRow& row) {
  const std::uint32_t newest = check_generation(row.key, row.rounds, row.checkpoint, row.checkpoint_digest);
  (void)check_generation(row.key, std::max(newest, 1U) - 1, row.previous_checkpoint, row.previous_digest);
  const bool known = row.rounds > 0 ? is_digest(row.state_digest) : row.state_digest.empty();
  if (known && (newest == 0 || newest < row.rounds || row.checkpoint_digest == row.state_digest)) return;
  throw std::out_of_range(
      fmt::format("the digest '{}' of its state after {} rounds", db::in_one_line(row.state_digest), row.rounds));
}

/// Throws std::out_of_range.
RealizationRow realization_of(const SQLite::Statement& statement) {
  const auto count = [&](int column) {
    return static_cast<std::uint32_t>(db::number_within(statement.getColumn(column), 0, db::largest_count));
  };
  RealizationRow row;
  row.key = {static_cast<int>(count(0)), count(1)};
  row.status = db::status_from(statement.getColumn(2).getString());
  row.rounds = count(3);
  row.checkpoint = statement.getColumn(4).getString();
  row.state_digest = statement.getColumn(5).getString();
  row.round_trips = static_cast<std::uint64_t>(db::number_within(statement.getColumn(6), 0, db::largest_sum));
  row.reason = statement.getColumn(7).getString();
  row.attempt = static_cast<int>(count(8));
  row.previous_checkpoint = statement.getColumn(9).getString();
  row.previous_digest = statement.getColumn(10).getString();
  row.judgement = {.tau = db::finite_amount(statement.getColumn(11)),
                   .equilibration_rounds = count(12),
                   .expected_rounds = count(13)};
  row.failures = static_cast<int>(count(14));
  row.worker = db::number_within(statement.getColumn(16), 0, db::largest_sum);
  row.checkpoint_digest = statement.getColumn(17).getString();
  return row;
}

RealizationRow read_row(const std::filesystem::path& file, const SQLite::Statement& statement) {
  const RealizationKey key{statement.getColumn(0).getInt(), statement.getColumn(1).getUInt()};
  try {
    RealizationRow row = realization_of(statement);
    if (db::realization_checksum(row) != statement.getColumn(15).getInt64()) throw_damaged_row(file, row.key);
    check_states(row);
    return row;
  } catch (const std::out_of_range& error) {
    db::throw_damage(file, fmt::format("{} has {}", name_of_row(key), error.what()));
  }
}

}  // namespace

std::string describe(RealizationKey key) { return fmt::format("realization {} at L = {}", key.realization, key.L); }

bool is_state_of(RealizationKey key, std::uint32_t rounds, const std::string& file, const std::string& digest) {
  return is_digest(digest) && file == checkpoint_name(key, rounds, digest);
}

void insert_realizations(SQLite::Database& database, int L, int first, int last, std::int64_t sequence) {
  SQLite::Statement insert(
      database,
      "INSERT INTO realizations (L, realization, status, rounds, checkpoint, state_digest, round_trips, reason, "
      "attempt, previous_checkpoint, previous_digest, tau, equilibration_rounds, expected_rounds, failures, checksum, "
      "sequence) VALUES (?, ?, 'queued', 0, '', '', 0, '', 0, '', '', 0, 0, 0, 0, ?, ?)");
  for (int r = first; r < last; ++r) {
    RealizationRow row;
    row.key = {L, static_cast<std::uint32_t>(r)};
    insert.bind(1, L);
    insert.bind(2, r);
    insert.bind(3, realization_checksum(row));
    insert.bind(4, sequence);
    insert.exec();
    insert.reset();
  }
}

RealizationRow Database::Impl::realization(RealizationKey key) {
  auto query = connection.query(select_one);
  query->bind(1, key.L);
  query->bind(2, key.realization);
  if (query->executeStep()) return read_row(file(), *query.operator->());
  throw InputError(InputFault::unknown, db::describe(key),
                   fmt::format("Campaign {} has no {}. Choose one that it has.", file().string(), db::describe(key)));
}

void Database::Impl::append_realizations(int L, std::vector<RealizationRow>& rows) {
  auto query = connection.query(select_size);
  query->bind(1, L);
  const std::uint32_t first = first_realization();
  std::uint32_t next = first, count = 1;
  for (; query->executeStep(); ++next) {
    count = query->getColumn(size_count_column).getUInt();
    rows.push_back(read_row(file(), *query.operator->()));
    if (rows.back().key != RealizationKey{L, next}) throw_damaged_row(file(), {L, next});
  }
  if (next - first != count) throw_damaged_row(file(), {L, next});
}

std::int64_t Database::Impl::sequence() {
  auto query = connection.query("SELECT sequence FROM clock");
  if (!query->executeStep()) db::throw_damaged(file(), "the empty table clock");
  try {
    return db::number_within(query->getColumn(0), 1, db::largest_sum);
  } catch (const std::out_of_range& error) {
    db::throw_damage(file(), fmt::format("table clock has {}", error.what()));
  }
}

std::int64_t Database::Impl::next_sequence() {
  const std::int64_t next = sequence() + 1;
  auto query = connection.query("UPDATE clock SET sequence = ?");
  query->bind(1, next);
  query->exec();
  return next;
}

namespace {

#define GLASSWORKS_PROGRESS                                                                           \
  "UPDATE realizations SET rounds = ?1, state_digest = ?2, round_trips = ?3, reason = ?4, tau = ?5, " \
  "equilibration_rounds = ?6, expected_rounds = ?7, failures = ?8, checksum = ?9, sequence = ?10"
#define GLASSWORKS_HOLDER                                                                                 \
  ", attempt = ?13, worker = ?14, checkpoint = ?15, checkpoint_digest = ?16, previous_checkpoint = ?17, " \
  "previous_digest = ?18"
#define GLASSWORKS_STATUS ", status = ?19"
#define GLASSWORKS_WHICH " WHERE L = ?11 AND realization = ?12"
constexpr const char* update_all = GLASSWORKS_PROGRESS GLASSWORKS_HOLDER GLASSWORKS_STATUS GLASSWORKS_WHICH;
constexpr const char* update_but_status = GLASSWORKS_PROGRESS GLASSWORKS_HOLDER GLASSWORKS_WHICH;
constexpr const char* update_but_holder = GLASSWORKS_PROGRESS GLASSWORKS_STATUS GLASSWORKS_WHICH;
constexpr const char* update_progress = GLASSWORKS_PROGRESS GLASSWORKS_WHICH;

const char* update_of(db::KeptColumns kept) {
  if (kept.holder) return kept.status ? update_progress : update_but_holder;
  return kept.status ? update_but_status : update_all;
}

}  // namespace

void Database::Impl::store(const RealizationRow& row, std::int64_t sequence, db::KeptColumns kept) {
  auto query = connection.query(update_of(kept));
  query->bind(1, row.rounds);
  query->bindNoCopy(2, row.state_digest);
  query->bind(3, static_cast<std::int64_t>(row.round_trips));
  query->bindNoCopy(4, row.reason);
  query->bind(5, row.judgement.tau);
  query->bind(6, row.judgement.equilibration_rounds);
  query->bind(7, row.judgement.expected_rounds);
  query->bind(8, row.failures);
  query->bind(9, db::realization_checksum(row));
  query->bind(10, sequence);
  query->bind(11, row.key.L);
  query->bind(12, row.key.realization);
  if (!kept.holder) {
    query->bind(13, row.attempt);
    query->bind(14, row.worker);
    query->bindNoCopy(15, row.checkpoint);
    query->bindNoCopy(16, row.checkpoint_digest);
    query->bindNoCopy(17, row.previous_checkpoint);
    query->bindNoCopy(18, row.previous_digest);
  }
  if (!kept.status) query->bindNoCopy(19, to_string(row.status));
  if (query->exec() != 1) throw std::logic_error("store: a row that was read is gone");
}

std::vector<RealizationRow> Database::realizations(std::optional<int> L) const {
  return db::translated(impl_->file(), [&] {
    const db::Snapshot snapshot(impl_->connection);
    std::vector<RealizationRow> rows;
    if (L) {
      impl_->append_realizations(impl_->size(*L).row.L, rows);
    } else {
      for (const db::StoredSize& size : impl_->sizes()) impl_->append_realizations(size.row.L, rows);
    }
    return rows;
  });
}

RealizationRow Database::realization(RealizationKey key) const {
  return db::translated(impl_->file(), [&] { return impl_->realization(key); });
}

Changes Database::changes_since(std::int64_t sequence) const {
  return db::translated(impl_->file(), [&] {
    const db::Snapshot snapshot(impl_->connection);
    Changes changes{.sequence = impl_->sequence(), .rows = {}};
    if (sequence == changes.sequence) return changes;
    if (sequence <= 0) {
      for (const db::StoredSize& size : impl_->sizes()) impl_->append_realizations(size.row.L, changes.rows);
      return changes;
    }
    auto query = impl_->connection.query(select_written);
    query->bind(1, sequence);
    while (query->executeStep()) changes.rows.push_back(read_row(impl_->file(), *query.operator->()));
    std::ranges::sort(changes.rows, {}, &RealizationRow::key);
    return changes;
  });
}

bool Database::set_status(const RealizationRow& seen, RealizationStatus status, const std::string& reason) {
  return db::translated(impl_->file(), [&] {
    db::WriteTransaction transaction(impl_->connection);
    RealizationRow row = impl_->realization(seen.key);
    if (row.attempt != seen.attempt || row.rounds != seen.rounds || row.status != seen.status ||
        row.worker != seen.worker) {
      return false;
    }
    row.status = status;
    row.reason = reason;
    impl_->store(row, impl_->next_sequence());
    transaction.commit();
    return true;
  });
}

}}  // namespace glassworks::db
