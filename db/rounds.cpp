#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <stdexcept>

#include "db/bins.hpp"
#include "db/impl.hpp"

namespace glassworks { inline namespace db {

namespace {

/// First parameter: whether the samples are read, which lie last in a row; the rest of it is.
constexpr const char* select_rounds =
    "SELECT r.rounds, b.round, b.attempt, b.provenance, b.seconds, b.measurements, b.slots, b.observables, b.replicas, "
    "b.checksum, b.means, b.means_checksum, b.exchange_attempts, b.exchange_attempts_checksum, b.exchange_accepted, "
    "b.exchange_accepted_checksum, b.walk_up, b.walk_up_checksum, b.walk_down, b.walk_down_checksum, b.walk_mean, "
    "b.walk_mean_checksum, b.round_trips, b.round_trips_checksum, CASE WHEN ? THEN b.samples END, b.samples_checksum, "
    "b.samples_per_slot "
    "FROM realizations r LEFT JOIN rounds b ON b.L = r.L AND b.realization = r.realization AND b.round >= ? "
    "WHERE r.L = ? AND r.realization = ? ORDER BY b.round";
constexpr int round_column = 1, first_blob_column = 10, samples_per_slot_column = 26;

class RoundReader {
 public:
  RoundReader(const std::filesystem::path& file, RealizationKey key, const SizeRow& size, RoundSamples samples)
      : file_(file),
        key_(key),
        slots_(static_cast<std::int64_t>(size.temperatures.size())),
        observables_(static_cast<std::int64_t>(size.observables.size())),
        quantities_(static_cast<std::int64_t>(size.samples.size())),
        samples_(samples) {}

  [[nodiscard]] RoundRow read(SQLite::Statement& row) const {
    const auto number = [&](int column) { return row.getColumn(column).getInt64(); };
    RoundRow out;
    out.round = count(row, round_column, number(round_column));
    for (const int column : {2, 5, 6, 7, 8, samples_per_slot_column}) {
      static_cast<void>(count(row, column, out.round));
    }
    out.provenance = number(3);
    out.seconds = row.getColumn(4).getDouble();
    out.record.measurements = static_cast<int>(number(5));
    out.record.samples_per_slot = static_cast<int>(number(samples_per_slot_column));
    db::RoundScalars scalars{.key = key_,
                             .round = out.round,
                             .attempt = static_cast<int>(number(2)),
                             .provenance = out.provenance,
                             .seconds = out.seconds,
                             .measurements = out.record.measurements,
                             .shape = {number(6), number(7), number(8), number(samples_per_slot_column), quantities_},
                             .blob_checksums = {}};
    for (std::size_t i = 0; i < db::bin_columns.size(); ++i) {
      scalars.blob_checksums[i] = number(first_blob_column + 2 * static_cast<int>(i) + 1);
    }
    if (scalars.checksum() != number(9)) fail(out.round, "the row does not match its checksum");
    if (scalars.shape.slots != slots_ || scalars.shape.observables != observables_) {
      fail(out.round, "its shape is not that of table sizes");
    }
    db::for_each_array(out.record, scalars.shape, [&](std::size_t i, auto& array, std::int64_t count) {
      if (i == db::samples_column && samples_ == RoundSamples::skip) return;
      const auto column = row.getColumn(first_blob_column + 2 * static_cast<int>(i));
      read_array(out.round, i, db::blob_bytes(column), scalars.blob_checksums[i], count, array);
    });
    return out;
  }

  [[noreturn]] void fail(std::uint32_t round, std::string_view reason) const {
    throw std::runtime_error(
        fmt::format("Round {} of {} in table rounds of {} is damaged ({}). Restore the database "
                    "from a copy.",
                    round, db::describe(key_), file_.string(), reason));
  }

 private:
  /// A number that is no longer than a number of elements can be: their products do not overflow.
  std::uint32_t count(const SQLite::Statement& row, int column, std::int64_t round) const {
    try {
      return static_cast<std::uint32_t>(db::number_within(row.getColumn(column), 0, db::largest_count));
    } catch (const std::out_of_range& error) {
      fail(static_cast<std::uint32_t>(round), fmt::format("it has {}", error.what()));
    }
  }

