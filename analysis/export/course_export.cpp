#include "analysis/export/course_export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>

#include "analysis/averages/csv.hpp"
#include "analysis/export/hdf5.hpp"
#include "analysis/export/round_digests.hpp"
#include "analysis/series/series_tables.hpp"
#include "base/durable_file.hpp"
#include "db/bins.hpp"

namespace glassworks { inline namespace analysis {
namespace {

std::string digest_of_rounds(std::span<const RoundRow> rounds) {
  Digest digest;
  for (const RoundRow& row : rounds) db::add_to_digest(digest, row.round, row.record);
  return digest.hex();
}

/// What each realization has measured, one row for each number.
void write_bins_table(const CampaignSeries& series, Staging& staging) {
  DurableFile file(staging.path_of(bins_file));
  const auto append = [&](std::string_view text) { file.append(std::as_bytes(std::span(text))); };
  append("L,realization,t,slot,T,observable,mean\n");
  for (const SizeSeries& size : series.sizes) {
    for (std::size_t i = 0; i < size.realizations.size(); ++i) {
      std::string text;
      for (std::size_t k = 0; k < size.realizations[i].times; ++k) {
        for (std::size_t slot = 0; slot < size.slots(); ++slot) {
          const std::span<const double> row = size.row(i, k, slot);
          for (std::size_t column = 0; column < row.size(); ++column) {
            fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{}\n", size.L, size.realizations[i].realization,
                           size.times[k], slot, size.temperature[k][slot], csv_field(size.observables[column]),
                           row[column]);
          }
        }
      }
      append(text);
    }
  }
  file.publish();
  staging.finished(bins_file);
}

/// Collects rows and digests of realizations while their series are read.
class Reading {
 public:
  Reading(const CampaignSnapshot& snapshot, const ExportOptions& options, Staging& staging) {
    for (const CampaignSnapshot::Size& part : snapshot.sizes) sizes_.emplace_back().size = part.size;
    if (options.digests == DigestTable::with) digests_.emplace(staging);
  }

  void see(const RealizationRow& row, std::span<const RoundRow> rounds) {
    ExportedSize& size = *std::ranges::find(sizes_, row.key.L, [](const ExportedSize& one) { return one.size.L; });
    ++size.counts.total;
    const bool complete = row.status == RealizationStatus::converged;
    size.counts.converged += static_cast<int>(complete);
    if (rounds.empty()) {
      size.unstarted.push_back(row);
      return;
    }
    ++size.counts.used;
    size.counts.unconverged_used += static_cast<int>(!complete);
    size.realizations.push_back({row, {0, row.rounds}, digest_of_rounds(rounds)});
    if (digests_) digests_->add(size.realizations.back(), rounds);
  }

  /// Realizations of several campaigns in the order of their numbers.
  std::vector<ExportedSize>& finish() {
    const auto number = [](const ExportedRealization& one) { return one.row.key.realization; };
    for (ExportedSize& size : sizes_) std::ranges::sort(size.realizations, {}, number);
    if (digests_) digests_->finish();
    return sizes_;
  }

 private:
  std::vector<ExportedSize> sizes_;
  std::optional<RoundDigests> digests_;
};

}  // namespace

std::vector<SizeSummary> export_course(const CampaignSet& campaigns, const CampaignSnapshot& snapshot,
                                       const ExportOptions& options, const std::string& created, Staging& staging) {
  const bool tables = options.kinds != FileKinds::hdf5;
  if (tables) static_cast<void>(staging.path_of(results_file));  // before a long campaign is read
  Reading reading(snapshot, options, staging);
  const CourseAnalysis analysis = analyze_course(read_series(
      campaigns, {.L = options.L, .progress = options.progress, .visit = [&](const auto& row, const auto& rounds) {
                    reading.see(row, rounds);
                  }}));
  std::vector<ExportedSize>& sizes = reading.finish();
  if (options.kinds != FileKinds::tables) {
    write_course_file(staging, snapshot, campaigns.provenances(), created, sizes, analysis, options.raw_hdf5);
  }
  if (tables) {
    std::string lines = realizations_heading;
    for (const ExportedSize& size : sizes) {
      for (const ExportedRealization& r : size.realizations)
        lines += realization_line(r.row, r.averaged, r.bins_digest);
      for (const RealizationRow& row : size.unstarted) lines += realization_line(row, {}, {});
    }
    staging.write(results_file, series_csv(analysis));
    staging.write(realizations_file, lines);
    if (options.covariance == CovarianceTable::with) staging.write(covariance_file, covariance_csv(analysis));
    if (options.raw_table == RawBins::with) write_bins_table(analysis.series, staging);
  }
  std::vector<SizeSummary> summaries;
  for (ExportedSize& size : sizes) {
    summaries.push_back({size.size.L, size.counts, std::move(size.realizations), size.groups});
  }
  return summaries;
}

}}  // namespace glassworks::analysis
