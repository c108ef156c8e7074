#pragma once

#include <optional>
#include <string>

#include "analysis/averages/analysis.hpp"
#include "analysis/export/export_writer.hpp"
#include "base/durable_file.hpp"

namespace glassworks { inline namespace analysis {

enum class CovarianceTable { without, with };

/// Names of the tables.
inline constexpr const char *results_file = "results.csv", *realizations_file = "realizations.csv",
                            *covariance_file = "covariance.csv", *bins_file = "bins.csv";

/// The heading of realizations.csv, and the line of one.
inline constexpr const char* realizations_heading =
    "L,realization,status,rounds,round_trips,tau,equilibration_rounds,averaged_first,averaged_last,bins_digest,"
    "state_digest,reason\n";
[[nodiscard]] std::string realization_line(const RealizationRow& row, RoundRange averaged,
                                           const std::string& bins_digest);

/// Writes tidy CSV tables; shortest decimals that read back to the same number, "nan" where there is none:
///
///     results.csv       L,T,observable,mean,error,realizations
///     realizations.csv  L,realization,status,rounds,round_trips,tau,equilibration_rounds,averaged_first,averaged_last,
///                       bins_digest,state_digest,reason
///     covariance.csv    L,observable,T,T_other,covariance; on demand
///     bins.csv          L,realization,round,T,observable,mean; on demand: the raw bins, one row for each number
class TableWriter : public ExportWriter {
 public:
  TableWriter(Staging& staging, CovarianceTable covariance, RawBins raw);

  void begin_size(const CampaignSnapshot::Size& snapshot) override;
  void add(const ExportedRealization& realization, std::span<const RoundRow> rounds) override;
  void end_size(const ExportedSize& size) override;
  void finish() override;

 private:
  void add_covariance(const ExportedSize& size);

  Staging& staging_;
  AnalysisResult results_;
  std::string realizations_;
  std::optional<DurableFile> covariance_, bins_;
  SizeRow size_;  ///< the one that is being written
};

}}  // namespace glassworks::analysis
