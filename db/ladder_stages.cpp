#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "db/impl.hpp"
#include "engine/checkpoint/checkpoint_name.hpp"

namespace glassworks { inline namespace db {

namespace {

int count_of(db::Connection& connection, int L) {
  auto query = connection.query("SELECT count(*) FROM ladder_stages WHERE L = ?");
  query->bind(1, L);
  static_cast<void>(query->executeStep());
  return query->getColumn(0).getInt();
}

bool fits(const LadderStage& stage, int next) {
  const std::size_t slots = stage.temperatures.size();
  return stage.stage == next && slots >= 2 && stage.exchange_attempts.size() == slots - 1 &&
         stage.exchange_accepted.size() == slots - 1 && stage.walk_up.size() == slots &&
         stage.walk_down.size() == slots;
}

/// A stage that does not fit is a defect of the caller; it must not get in.
void check_stage(const LadderStage& stage, int next) {
  if (!fits(stage, next)) {
    throw std::invalid_argument(fmt::format(
        "Database::add_ladder_stage: stage {} is not the next one or has arrays of other lengths", stage.stage));
  }
}

void insert(db::Connection& connection, const LadderStage& stage) {
  auto query = connection.query(
      "INSERT INTO ladder_stages (L, stage, pilots, measurements, temperatures, exchange_attempts, exchange_accepted, "
      "walk_up, walk_down, round_trips, checkpoints, checksum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  const auto bind_array = [&](int column, const auto& array) {
    db::bind_blob(*query.operator->(), column, std::as_bytes(std::span(array)));
  };
  query->bind(1, stage.L);
  query->bind(2, stage.stage);
  query->bind(3, stage.pilots);
  query->bind(4, stage.measurements);
  bind_array(5, stage.temperatures);
  bind_array(6, stage.exchange_attempts);
  bind_array(7, stage.exchange_accepted);
  bind_array(8, stage.walk_up);
  bind_array(9, stage.walk_down);
  query->bind(10, static_cast<std::int64_t>(stage.round_trips));
  query->bind(11, stage.checkpoints);
  query->bind(12, db::stage_checksum(stage));
  query->exec();
}

/// Whether the lines "file digest" are those of the pilots after their stage.
bool names_its_pilots(const LadderStage& stage) {
  std::istringstream lines(stage.checkpoints);
  std::string expected, file, digest;
  for (std::uint32_t pilot = 0; lines >> file >> digest; ++pilot) {
    if (!is_digest(digest) || file != pilot_checkpoint_name(stage.L, stage.stage, pilot, digest)) return false;
    expected += file + ' ' + digest + '\n';
    if (pilot >= static_cast<std::uint32_t>(stage.pilots)) return false;
  }
  return stage.checkpoints == expected &&
         std::ranges::count(expected, '\n') == static_cast<std::ptrdiff_t>(stage.pilots);
}

/// Throws std::out_of_range.
LadderStage fields_of(const SQLite::Statement& statement, int L) {
  const auto count = [&](int column) {
    return static_cast<int>(db::number_within(statement.getColumn(column), 0, db::largest_count));
  };
  LadderStage stage;
  stage.L = L;
  stage.stage = count(1);
  stage.pilots = count(2);
  stage.measurements = count(3);
  const bool whole = db::read_array(statement.getColumn(4), stage.temperatures) &&
                     db::read_array(statement.getColumn(5), stage.exchange_attempts) &&
                     db::read_array(statement.getColumn(6), stage.exchange_accepted) &&
                     db::read_array(statement.getColumn(7), stage.walk_up) &&
                     db::read_array(statement.getColumn(8), stage.walk_down);
  if (!whole) throw std::out_of_range("half a number in an array");
  stage.round_trips = static_cast<std::uint64_t>(db::number_within(statement.getColumn(9), 0, db::largest_sum));
  stage.checkpoints = statement.getColumn(10).getString();
  return stage;
}

/// The stage after `next` others.
LadderStage read_stage(const std::filesystem::path& file, const SQLite::Statement& statement, int L, int next) {
  const std::string name = fmt::format("stage {} of L = {} in table ladder_stages", next, L);
  try {
    LadderStage stage = fields_of(statement, L);
    if (stage.stage != next || db::stage_checksum(stage) != statement.getColumn(11).getInt64()) {
      db::throw_damaged(file, name);
    }
    if (!fits(stage, next)) throw std::out_of_range("arrays of other lengths");
    if (!db::is_ladder(stage.temperatures)) throw std::out_of_range("temperatures that are no ladder");
    if (!names_its_pilots(stage)) throw std::out_of_range("names that are not those of its pilots' checkpoints");
    return stage;
  } catch (const std::out_of_range& error) {
    db::throw_damage(file, fmt::format("{} has {}", name, error.what()));
  }
}

}  // namespace

std::vector<LadderStage> Database::ladder_stages(int L) const {
  return db::translated(impl_->file(), [&] {
    std::vector<LadderStage> stages;
    auto query = impl_->connection.query(
        "SELECT L, stage, pilots, measurements, temperatures, exchange_attempts, exchange_accepted, walk_up, "
        "walk_down, round_trips, checkpoints, checksum FROM ladder_stages WHERE L = ? ORDER BY stage");
    query->bind(1, L);
    while (query->executeStep()) {
      stages.push_back(read_stage(impl_->file(), *query.operator->(), L, static_cast<int>(stages.size())));
    }
    return stages;
  });
}

bool Database::claim_ladder(int L, std::int64_t worker) {
  return db::translated(impl_->file(), [&] {
    db::WriteTransaction transaction(impl_->connection);
    db::StoredSize size = impl_->size(L);
    const bool taken = size.claim != worker && impl_->worker(size.claim);
    if (!size.row.adapting || taken || !impl_->worker(worker)) return false;
    if (size.claim == worker) return true;
    size.claim = worker;
    impl_->store(size);
    transaction.commit();
    return true;
  });
}

void Database::add_ladder_stage(std::int64_t worker, const LadderStage& stage, const std::vector<double>* frozen) {
  db::translated(impl_->file(), [&] {
    db::WriteTransaction transaction(impl_->connection);
    db::StoredSize size = impl_->size(stage.L);
    if (!size.row.adapting || size.claim != worker || !impl_->worker(worker)) {
      throw LeaseLost(fmt::format(
          "Stage {} of the ladder of L = {} was not added to {} (worker {} no longer has the right to adapt it). "
          "Nothing was written; continue from the stored stages.",
          stage.stage, stage.L, impl_->file().string(), worker));
    }
    check_stage(stage, count_of(impl_->connection, stage.L));
    insert(impl_->connection, stage);
    if (frozen != nullptr) {
      size.row.temperatures = *frozen;
      size.row.adapting = false;
      size.claim = 0;
      impl_->store(size);
    }
    transaction.commit();
  });
}

}}  // namespace glassworks::db
