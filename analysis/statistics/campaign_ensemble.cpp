#include "analysis/statistics/campaign_ensemble.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "analysis/observables/estimators.hpp"
#include "analysis/statistics/run_agreement.hpp"

namespace glassworks { inline namespace analysis {
namespace {

SizeEnsemble read_size(const CampaignSet& campaigns, const Config& config, const SizeRow& size,
                       const ReadingOptions& options) {
  SizeEnsemble result;
  result.size = size;
  const Columns columns(config, size);
  static_cast<void>(make_estimators(config, size.L, columns));  // a column that is missing shows before the long pass
  if (runs_agree_in_equilibrium(config)) result.blocking = run_blocking(config, campaigns.realizations(size.L));
  const ChainObservables observables(config.bins(), size.observables);
  const bool converged_only = options.selection == Selection::converged_only;
  const SummaryVisitor also = options.also ? options.also(size) : SummaryVisitor();
  const RealizationVisitor visitor = [&](const RealizationRow& row, std::span<const RoundRow> rounds) -> Keep {
    const HistoryTests tests = test_history(config, observables, row, rounds, size.temperatures.size());
    const bool converged = row.status == RealizationStatus::converged;
    if (converged_only && !converged) return [&result, tests] { result.tests.add(tests); };
    RealizationSummary summary = summarize(row.key, rounds, columns, size.temperatures.size(),
                                           row.judgement.equilibration_rounds, result.blocking.rounds);
    summary.tests = tests;
    Keep other = also ? also(row, rounds, summary) : Keep();
    return [&result, other = std::move(other), converged, summary = std::move(summary)]() mutable {
      result.tests.add(summary.tests);
      result.summaries.push_back(std::move(summary));
      result.converged.push_back(converged);
      if (other) other();
    };
  };
  const PassOptions pass{
      .threads = options.threads, .samples = options.samples, .wanted = {}, .progress = options.progress};
  result.rows = for_each_realization(campaigns, size.L, visitor, pass);
  result.ensemble = make_ensemble(size.L, size.temperatures, columns, result.summaries);
  return result;
}

}  // namespace

CampaignEnsembles read_ensembles(const CampaignSet& campaigns, const ReadingOptions& options) {
  CampaignEnsembles result{.config = campaigns.config(), .selection = options.selection, .sizes = {}};
  for (const SizeRow& size : campaigns.sizes()) {
    result.sizes.push_back(read_size(campaigns, result.config, size, options));
  }
  const bool any = std::any_of(result.sizes.begin(), result.sizes.end(),
                               [](const SizeEnsemble& size) { return !size.summaries.empty(); });
  if (any) return result;
  if (options.selection == Selection::converged_only) {
    throw std::runtime_error(
        "No realization of this campaign has converged (only these may be used). Use all of them, or run it longer.");
  }
  throw std::runtime_error("This campaign has no finished round yet (nothing to average). Run it first.");
}

std::vector<std::string> column_names(const Columns& columns) {
  std::vector<std::string> names;
  for (std::size_t column = 0; column < columns.stored(); ++column) names.push_back(columns.name(column));
  names.resize(columns.size());
  names[columns[Columns::energy_product]] = "energy_product";
  names[columns[Columns::attempts]] = "attempts";
  names[columns[Columns::accepted]] = "accepted";
  names[columns[Columns::walkers_up]] = "walkers_up";
  names[columns[Columns::walkers_down]] = "walkers_down";
  return names;
}

Ensemble make_ensemble(int L, std::span<const double> temperatures, const Columns& columns,
                       std::span<const RealizationSummary> summaries) {
  Ensemble ensemble{.L = L,
                    .temperatures = {temperatures.begin(), temperatures.end()},
                    .columns = column_names(columns),
                    .realizations = {},
                    .values = {}};
  ensemble.values.reserve(summaries.size() * temperatures.size() * columns.size());
  for (const RealizationSummary& summary : summaries) {
    ensemble.realizations.push_back(summary.key.realization);
    ensemble.values.insert(ensemble.values.end(), summary.mean.begin(), summary.mean.end());
  }
  return ensemble;
}

Ensemble select(const Ensemble& ensemble, const std::vector<bool>& use) {
  Ensemble part{.L = ensemble.L,
                .temperatures = ensemble.temperatures,
                .columns = ensemble.columns,
                .realizations = {},
                .values = {}};
  const std::size_t width = ensemble.temperatures.size() * ensemble.columns.size();
  for (std::size_t r = 0; r < ensemble.realizations.size(); ++r) {
    if (!use[r]) continue;
    part.realizations.push_back(ensemble.realizations[r]);
    const auto first = ensemble.values.begin() + static_cast<std::ptrdiff_t>(r * width);
    std::copy_n(first, width, std::back_inserter(part.values));
  }
  return part;
}

}}  // namespace glassworks::analysis
