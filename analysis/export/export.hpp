#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/export/export_writer.hpp"
#include "analysis/export/tables.hpp"

namespace glassworks { inline namespace analysis {

enum class FileKinds { hdf5, tables, all, none };

/// The table of a RoundDigests.
enum class DigestTable { without, with };

struct ExportOptions {
  FileKinds kinds = FileKinds::all;
  RawBins raw_hdf5 = RawBins::with;      ///< in campaign.h5
  RawBins raw_table = RawBins::without;  ///< as bins.csv
  CovarianceTable covariance = CovarianceTable::without;
  DigestTable digests = DigestTable::without;
  std::optional<int> L;  ///< only this size
  /// Called after each realization; an exception aborts the export, which then leaves no files. May be empty.
  std::function<void(int L, int done, int total)> progress;
};

/// What was exported of one size.
struct SizeSummary {
  int L = 0;
  RealizationCounts counts;
  std::vector<ExportedRealization> realizations;  ///< with data
  GroupCorrelation groups;                        ///< of these
};

struct ExportSummary {
  std::string created;  ///< ISO 8601, UTC
  std::string config_text;
  std::string config_digest;  ///< XXH3-128 of config_text, 32 hexadecimal digits
  std::vector<SizeSummary> sizes;
};

/// Writes the files of a campaign as it is at the beginning of the call; it may run on meanwhile. A few histories are
/// in memory at a time. The caller adds the manifest and publishes.
///
/// Throws InputError for what cannot be exported as asked, std::runtime_error for damaged data or files that cannot be
/// written.
[[nodiscard]] ExportSummary export_campaign(const CampaignSet& campaigns, const ExportOptions& options,
                                            Staging& staging);

/// XXH3-128 over the digests of all realizations of a size, each as 32 hexadecimal digits, in the order of their
/// numbers.
[[nodiscard]] std::string combined_digest(const SizeSummary& size);

}}  // namespace glassworks::analysis
