#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/bins/records.hpp"

namespace glassworks { inline namespace db {

enum class DatabaseAccess { read_only, read_write };

/// One lattice size of a campaign.
struct SizeRow {
  int L = 0;
  std::vector<double> temperatures;       ///< ascending
  std::vector<std::string> observables;   ///< names, in the order of the bins
  bool adapting = false;                  ///< the ladder is not frozen yet: nothing else may be simulated
  std::vector<std::string> samples = {};  ///< names, in the order of the samples; empty if none are taken
};

/// Rows that were written after a moment of the campaign's history.
struct Changes {
  std::int64_t sequence = 0;  ///< the present moment: ask for what comes after it next time
  std::vector<RealizationRow> rows;
};

/// Rows of realizations as a caller knows them, complete as of a moment.
struct KnownRows {
  std::int64_t sequence = 0;  ///< that moment; 0: nothing is known
  std::function<const RealizationRow*(RealizationKey)> row = {};
};

/// A size with its number of realizations.
struct SizeEntry {
  SizeRow size;
  int realizations = 0;
};

/// What a campaign's owner has raised: the whole new configuration and its effect, for Database::amend.
struct Amendment {
  std::string config_text;
  /// New ones, and those that get more realizations: nothing else of a size changes. Others stay as they are.
  std::vector<SizeEntry> sizes;
  std::vector<RealizationRow> reopened;  ///< with new status, reason, judgement and failures; the rest as read
  std::vector<std::string> changes;      ///< "key: before -> after", for the record
};

/// How a lease ended without a commit.
enum class LeaseEnd {
  given_back,  ///< at a stop, for example
  failed,      ///< counts against the realization: `failures` is raised
};

/// What becomes of the leases of a batch whose rounds are committed.
enum class LeaseAfter { ends, goes_on };

/// The lease of a round has ended before its commit: it expired, or another worker has taken the realization over.
class LeaseLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// How much of a database is checked.
enum class CheckDepth {
  for_writing,  ///< all of a small one; of a large one everything but the rounds, and these by their index
  all,
};

/// Whether the samples of rounds are read. They are most of a round, and only few readers need them.
enum class RoundSamples { read, skip };

/// A round as stored; `record` is decoded and its checksums are verified.
struct RoundRow {
  std::uint32_t round = 0;
  RoundRecord record;
  double seconds = 0.0;
  std::int64_t provenance = 0;
};

/// When a campaign began and what its rounds have cost.
struct CampaignCost {
  std::string created;       ///< ISO 8601, UTC
  std::uint64_t rounds = 0;  ///< committed, of all realizations
  double seconds = 0.0;      ///< wall time in them, summed over the workers
};

/// The single truth of a campaign: SQLite in WAL mode, synchronous = FULL, schema versioned (db/FORMAT.md).
/// Every member throws std::runtime_error with one sentence: problem (why). suggestion.
class Database {
 public:
  /// Creates campaign tables in a new file; fails if the file exists.
  static Database create(const std::filesystem::path& file, const std::string& config_text,
                         const std::vector<SizeEntry>& sizes);
  /// With the same number of realizations of each size.
  static Database create(const std::filesystem::path& file, const std::string& config_text,
                         const std::vector<SizeRow>& sizes, int realizations);
  /// Opens an existing campaign; an older schema is migrated (read_write), a newer one refused.
  static Database open(const std::filesystem::path& file, DatabaseAccess access);

  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;
  ~Database();

  /// Runs `body` in one transaction with one sync. Calls in `body` see earlier writes. A call that throws rolls back
  /// only its own changes, and `body` may continue; if `body` throws, everything is rolled back. Throws, with
  /// everything rolled back, if the commit fails: results are final only after it returns. Calls may be nested.
  void together(const std::function<void()>& body);

  /// As given to create or open: for further connections, one for each thread.
  [[nodiscard]] const std::filesystem::path& file() const;
  [[nodiscard]] std::string config_text() const;
  [[nodiscard]] std::vector<SizeRow> sizes() const;
  /// All realizations, or those of one size, ordered by (L, realization).
  [[nodiscard]] std::vector<RealizationRow> realizations(std::optional<int> L = std::nullopt) const;
  [[nodiscard]] RealizationRow realization(RealizationKey key) const;

  /// Rounds [first, end of history) of a realization in order; decoded, checksums verified. Samples that are skipped
  /// are neither read nor verified: record.samples is empty, record.samples_per_slot is not.
  [[nodiscard]] std::vector<RoundRow> rounds(RealizationKey key, std::uint32_t first = 0,
                                             RoundSamples samples = RoundSamples::read) const;
  /// The whole histories of realizations, all as of one moment: visit(i, rounds) for each key in turn, with less work
  /// than `rounds` where they are of one size.
  void visit_histories(std::span<const RealizationKey> keys, RoundSamples samples,
                       const std::function<void(std::size_t, std::vector<RoundRow>&&)>& visit) const;
  /// XXH3-128 over all committed bins of a realization (means, exchange counts, walk statistics, samples) in order, 32
  /// hexadecimal digits; independent of file layout.
  [[nodiscard]] std::string bins_digest(RealizationKey key) const;

