#include "db/row.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "db/errors.hpp"

namespace glassworks { inline namespace db {

RowBytes::RowBytes() {
  constexpr std::size_t of_most_rows = 1000;  // but for their blobs
  bytes_.reserve(of_most_rows);
}

RowBytes& RowBytes::number(std::int64_t value) {
  bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  return *this;
}

RowBytes& RowBytes::real(double value) { return number(std::bit_cast<std::int64_t>(value)); }

RowBytes& RowBytes::text(std::string_view value) { return blob(std::as_bytes(std::span(value))); }

RowBytes& RowBytes::blob(std::span<const std::byte> value) {
  number(static_cast<std::int64_t>(value.size()));
  bytes_.append(reinterpret_cast<const char*>(value.data()), value.size());
  return *this;
}

std::int64_t RowBytes::checksum() const {
  return std::bit_cast<std::int64_t>(checksum64(std::as_bytes(std::span(bytes_))));
}

std::int64_t realization_checksum(const RealizationRow& row) {
  return RowBytes()
      .number(row.key.L)
      .number(row.key.realization)
      .text(to_string(row.status))
      .number(row.rounds)
      .text(row.checkpoint)
      .text(row.state_digest)
      .number(static_cast<std::int64_t>(row.round_trips))
      .text(row.reason)
      .number(row.attempt)
      .text(row.previous_checkpoint)
      .text(row.previous_digest)
      .real(row.judgement.tau)
      .number(row.judgement.equilibration_rounds)
      .number(row.judgement.expected_rounds)
      .number(row.failures)
      .text(row.checkpoint_digest)
      .checksum();
}

bool is_ladder(std::span<const double> temperatures) {
  const auto usable = [](double T) { return std::isfinite(T) && T > 0.0; };
  return std::ranges::all_of(temperatures, usable) &&
         std::ranges::adjacent_find(temperatures, [](double a, double b) { return !(a < b); }) == temperatures.end();
}

std::int64_t size_checksum(const SizeRow& row, int realizations) {
  RowBytes bytes;
  bytes.number(row.L)
      .blob(std::as_bytes(std::span(row.temperatures)))
      .text(join_lines(row.observables))
      .number(realizations)
      .number(row.adapting ? 1 : 0);
  if (!row.samples.empty()) bytes.text(join_lines(row.samples));
  return bytes.checksum();
}

std::string join_lines(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += name + '\n';
  return text;
}

std::int64_t worker_checksum(const WorkerRow& row) {
  return RowBytes()
      .text(row.host)
      .text(row.backend)
      .number(row.pid)
      .number(row.process_start)
      .number(row.started)
      .number(row.heartbeat)
      .number(row.expires)
      .number(static_cast<std::int64_t>(row.rounds))
      .real(row.updates)
      .checksum();
}

std::int64_t stage_checksum(const LadderStage& stage) {
  const auto bytes = [](const auto& array) { return std::as_bytes(std::span(array)); };
  return RowBytes()
      .number(stage.L)
      .number(stage.stage)
      .number(stage.pilots)
      .number(stage.measurements)
      .blob(bytes(stage.temperatures))
      .blob(bytes(stage.exchange_attempts))
      .blob(bytes(stage.exchange_accepted))
      .blob(bytes(stage.walk_up))
      .blob(bytes(stage.walk_down))
      .number(static_cast<std::int64_t>(stage.round_trips))
      .text(stage.checkpoints)
      .checksum();
}

std::int64_t provenance_checksum(const Provenance& provenance) {
  return RowBytes()
      .text(provenance.version)
      .text(provenance.commit)
      .text(provenance.compiler)
      .text(provenance.backend)
      .text(provenance.host)
      .checksum();
}

std::int64_t number_within(const SQLite::Column& column, std::int64_t least, std::int64_t most) {
  const std::int64_t value = column.getInt64();
  if (column.isInteger() && value >= least && value <= most) return value;
  throw std::out_of_range(fmt::format("{} = {}", column.getName(), in_one_line(column.getString())));
}

double finite_amount(const SQLite::Column& column) {
  const double value = column.getDouble();
  if ((column.isFloat() || column.isInteger()) && std::isfinite(value) && value >= 0.0) return value;
  throw std::out_of_range(fmt::format("{} = {}", column.getName(), in_one_line(column.getString())));
}

RealizationStatus status_from(std::string_view text) {
  using enum RealizationStatus;
  for (const auto status : {queued, equilibrating, producing, converged, failed, quarantined}) {
    if (text == to_string(status)) return status;
  }
  throw std::out_of_range(fmt::format("status = {}", in_one_line(std::string(text))));
}

void bind_blob(SQLite::Statement& statement, int index, std::span<const std::byte> bytes) {
  if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    throw std::length_error("bind_blob: a blob is larger than 2 GiB");
  }
  statement.bindNoCopy(index, bytes.empty() ? static_cast<const void*>("") : bytes.data(),
                       static_cast<int>(bytes.size()));
}

std::span<const std::byte> blob_bytes(const SQLite::Column& column) {
  const auto* data = static_cast<const std::byte*>(column.getBlob());
  return {data, static_cast<std::size_t>(column.getBytes())};
}

}}  // namespace glassworks::db
