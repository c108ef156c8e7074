#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analysis/basics/columns.hpp"
#include "db/database.hpp"
#include "engine/config/config.hpp"

namespace glassworks { inline namespace analysis {

/// Data of the campaign that all diagnostics of one lattice size share.
struct DiagnosedSize {
  DiagnosedSize(const Config& campaign, const SizeRow& size);

  Config config;
  int L;
  double sites;                      ///< N = L^d
  std::vector<double> temperatures;  ///< ascending
  Columns columns;
  std::vector<std::string> samples;  ///< names of what rounds keep of single measurements; may be empty

  [[nodiscard]] std::size_t slots() const { return temperatures.size(); }
  /// Whether replicas walk through temperatures: several of them, and exchanges.
  [[nodiscard]] bool has_walk() const { return slots() > 1 && config.protocol.exchange != ExchangeSchedule::none; }
  /// Sweeps of every spin between two measurements: over-relaxation, cluster updates and heat bath.
  [[nodiscard]] double sweeps_per_measurement() const;
  /// Means of a round at a slot [stored column].
  [[nodiscard]] std::span<const double> bin(const RoundRow& round, std::size_t slot) const {
    return std::span(round.record.mean).subspan(slot * columns.stored(), columns.stored());
  }
  /// Throws std::runtime_error with one sentence where a round has another shape than the campaign or holds a mean
  /// that is not a finite number.
  void check(RealizationKey key, std::span<const RoundRow> rounds) const;
};

}}  // namespace glassworks::analysis
