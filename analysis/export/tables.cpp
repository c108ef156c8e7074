#include "analysis/export/tables.hpp"

#include <fmt/format.h>

#include <iterator>
#include <string_view>

#include "analysis/averages/csv.hpp"
#include "base/text.hpp"

namespace glassworks { inline namespace analysis {
namespace {

void append(DurableFile& file, std::string_view text) { file.append(std::as_bytes(std::span(text))); }

}  // namespace

std::string realization_line(const RealizationRow& row, RoundRange averaged, const std::string& bins_digest) {
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", row.key.L, row.key.realization, to_string(row.status),
                     row.rounds, row.round_trips, shortest(row.judgement.tau), row.judgement.equilibration_rounds,
                     averaged.first, averaged.last, bins_digest, row.state_digest, csv_field(row.reason));
}

TableWriter::TableWriter(Staging& staging, CovarianceTable covariance, RawBins raw) : staging_(staging) {
  realizations_ = realizations_heading;
  // What cannot be written is found before a long campaign is read.
  static_cast<void>(staging_.path_of(results_file));
  static_cast<void>(staging_.path_of(realizations_file));
  if (covariance == CovarianceTable::with) {
    append(covariance_.emplace(staging_.path_of(covariance_file)), "L,observable,T,T_other,covariance\n");
  }
  if (raw == RawBins::with) {
    append(bins_.emplace(staging_.path_of(bins_file)), "L,realization,round,T,observable,mean\n");
  }
}

void TableWriter::begin_size(const CampaignSnapshot::Size& snapshot) { size_ = snapshot.size; }

void TableWriter::add(const ExportedRealization& realization, std::span<const RoundRow> rounds) {
  if (!bins_) return;
  for (const RoundRow& row : rounds) {
    std::string text;
    std::size_t at = 0;
    for (const double T : size_.temperatures) {
      for (const std::string& observable : size_.observables) {
        fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{}\n", size_.L, realization.row.key.realization,
                       row.round, T, csv_field(observable), shortest(row.record.mean[at++]));
      }
    }
    append(*bins_, text);
  }
}

void TableWriter::end_size(const ExportedSize& size) {
  SizeResult result;
  result.L = size.size.L;
  result.temperatures = size.size.temperatures;
  result.groups = size.groups;
  result.observables = size.observables;
  results_.sizes.push_back(std::move(result));
  for (const ExportedRealization& r : size.realizations) {
    realizations_ += realization_line(r.row, r.averaged, r.bins_digest);
  }
  for (const RealizationRow& row : size.unstarted) realizations_ += realization_line(row, {}, {});
  if (covariance_) add_covariance(size);
}

void TableWriter::add_covariance(const ExportedSize& size) {
  for (const Curve& curve : size.curves) {
    std::string text;
    for (std::size_t t = 0; t < curve.temperatures.size(); ++t) {
      for (std::size_t u = 0; u < curve.temperatures.size(); ++u) {
        fmt::format_to(std::back_inserter(text), "{},{},{},{},{}\n", curve.L, curve.observable, curve.temperatures[t],
                       curve.temperatures[u], shortest(curve.covariance(t, curve, u)));
      }
    }
    append(*covariance_, text);
  }
}

void TableWriter::finish() {
  staging_.write(results_file, csv_text(results_));
  staging_.write(realizations_file, realizations_);
  if (covariance_) {
    covariance_->publish();
    staging_.finished(covariance_file);
  }
  if (bins_) {
    bins_->publish();
    staging_.finished(bins_file);
  }
}

}}  // namespace glassworks::analysis
