#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.hpp"
#include "db/database.hpp"
#include "engine/bins/records.hpp"

namespace glassworks { inline namespace db {

/// Canonical bytes of the values of a row: numbers as 8 bytes, text and blobs as their length (8 bytes) and content.
class RowBytes {
 public:
  RowBytes();
  RowBytes& number(std::int64_t value);
  RowBytes& real(double value);
  RowBytes& text(std::string_view value);
  RowBytes& blob(std::span<const std::byte> value);
  /// XXH3-64 as SQLite stores it.
  [[nodiscard]] std::int64_t checksum() const;

 private:
  std::string bytes_;
};

/// Checksum of a row of `realizations`: every column before the checksum, in the order of the table.
[[nodiscard]] std::int64_t realization_checksum(const RealizationRow& row);

/// One row of `sizes`.
struct StoredSize {
  SizeRow row;
  int realizations = 0;
  std::int64_t claim = 0;  ///< worker that adapts the ladder; 0: nobody
};

/// Whether temperatures are positive, finite and ascending.
[[nodiscard]] bool is_ladder(std::span<const double> temperatures);

/// Checksum of a row of `sizes`: every column before the checksum, in the order of the table, then the names of the
/// samples if there are any.
[[nodiscard]] std::int64_t size_checksum(const SizeRow& row, int realizations);

/// The names, each followed by a line feed, as `sizes` stores them.
[[nodiscard]] std::string join_lines(const std::vector<std::string>& names);

/// Checksum of a row of `workers` but its id.
[[nodiscard]] std::int64_t worker_checksum(const WorkerRow& row);

/// Checksum of a row of `ladder_stages`.
[[nodiscard]] std::int64_t stage_checksum(const LadderStage& stage);

/// Checksum of a row of `provenance` but its id.
[[nodiscard]] std::int64_t provenance_checksum(const Provenance& provenance);

/// Largest rounds, attempts and failures of a realization: counting on from there does not overflow.
constexpr std::int64_t largest_count = std::int64_t{1} << 30;
/// Most temperatures of a ladder.
constexpr std::size_t most_slots = 4096;
/// Largest sums, sequence numbers and times, which double precision still tells apart.
constexpr std::int64_t largest_sum = std::int64_t{1} << 53;

/// A whole number of a row that is read. Throws std::out_of_range ("rounds = -1") for one outside of the range.
[[nodiscard]] std::int64_t number_within(const SQLite::Column& column, std::int64_t least, std::int64_t most);

/// A real number of a row that is read. Throws std::out_of_range for one that is negative or not finite.
[[nodiscard]] double finite_amount(const SQLite::Column& column);

/// Throws std::out_of_range for a text that names no status.
[[nodiscard]] RealizationStatus status_from(std::string_view text);

/// Binds without a copy: the memory must outlive the query. An empty blob is stored as such, not as NULL.
void bind_blob(SQLite::Statement& statement, int index, std::span<const std::byte> bytes);

[[nodiscard]] std::span<const std::byte> blob_bytes(const SQLite::Column& column);

/// Reads an array that was bound as its bytes; false, if they are no whole number of elements.
template <typename T>
[[nodiscard]] bool read_array(const SQLite::Column& column, std::vector<T>& array) {
  const auto bytes = blob_bytes(column);
  if (bytes.size() % sizeof(T) != 0) return false;
  array.resize(bytes.size() / sizeof(T));
  if (!bytes.empty()) std::memcpy(array.data(), bytes.data(), bytes.size());
  return true;
}

}}  // namespace glassworks::db
