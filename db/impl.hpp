#pragma once

#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "db/connection.hpp"
#include "db/database.hpp"
#include "db/errors.hpp"
#include "db/row.hpp"

namespace glassworks {

/// An open campaign: the connection, what never changes, and the queries that several members share.
struct Database::Impl {
  Impl(std::filesystem::path file, DatabaseAccess access);

  db::Connection connection;
  std::string config;
  std::vector<SizeRow> sizes;
  std::optional<std::pair<Provenance, std::int64_t>> last_provenance;  ///< and its id, once committed

  [[nodiscard]] const std::filesystem::path& file() const { return connection.file(); }
  [[nodiscard]] const SizeRow& size(int L) const;

  /// Throws for a realization that the campaign does not have.
  [[nodiscard]] RealizationRow realization(RealizationKey key);
  /// All realizations of one size, none missing.
  void append_realizations(int L, std::vector<RealizationRow>& rows);
  /// Stores a row if it is still at this attempt and number of rounds; returns whether it was.
  [[nodiscard]] bool update_if(const RealizationRow& row, int attempt, std::uint32_t rounds);
  /// Calls `visit` for each round from `first` on, in order; every row is verified and none is missing.
  void visit_rounds(RealizationKey key, std::uint32_t first, const std::function<void(RoundRow&&)>& visit);
  std::int64_t provenance_id(const Provenance& provenance);
  void insert_round(const RoundCommit& round, std::int64_t provenance);
};

namespace db {

/// "realization 7 at L = 8", for messages.
[[nodiscard]] std::string describe(RealizationKey key);

}  // namespace db

}  // namespace glassworks
