#pragma once

#include <string>

#include "analysis/export/export_writer.hpp"

namespace glassworks { inline namespace analysis {

/// Name of the table of a RoundDigests.
inline constexpr const char* round_digests_file = "digests.csv";

/// Writes digests.csv, by which the first rounds of a realization can be compared without all others:
///
///     L,realization,rounds,bins_digest,state_digest
///
/// bins_digest is Database::bins_digest of the first 1, 2, 4, 8, ... and of all rounds; state_digest, of the state
/// after all rounds, stands in the last row of a realization only.
class RoundDigests : public ExportWriter {
 public:
  explicit RoundDigests(Staging& staging);

  void begin_size(const CampaignSnapshot::Size&) override {}
  void add(const ExportedRealization& realization, std::span<const RoundRow> rounds) override;
  void end_size(const ExportedSize&) override {}
  void finish() override;

 private:
  Staging& staging_;
  std::string text_;
};

}}  // namespace glassworks::analysis
