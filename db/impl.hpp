#pragma once

#include <functional>
#include <optional>
#include <span>
#include <utility>

#include "db/connection.hpp"
#include "db/database.hpp"
#include "db/errors.hpp"
#include "db/row.hpp"
#include "db/transaction.hpp"

namespace glassworks { inline namespace db {

/// Columns of a row of `realizations` that an update leaves as they are. Named in it they would take half of its time:
/// `worker` has an index, and the constraint on `status` is a list, of which SQLite makes a table each time.
struct KeptColumns {
  bool status = false;
  bool holder = false;  ///< attempt, worker, checkpoints and their digests
};

/// An open campaign: the connection, and the queries that several members share. Nothing that another process may
/// change is kept in memory.
struct Database::Impl {
  Impl(std::filesystem::path file, DatabaseAccess access);

  db::Connection connection;
  std::optional<std::pair<Provenance, std::int64_t>> last_provenance;  ///< and its id, once committed

  [[nodiscard]] const std::filesystem::path& file() const { return connection.file(); }

  [[nodiscard]] std::string config();
  /// Number of the first realization of every size, which the configuration gives.
  [[nodiscard]] std::uint32_t first_realization();
  [[nodiscard]] std::vector<db::StoredSize> sizes();
  /// Throws for a size that the campaign does not have.
  [[nodiscard]] db::StoredSize size(int L);
  /// Inside a write transaction: stores a size that exists.
  void store(const db::StoredSize& size);

  /// Throws for a realization that the campaign does not have.
  [[nodiscard]] RealizationRow realization(RealizationKey key);
  /// All realizations of one size, none missing.
  void append_realizations(int L, std::vector<RealizationRow>& rows);
  /// Moments of a campaign's history count the write transactions that touch realizations.
  [[nodiscard]] std::int64_t sequence();
  /// Inside a write transaction: the moment of what it writes.
  [[nodiscard]] std::int64_t next_sequence();
  /// Inside a write transaction: stores a row that exists.
  void store(const RealizationRow& row, std::int64_t sequence, db::KeptColumns kept = {});

  [[nodiscard]] std::optional<WorkerRow> worker(std::int64_t id);
  /// Inside a write transaction: stores a worker that exists.
  void store(const WorkerRow& worker);

  /// Calls `visit` for each round from `first` on, in order; every row is verified and none is missing.
  ///
  /// shape  the row of its size
  void visit_rounds(RealizationKey key, const SizeRow& shape, std::uint32_t first, RoundSamples samples,
                    const std::function<void(RoundRow&&)>& visit);
  std::int64_t provenance_id(const Provenance& provenance);
  void insert_round(const RoundCommit& round, const SizeRow& size, std::int64_t provenance);
};

/// "realization 7 at L = 8", for messages.
[[nodiscard]] std::string describe(RealizationKey key);

/// Whether a file and a digest are those of the state of a realization after so many rounds.
[[nodiscard]] bool is_state_of(RealizationKey key, std::uint32_t rounds, const std::string& file,
                               const std::string& digest);

/// Adds a size, without its realizations.
void insert_size(SQLite::Database& database, const SizeRow& size, int realizations);

/// Adds queued realizations [first, last) of a size, written at a moment.
void insert_realizations(SQLite::Database& database, int L, int first, int last, std::int64_t sequence);

}}  // namespace glassworks::db
