#include "analysis/export/snapshot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "analysis/averages/analysis.hpp"
#include "analysis/observables/estimators.hpp"
#include "analysis/statistics/campaign_ensemble.hpp"
#include "analysis/statistics/estimator_curves.hpp"
#include "analysis/statistics/for_each_realization.hpp"
#include "db/bins.hpp"

namespace glassworks { inline namespace analysis {
namespace {

/// Beside the one that writes; more would only keep more histories in memory.
constexpr int reading_threads = 2;

std::string digest_of(std::span<const RoundRow> rounds) {
  Digest digest;
  for (const RoundRow& row : rounds) db::add_to_digest(digest, row.round, row.record);
  return digest.hex();
}

}  // namespace

CampaignSnapshot take_snapshot(const CampaignSet& campaigns, std::optional<int> L) {
  CampaignSnapshot snapshot;
  // Rows before sizes: a ladder is frozen before its first round, so the temperatures of a row with rounds are final.
  const std::vector<RealizationRow> rows = campaigns.realizations(L);
  snapshot.config_text = campaigns.config_text();
  snapshot.config = campaigns.config();
  snapshot.parameters_text = campaigns.members().size() == 1 ? snapshot.config_text : canonical_text(snapshot.config);
  for (const SizeRow& size : campaigns.sizes()) {
    if (L && size.L != *L) continue;
    CampaignSnapshot::Size& out = snapshot.sizes.emplace_back();
    out.size = size;
    std::ranges::copy_if(rows, std::back_inserter(out.rows),
                         [&](const RealizationRow& row) { return row.key.L == size.L; });
  }
  if (std::ranges::none_of(rows, [](const RealizationRow& row) { return row.rounds > 0; })) {
    throw std::runtime_error(fmt::format("This campaign has no finished round yet{} (nothing to export). Run it first.",
                                         L ? fmt::format(" of L = {}", *L) : ""));
  }
  return snapshot;
}

ExportedSize read_size(const CampaignSet& campaigns, const Config& config, const CampaignSnapshot::Size& snapshot,
                       const HistoryVisitor& visit, const std::function<void(int, int, int)>& progress) {
  const SizeRow& size = snapshot.size;
  ExportedSize out;
  out.size = size;
  SizeResult counted;
  count_states(snapshot.rows, config.convergence.max_rounds, counted);
  out.counts = counted.counts;
  std::ranges::copy_if(snapshot.rows, std::back_inserter(out.unstarted),
                       [](const RealizationRow& row) { return row.rounds == 0; });

  const Columns columns(config, size);
  static_cast<void>(make_estimators(config, size.L, columns));  // a column that is missing shows before the long pass
  std::vector<RealizationSummary> summaries;
  const auto row_of = [&](RealizationKey key) -> const RealizationRow* {
    const auto place = std::ranges::lower_bound(snapshot.rows, key, {}, &RealizationRow::key);
    return place == snapshot.rows.end() || place->key != key ? nullptr : &*place;
  };
  const auto look = [&](const RealizationRow& now, std::span<const RoundRow> all) -> Keep {
    const RealizationRow& row = *row_of(now.key);
    const std::span<const RoundRow> rounds = all.first(row.rounds);
    const std::uint32_t left_out = row.judgement.equilibration_rounds;
    RealizationSummary summary = summarize(row.key, rounds, columns, size.temperatures.size(), left_out);
    ExportedRealization realization{row, equilibrated_part(row.rounds, left_out), digest_of(rounds)};
    return [&, rounds, summary = std::move(summary), realization = std::move(realization)] {
      visit(realization, rounds);
      summaries.push_back(summary);
      out.realizations.push_back(realization);
      ++out.counts.used;
      if (realization.row.status != RealizationStatus::converged) ++out.counts.unconverged_used;
    };
  };
  // Rounds that were committed since the snapshot are left out.
  const auto wanted = [&](const RealizationRow& now) {
    const RealizationRow* row = row_of(now.key);
    return row != nullptr && row->rounds > 0;
  };
  for_each_realization(
      campaigns, size.L, look,
      {.threads = reading_threads, .samples = RoundSamples::read, .wanted = wanted, .progress = progress});
  if (!summaries.empty()) {
    out.averages = make_ensemble(size.L, size.temperatures, columns, summaries);
    out.groups = group_correlation(config, columns, out.averages);
    out.curves = make_curves(config, columns, out.averages, ResampledAverages(out.averages, out.groups.applied({})));
    out.observables = estimate_observables(config, columns, out.averages, out.groups);
  }
  return out;
}

}}  // namespace glassworks::analysis
