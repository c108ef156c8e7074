#include <fmt/format.h>

#include <bit>
#include <stdexcept>
#include <utility>

#include "db/bins.hpp"
#include "db/impl.hpp"
#include "engine/checkpoint/checkpoint_name.hpp"

namespace glassworks { inline namespace db {

namespace {

/// A record that does not fit its size is a defect of the caller; it must not get in.
db::BinShape checked_shape(const RoundCommit& round, const SizeRow& size) {
  const bool named = round.checkpoint.empty()
                         ? is_digest(round.state_digest)
                         : db::is_state_of(round.key, round.round + 1, round.checkpoint, round.state_digest);
  if (!named) {
    throw std::invalid_argument(
        fmt::format("Database::commit: the checkpoint of {} has the name of another state", db::describe(round.key)));
  }
  const db::BinShape shape{.slots = static_cast<std::int64_t>(size.temperatures.size()),
                           .observables = static_cast<std::int64_t>(size.observables.size()),
                           .replicas = static_cast<std::int64_t>(round.record.round_trips.size()),
                           .samples = round.record.samples_per_slot,
                           .quantities = static_cast<std::int64_t>(size.samples.size())};
  db::for_each_array(round.record, shape, [&](std::size_t i, const auto& array, std::int64_t count) {
    if (static_cast<std::int64_t>(array.size()) == count) return;
    throw std::invalid_argument(fmt::format("Database::commit: {} of {} has {} elements instead of {}",
                                            db::bin_columns[i], db::describe(round.key), array.size(), count));
  });
  return shape;
}

[[noreturn]] void throw_lost(const std::filesystem::path& file, const std::string& what, const std::string& why) {
  throw LeaseLost(
      fmt::format("{} not committed to {} ({}). Nothing of the batch was written; continue from the committed state.",
                  what, file.string(), why));
}

/// Throws if a worker may not commit. Whatever its times say: others end its leases by removing it.
void require_alive(const std::filesystem::path& file, const std::optional<WorkerRow>& row, std::int64_t worker) {
  if (row) return;
  throw_lost(file, fmt::format("Rounds of worker {} were", worker),
             "the worker has been removed, and with it its leases");
}

/// Throws if a round is not the next one of a lease that its worker holds.
void require_lease(const std::filesystem::path& file, const RoundCommit& round, const RealizationRow& row,
                   std::int64_t worker) {
  const auto lost = [&](const std::string& why) {
    throw_lost(file, fmt::format("Round {} of {} was", round.round, db::describe(round.key)), why);
  };
  if (row.attempt != round.attempt) {
    lost(fmt::format("its lease has ended: attempt {} was replaced by attempt {}", round.attempt, row.attempt));
  }
  if (row.rounds != round.round) lost(fmt::format("the next round is {}", row.rounds));
  if (row.worker != worker) lost(fmt::format("worker {} does not hold it", worker));
}

/// The state of a row is in this file from now on; the generation before the one before is no longer needed.
void add_generation(RealizationRow& row, const std::string& checkpoint) {
  row.previous_checkpoint = std::exchange(row.checkpoint, checkpoint);
  row.previous_digest = std::exchange(row.checkpoint_digest, row.state_digest);
}

/// The row of a realization after a round.
RealizationRow row_after(RealizationRow row, const RoundCommit& round, LeaseAfter lease) {
  row.status = round.status;
  row.rounds = round.round + 1;
  row.state_digest = round.state_digest;
  row.round_trips = round.round_trips;
  row.reason = round.reason;
  row.judgement = round.judgement;
  row.failures = 0;
  if (lease == LeaseAfter::ends) row.worker = 0;
  if (!round.checkpoint.empty()) add_generation(row, round.checkpoint);
  return row;
}

}  // namespace

std::int64_t Database::Impl::provenance_id(const Provenance& provenance) {
  if (last_provenance && last_provenance->first == provenance) return last_provenance->second;
  const auto bind = [&](db::Query& query) {
    query->bind(1, provenance.version);
    query->bind(2, provenance.commit);
    query->bind(3, provenance.compiler);
    query->bind(4, provenance.backend);
    query->bind(5, provenance.host);
  };
  auto select = connection.query(
      "SELECT id FROM provenance WHERE version = ? AND source_commit = ? AND compiler = ? AND backend = ? AND host = "
      "?");
  bind(select);
  if (select->executeStep()) return select->getColumn(0).getInt64();
  auto insert = connection.query(
      "INSERT INTO provenance (version, source_commit, compiler, backend, host, checksum) VALUES (?, ?, ?, ?, ?, ?)");
  bind(insert);
  insert->bind(6, db::provenance_checksum(provenance));
  insert->exec();
  return connection.database().getLastInsertRowid();
}

void Database::Impl::insert_round(const RoundCommit& round, const SizeRow& size, std::int64_t provenance) {
  db::RoundScalars scalars{.key = round.key,
                           .round = round.round,
                           .attempt = round.attempt,
                           .provenance = provenance,
                           .seconds = round.seconds,
                           .measurements = round.record.measurements,
                           .shape = checked_shape(round, size),
                           .blob_checksums = {}};
  auto insert = connection.query(
      "INSERT INTO rounds (L, realization, round, attempt, provenance, seconds, measurements, slots, observables, "
      "replicas, checksum, means, means_checksum, exchange_attempts, exchange_attempts_checksum, exchange_accepted, "
      "exchange_accepted_checksum, walk_up, walk_up_checksum, walk_down, walk_down_checksum, walk_mean, "
      "walk_mean_checksum, round_trips, round_trips_checksum, samples, samples_checksum, samples_per_slot) "
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  db::for_each_array(round.record, scalars.shape, [&](std::size_t i, const auto& array, std::int64_t) {
    const auto bytes = std::as_bytes(std::span(array));
    const int column = 12 + 2 * static_cast<int>(i);
    scalars.blob_checksums[i] = std::bit_cast<std::int64_t>(checksum64(bytes));
    db::bind_blob(*insert.operator->(), column, bytes);
    insert->bind(column + 1, scalars.blob_checksums[i]);
  });
  insert->bind(1, round.key.L);
  insert->bind(2, round.key.realization);
  insert->bind(3, round.round);
  insert->bind(4, round.attempt);
  insert->bind(5, provenance);
  insert->bind(6, round.seconds);
  insert->bind(7, round.record.measurements);
  insert->bind(8, scalars.shape.slots);
  insert->bind(9, scalars.shape.observables);
  insert->bind(10, scalars.shape.replicas);
  insert->bind(11, scalars.checksum());
  insert->bind(28, scalars.shape.samples);
  insert->exec();
}

Changes Database::commit(std::int64_t worker, std::span<const RoundCommit> rounds, const Provenance& provenance,
                         std::int64_t now, double updates, LeaseAfter lease, const KnownRows& known) {
  if (worker <= 0) throw std::invalid_argument("Database::commit: a commit needs a worker");
  if (rounds.empty()) return {};
  return db::translated(impl_->file(), [&] {
    Changes written;
    written.rows.reserve(rounds.size());
    db::WriteTransaction transaction(impl_->connection);
    std::optional<WorkerRow> account = impl_->worker(worker);
    require_alive(impl_->file(), account, worker);
    const std::int64_t provenance_id = impl_->provenance_id(provenance);
    written.sequence = impl_->next_sequence();
    const bool nothing_new = known.sequence == written.sequence - 1;
    SizeRow size;
    for (const RoundCommit& round : rounds) {
      const RealizationRow* const seen = nothing_new ? known.row(round.key) : nullptr;
      RealizationRow before = seen != nullptr ? *seen : impl_->realization(round.key);
      require_lease(impl_->file(), round, before, worker);
      if (size.L != round.key.L) size = impl_->size(round.key.L).row;
      const db::KeptColumns kept{.status = before.status == round.status,
                                 .holder = lease == LeaseAfter::goes_on && round.checkpoint.empty()};
      impl_->store(written.rows.emplace_back(row_after(std::move(before), round, lease)), written.sequence, kept);
      impl_->insert_round(round, size, provenance_id);
    }
    account->heartbeat = now;
    account->rounds += rounds.size();
    account->updates += updates;
    impl_->store(*account);
    transaction.commit();
    impl_->last_provenance = {provenance, provenance_id};
    return written;
  });
}

std::vector<RealizationRow> Database::leave(std::int64_t worker, std::span<const StateCommit> states) {
  if (worker <= 0) throw std::invalid_argument("Database::leave: a lease has a worker");
  return db::translated(impl_->file(), [&] {
    std::vector<RealizationRow> rows;
    db::WriteTransaction transaction(impl_->connection);
    const std::int64_t sequence = impl_->next_sequence();
    for (const StateCommit& state : states) {
      RealizationRow row = impl_->realization(state.key);
      if (row.worker != worker || row.attempt != state.attempt || row.rounds != state.rounds) continue;
      if (!db::is_state_of(state.key, row.rounds, state.checkpoint, row.state_digest)) {
        throw std::invalid_argument(fmt::format("Database::leave: the checkpoint of {} has the name of another state",
                                                db::describe(state.key)));
      }
      if (row.checkpoint != state.checkpoint) add_generation(row, state.checkpoint);
      row.worker = 0;
      impl_->store(row, sequence, {.status = true});
      rows.push_back(std::move(row));
    }
    if (!rows.empty()) transaction.commit();
    return rows;
  });
}

}}  // namespace glassworks::db
