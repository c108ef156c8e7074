#include "analysis/export/series_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "analysis/averages/csv.hpp"
#include "analysis/series/campaign_series.hpp"
#include "base/text.hpp"

namespace glassworks { inline namespace analysis {
namespace {

std::string series_name(RealizationKey key) { return fmt::format("series/L{:03}-r{:06}.csv", key.L, key.realization); }

std::string heading(const char* begin, const std::vector<std::string>& observables) {
  std::string text = begin;
  for (const std::string& name : observables) text += ',' + csv_field(name);
  return text + '\n';
}

/// Accepted part of the exchanges of a pair of slots in a round; NaN where none was tried.
double acceptance_of(const RoundRecord& record, std::size_t pair) {
  if (pair >= record.exchange_attempts.size() || record.exchange_attempts[pair] == 0) return std::nan("");
  return static_cast<double>(record.exchange_accepted[pair]) / static_cast<double>(record.exchange_attempts[pair]);
}

std::string rounds_table(const SizeRow& size, const std::vector<RoundRow>& rounds) {
  std::string text = heading("round,slot,T,measurements,acceptance", size.observables);
  for (const RoundRow& row : rounds) {
    for (std::size_t slot = 0; slot < size.temperatures.size(); ++slot) {
      fmt::format_to(std::back_inserter(text), "{},{},{},{},{}", row.round, slot, shortest(size.temperatures[slot]),
                     row.record.measurements, shortest(acceptance_of(row.record, slot)));
      for (std::size_t i = 0; i < size.observables.size(); ++i) {
        text += ',' + shortest(row.record.mean.at(slot * size.observables.size() + i));
      }
      text += '\n';
    }
  }
  return text;
}

std::string times_table(const SizeSeries& series, std::size_t realization) {
  std::string text = heading("t,slot,T", series.observables);
  for (std::size_t time = 0; time < series.realizations[realization].times; ++time) {
    for (std::size_t slot = 0; slot < series.slots(); ++slot) {
      const std::span<const double> values = series.row(realization, time, slot);
      fmt::format_to(std::back_inserter(text), "{},{},{}", series.times[time], slot,
                     shortest(series.temperature[time][slot]));
      for (const double value : values) text += ',' + shortest(value);
      text += '\n';
    }
  }
  return text;
}

}  // namespace

void export_series(const CampaignSet& campaigns, const ExportSummary& summary, const RealizationChoice& choice,
                   Staging& staging, const std::function<void(int L, int done, int total)>& progress) {
  if (has_course(campaigns)) {
    for (const SizeSeries& series : read_series(campaigns, {.L = choice.L, .progress = progress, .visit = {}}).sizes) {
      for (std::size_t i = 0; i < series.realizations.size(); ++i) {
        const RealizationKey key{series.L, series.realizations[i].realization};
        if (choice.takes(key)) staging.write(series_name(key), times_table(series, i));
      }
    }
    return;
  }
  std::map<RealizationKey, std::uint32_t> rounds;
  for (const SizeSummary& size : summary.sizes) {
    for (const ExportedRealization& r : size.realizations) rounds[r.row.key] = r.row.rounds;
  }
  for (const Database* database : campaigns.members()) {
    const std::vector<SizeRow> sizes = database->sizes();
    for (const SizeRow& size : sizes) {
      if (choice.L && *choice.L != size.L) continue;
      const std::vector<RealizationRow> rows = database->realizations(size.L);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto known = rounds.find(rows[i].key);
        const std::uint32_t wanted = known != rounds.end() ? known->second : summary.sizes.empty() ? rows[i].rounds : 0;
        if (wanted > 0 && choice.takes(rows[i].key)) {
          std::vector<RoundRow> history = database->rounds(rows[i].key, 0, RoundSamples::skip);
          history.resize(std::min<std::size_t>(history.size(), wanted));  // it may have gone on since
          staging.write(series_name(rows[i].key), rounds_table(size, history));
        }
        if (progress) progress(size.L, static_cast<int>(i) + 1, static_cast<int>(rows.size()));
      }
    }
  }
}

}}  // namespace glassworks::analysis
