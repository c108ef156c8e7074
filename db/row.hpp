#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "engine/digest.hpp"
#include "engine/records.hpp"

namespace glassworks::db {

/// Canonical bytes of the values of a row: numbers as 8 bytes, text and blobs as their length (8 bytes) and content.
class RowBytes {
 public:
  RowBytes& number(std::int64_t value);
  RowBytes& real(double value);
  RowBytes& text(std::string_view value);
  RowBytes& blob(std::span<const std::byte> value);
  /// XXH3-64 as SQLite stores it.
  [[nodiscard]] std::int64_t checksum() const;

 private:
  std::vector<std::byte> bytes_;
};

/// Checksum of a row of `realizations`: every column but the lease and the checksum itself, in the order of the table.
[[nodiscard]] std::int64_t realization_checksum(const RealizationRow& row);

/// Checksum of a row of `sizes`.
[[nodiscard]] std::int64_t size_checksum(int L, std::span<const std::byte> temperatures, std::string_view observables,
                                         int realizations);

/// Checksum of a row of `provenance` but its id.
[[nodiscard]] std::int64_t provenance_checksum(const Provenance& provenance);

/// Throws std::out_of_range for a text that names no status.
[[nodiscard]] RealizationStatus status_from(std::string_view text);

/// Binds without a copy: the memory must outlive the query. An empty blob is stored as such, not as NULL.
void bind_blob(SQLite::Statement& statement, int index, std::span<const std::byte> bytes);

[[nodiscard]] std::span<const std::byte> blob_bytes(const SQLite::Column& column);

}  // namespace glassworks::db