  /// Rows of realizations written after a moment, in order of (L, realization); all rows after moment 0. Cheap when
  /// nothing was written.
  [[nodiscard]] Changes changes_since(std::int64_t sequence) const;

  /// Enters a process; returns its id, never used before. Times are given by the caller, in ms since 1970.
  std::int64_t add_worker(const WorkerRow& worker);
  /// Records a heartbeat; false if the worker has been removed and can no longer commit. The times are informational:
  /// other processes only watch whether the heartbeat changes.
  [[nodiscard]] bool heartbeat(std::int64_t worker, std::int64_t now, std::int64_t expires);
  [[nodiscard]] std::vector<WorkerRow> workers() const;
  /// Removes a worker and ends its leases (attempts are raised, so that it can commit nothing more). Returns how many
  /// leases it had.
  ///
  /// silent_since  if given, removes the worker only if its heartbeat still has this value
  std::size_t remove_worker(std::int64_t worker, LeaseEnd end, std::optional<std::int64_t> silent_since = std::nullopt);

  /// Leases to a worker those of the rows that are still as they were read (attempt, rounds) and free; raises their
  /// attempts. Returns them as they are now, in the order given. One transaction.
  std::vector<RealizationRow> lease(std::int64_t worker, std::span<const RealizationRow> wanted);
  /// Ends leases of a worker without a commit; leases that it has lost are left alone.
  void release(std::int64_t worker, std::span<const RealizationRow> rows, LeaseEnd end, const std::string& reason = {});

  /// Commits the rounds of a batch in one transaction, all or nothing. Each is conditional on its attempt number and
  /// on its round being the next one, and all on the worker's not having been removed; otherwise nothing is written and
  /// LeaseLost says which. Where a round names a checkpoint, the one before becomes the previous generation; `failures`
  /// becomes 0. Returns the rows as they are then, and the moment of this commit.
  ///
  /// updates  spin updates in these rounds, for the worker's account
  /// known    spares reading rows that nobody has written since
  Changes commit(std::int64_t worker, std::span<const RoundCommit> rounds, const Provenance& provenance,
                 std::int64_t now, double updates = 0.0, LeaseAfter lease = LeaseAfter::ends,
                 const KnownRows& known = {});
  /// Names checkpoints of states whose rounds are committed, and ends their leases; those that were lost are left
  /// alone. Returns the others as they are then.
  std::vector<RealizationRow> leave(std::int64_t worker, std::span<const StateCommit> states);
  /// Changes only status and reason (for example: quarantined) of a row that is still as it was seen (attempt, rounds,
  /// status, lease); false if it is not.
  bool set_status(const RealizationRow& seen, RealizationStatus status, const std::string& reason);

  /// Enters a raised configuration, in one transaction. Throws if a row has changed since it was read.
  void amend(const Amendment& amendment);
  /// "key: before -> after" lines of all amendments with their times, oldest first.
  [[nodiscard]] std::vector<std::string> amendments() const;

  /// Stages of the adaptation of a size, in order.
  [[nodiscard]] std::vector<LadderStage> ladder_stages(int L) const;
  /// Takes or renews the right to adapt the ladder of a size; false while another worker has it.
  [[nodiscard]] bool claim_ladder(int L, std::int64_t worker);
  /// Adds the next stage; with `frozen` given, the ladder of the size becomes these temperatures for good. One
  /// transaction, conditional on the claim.
  void add_ladder_stage(std::int64_t worker, const LadderStage& stage, const std::vector<double>* frozen = nullptr);

  [[nodiscard]] std::vector<Provenance> provenances() const;
  [[nodiscard]] CampaignCost cost() const;

  /// Integrity faults of the whole database, one clause each; empty if it is intact. Checks pages, indexes, orphaned
  /// rows, objects outside the schema and, for writing, the numbers of rounds. Checksums and contents are verified when
  /// rows are read, the number of rounds when all rounds are read.
  [[nodiscard]] std::vector<std::string> faults(CheckDepth depth) const;
  /// Realizations leased to a nonexistent worker (a sign of damage): such a lease would never end.
  [[nodiscard]] std::vector<RealizationRow> leases_without_worker() const;

 private:
  struct Impl;
  explicit Database(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Name of the database inside a campaign directory.
inline constexpr const char* database_file_name = "campaign.sqlite";

}}  // namespace glassworks::db
