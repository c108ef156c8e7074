#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/digest.hpp"
#include "engine/bins/records.hpp"

namespace glassworks { inline namespace db {

/// Lengths that fix the shape of every array of a bin.
struct BinShape {
  std::int64_t slots = 0, observables = 0, replicas = 0;
  std::int64_t samples = 0, quantities = 0;  ///< at a slot; of a sample
  bool operator==(const BinShape&) const = default;
};

/// Names of the blob columns of table `rounds`, in the order of the table and of the digest.
constexpr std::array<const char*, 8> bin_columns{"means",     "exchange_attempts", "exchange_accepted", "walk_up",
                                                 "walk_down", "walk_mean",         "round_trips",       "samples"};
constexpr std::size_t samples_column = 7;

/// Calls visit(index, array, elements expected) for every array of a bin, in the order of bin_columns.
template <typename Record, typename Visit>
void for_each_array(Record& record, const BinShape& shape, Visit&& visit) {
  visit(0, record.mean, shape.slots * shape.observables);
  visit(1, record.exchange_attempts, shape.slots - 1);
  visit(2, record.exchange_accepted, shape.slots - 1);
  visit(3, record.walk_up, shape.slots);
  visit(4, record.walk_down, shape.slots);
  visit(5, record.walk_mean, shape.replicas * walk_functions);
  visit(6, record.round_trips, shape.replicas);
  visit(samples_column, record.samples, shape.slots * shape.samples * shape.quantities);
}

/// Scalar columns of a row of `rounds`, and the checksums of its blobs. checksum() covers both;
/// without samples it equals the checksum of schema versions that had no samples.
struct RoundScalars {
  RealizationKey key;
  std::uint32_t round = 0;
  int attempt = 0;
  std::int64_t provenance = 0;
  double seconds = 0.0;
  int measurements = 0;
  BinShape shape;
  std::array<std::int64_t, bin_columns.size()> blob_checksums{};

  [[nodiscard]] std::int64_t checksum() const;
};

/// Adds a bin to the digest of its realization (db/FORMAT.md).
void add_to_digest(Digest& digest, std::uint32_t round, const RoundRecord& record);

}}  // namespace glassworks::db