  template <typename T>
  void read_array(std::uint32_t round, std::size_t column, std::span<const std::byte> blob, std::int64_t checksum,
                  std::int64_t count, std::vector<T>& array) const {
    if (blob.size() != static_cast<std::size_t>(count) * sizeof(T)) {
      fail(round, fmt::format("column {} has {} bytes instead of {} x {}", db::bin_columns[column], blob.size(), count,
                              sizeof(T)));
    }
    if (std::bit_cast<std::int64_t>(checksum64(blob)) != checksum) {
      fail(round, fmt::format("column {} does not match its checksum", db::bin_columns[column]));
    }
    array.resize(static_cast<std::size_t>(count));
    if (!blob.empty()) std::memcpy(array.data(), blob.data(), blob.size());
  }

  const std::filesystem::path& file_;
  RealizationKey key_;
  std::int64_t slots_, observables_, quantities_;
  RoundSamples samples_;
};

}  // namespace

std::int64_t db::RoundScalars::checksum() const {
  RowBytes bytes;
  bytes.number(key.L).number(key.realization).number(round).number(attempt).number(provenance).real(seconds);
  bytes.number(measurements).number(shape.slots).number(shape.observables).number(shape.replicas);
  for (std::size_t i = 0; i < samples_column; ++i) bytes.number(blob_checksums[i]);
  if (shape.samples > 0) bytes.number(shape.samples).number(blob_checksums[samples_column]);
  return bytes.checksum();
}

void add_to_digest(Digest& digest, std::uint32_t round, const RoundRecord& record) {
  digest.value(round).value(static_cast<std::uint32_t>(record.measurements));
  for_each_array(record, BinShape{}, [&](std::size_t i, const auto& array, std::int64_t) {
    if (i == samples_column) {
      if (record.samples_per_slot == 0) return;  // the digest is what it was before there were samples
      digest.value(static_cast<std::uint32_t>(record.samples_per_slot));
    }
    digest.array(array);
  });
}

void Database::Impl::visit_rounds(RealizationKey key, const SizeRow& shape, std::uint32_t first, RoundSamples samples,
                                  const std::function<void(RoundRow&&)>& visit) {
  const RoundReader reader(file(), key, shape, samples);
  auto query = connection.query(select_rounds);
  query->bind(1, samples == RoundSamples::read ? 1 : 0);
  query->bind(2, first);
  query->bind(3, key.L);
  query->bind(4, key.realization);
  std::uint32_t next = first, committed = 0;
  bool found = false;
  while (query->executeStep()) {
    found = true;
    committed = query->getColumn(0).getUInt();
    if (query->getColumn(round_column).isNull()) break;
    RoundRow row = reader.read(*query.operator->());
    if (row.round != next) reader.fail(next, "it is missing");
    visit(std::move(row));
    ++next;
  }
  if (!found) static_cast<void>(realization(key));  // says that there is none
  if (next < committed) reader.fail(next, "it is missing");
  if (next > committed && next > first) reader.fail(next - 1, "the realization has fewer rounds");
}

std::vector<RoundRow> Database::rounds(RealizationKey key, std::uint32_t first, RoundSamples samples) const {
  return db::translated(impl_->file(), [&] {
    std::vector<RoundRow> rows;
    impl_->visit_rounds(key, impl_->size(key.L).row, first, samples,
                        [&](RoundRow&& row) { rows.push_back(std::move(row)); });
    return rows;
  });
}

void Database::visit_histories(std::span<const RealizationKey> keys, RoundSamples samples,
                               const std::function<void(std::size_t, std::vector<RoundRow>&&)>& visit) const {
  db::translated(impl_->file(), [&] {
    const db::Snapshot snapshot(impl_->connection);
    SizeRow size;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (size.L != keys[i].L) size = impl_->size(keys[i].L).row;
      std::vector<RoundRow> rows;
      impl_->visit_rounds(keys[i], size, 0, samples, [&](RoundRow&& row) { rows.push_back(std::move(row)); });
      visit(i, std::move(rows));
    }
  });
}

std::string Database::bins_digest(RealizationKey key) const {
  return db::translated(impl_->file(), [&] {
    Digest digest;
    impl_->visit_rounds(key, impl_->size(key.L).row, 0, RoundSamples::read,
                        [&](RoundRow&& row) { db::add_to_digest(digest, row.round, row.record); });
    return digest.hex();
  });
}

}}  // namespace glassworks::db
