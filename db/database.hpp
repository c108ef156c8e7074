#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/records.hpp"

namespace glassworks {

enum class DatabaseAccess { read_only, read_write };

/// One lattice size of a campaign.
struct SizeRow {
  int L = 0;
  std::vector<double> temperatures;      ///< ascending
  std::vector<std::string> observables;  ///< names, in the order of the bins
};

/// A round as stored; `record` is decoded and its checksums are verified.
struct RoundRow {
  std::uint32_t round = 0;
  RoundRecord record;
  double seconds = 0.0;
  std::int64_t provenance = 0;
};

/// The single truth of a campaign: SQLite in WAL mode, synchronous = FULL, schema versioned (db/FORMAT.md).
/// Every member throws std::runtime_error with one sentence: problem (why). suggestion.
class Database {
 public:
  /// Creates campaign tables in a new file; fails if the file exists.
  static Database create(const std::filesystem::path& file, const std::string& config_text,
                         const std::vector<SizeRow>& sizes, int realizations);
  /// Opens an existing campaign; an older schema is migrated (read_write), a newer one refused.
  static Database open(const std::filesystem::path& file, DatabaseAccess access);

  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;
  ~Database();

  [[nodiscard]] std::string config_text() const;
  [[nodiscard]] std::vector<SizeRow> sizes() const;
  /// All realizations, or those of one size, ordered by (L, realization).
  [[nodiscard]] std::vector<RealizationRow> realizations(std::optional<int> L = std::nullopt) const;
  [[nodiscard]] RealizationRow realization(RealizationKey key) const;

  /// Rounds [first, end of history) of a realization in order; decoded, checksums verified.
  [[nodiscard]] std::vector<RoundRow> rounds(RealizationKey key, std::uint32_t first = 0) const;
  /// XXH3-128 over all committed bins of a realization (means, exchange counts, walk statistics) in round order, 32
  /// hexadecimal digits; independent of file layout.
  [[nodiscard]] std::string bins_digest(RealizationKey key) const;

  /// Leases realizations for one worker: raises and returns their attempt numbers, in one transaction.
  std::vector<int> lease(std::span<const RealizationKey> keys);
  /// Commits the rounds of a batch in one transaction, all or nothing. Each is conditional on its attempt number and
  /// on its round being the next one; otherwise nothing is written and an exception says which.
  void commit(std::span<const RoundCommit> rounds, const Provenance& provenance);
  /// Changes only status and reason (for example: failed).
  void set_status(RealizationKey key, RealizationStatus status, const std::string& reason);

  [[nodiscard]] std::vector<Provenance> provenances() const;

 private:
  struct Impl;
  explicit Database(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Name of the database inside a campaign directory.
inline constexpr const char* database_file_name = "campaign.sqlite";

}  // namespace glassworks
