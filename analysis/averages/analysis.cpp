#include "analysis/averages/analysis.hpp"

#include <algorithm>

#include "analysis/averages/averages_need.hpp"
#include "analysis/statistics/estimator_curves.hpp"

namespace glassworks { inline namespace analysis {
namespace {

std::vector<double> errors_of(const Curve& curve) {
  std::vector<double> errors;
  for (std::size_t t = 0; t < curve.temperatures.size(); ++t) errors.push_back(curve.error(t));
  return errors;
}

void note_histories(std::span<const RealizationRow> used, int measurements, SizeResult& size) {
  std::vector<double> lengths;
  for (const RealizationRow& row : used) {
    if (row.judgement.tau > 0.0) lengths.push_back(static_cast<double>(row.rounds) * measurements / row.judgement.tau);
  }
  if (lengths.empty()) return;
  const auto middle = lengths.begin() + std::ssize(lengths) / 2;
  std::nth_element(lengths.begin(), middle, lengths.end());
  size.median_history = *middle;
  size.shortest_history = *std::min_element(lengths.begin(), middle + 1);
}

/// Rows of the realizations that enter the averages.
std::vector<RealizationRow> rows_used(const SizeEnsemble& size) {
  std::vector<RealizationRow> used;
  for (const RealizationRow& row : size.rows) {
    if (std::ranges::binary_search(size.ensemble.realizations, row.key.realization)) used.push_back(row);
  }
  return used;
}

}  // namespace

const ObservableResult* SizeResult::find(const std::string& name) const {
  const auto found =
      std::find_if(observables.begin(), observables.end(), [&](const ObservableResult& o) { return o.name == name; });
  return found == observables.end() ? nullptr : &*found;
}

std::vector<ObservableResult> estimate_observables(const Config& config, const Columns& columns,
                                                   const Ensemble& ensemble, const GroupCorrelation& groups) {
  const auto curves = [&](std::uint32_t group) {
    return make_curves(config, columns, ensemble, ResampledAverages(ensemble, {.group = group}));
  };
  const std::uint32_t counting = groups.applied({}).group;
  std::vector<ObservableResult> observables;
  for (const Curve& curve : curves(counting)) {
    ObservableResult& observable = observables.emplace_back();
    observable.name = curve.observable;
    for (std::size_t t = 0; t < curve.temperatures.size(); ++t) observable.at_slot.push_back(curve.at(t));
    (counting == 1 ? observable.over_realizations : observable.over_groups) = errors_of(curve);
  }
  if (groups.state == GroupState::none) {
    for (ObservableResult& observable : observables) observable.over_realizations.clear();
    return observables;
  }
  const std::vector<Curve> others = curves(counting == 1 ? groups.group : 1);
  for (std::size_t k = 0; k < others.size(); ++k) {
    (counting == 1 ? observables[k].over_groups : observables[k].over_realizations) = errors_of(others[k]);
  }
  return observables;
}

void count_states(std::span<const RealizationRow> rows, int max_rounds, SizeResult& result) {
  RealizationCounts& counts = result.counts;
  for (const RealizationRow& row : rows) {
    ++counts.total;
    if (row.status == RealizationStatus::converged) {
      ++counts.converged;
      continue;
    }
    if (row.rounds > 0) result.unconverged.push_back(row);
    if (row.rounds >= static_cast<std::uint32_t>(max_rounds)) {
      ++counts.reached_maximum;
    } else if (is_finished(row.status)) {
      ++counts.failed;
    } else if (row.rounds > 0) {
      ++counts.running;
    } else {
      ++counts.not_started;
    }
  }
}

void reduce_size(const Config& config, const Columns& columns, std::span<const RealizationSummary> realizations,
                 SizeResult& result, const RunBlocking& blocking) {
  result.counts.used = static_cast<int>(realizations.size());
  if (!realizations.empty()) {
    std::vector<double> trips;
    const auto by_rounds = [](const RealizationSummary& a, const RealizationSummary& b) { return a.rounds < b.rounds; };
    const auto [fewest, most] = std::minmax_element(realizations.begin(), realizations.end(), by_rounds);
    result.fewest_rounds = fewest->rounds;
    result.most_rounds = most->rounds;
    result.fewest_round_trips = realizations.front().round_trips;
    for (const RealizationSummary& r : realizations) {
      result.fewest_round_trips = std::min(result.fewest_round_trips, r.round_trips);
      trips.push_back(static_cast<double>(r.round_trips));
    }
    result.round_trips = mean_over_realizations(trips);
    const Ensemble ensemble = make_ensemble(result.L, result.temperatures, columns, realizations);
    result.groups = group_correlation(config, columns, ensemble);
    result.observables = estimate_observables(config, columns, ensemble, result.groups);
    result.log_bins = log_bin_steps(realizations, result.temperatures.size(), result.groups.applied({}).group);
    result.copies = scatter_of_copies(realizations, result.temperatures.size());
    result.runs = compare_runs(realizations, result.temperatures.size(), blocking, fewest_realizations);
  }
  result.order_parameter = columns.order_parameter().symbol;
  result.verdict = judge({.temperatures = result.temperatures,
                          .observables = result.observables,
                          .steps = result.log_bins,
                          .runs = result.runs,
                          .order_parameter = result.order_parameter,
                          .slots = slots_of(config, result.temperatures.size()),
                          .unmet = result.unmet,
                          .tests = result.tests,
                          .copies = result.copies,
                          .sizes = config.model.L.size()},
                         result.counts);
}

AnalysisResult analyze(const CampaignEnsembles& campaign) {
  AnalysisResult result{.config = campaign.config, .selection = campaign.selection, .sizes = {}};
  for (const SizeEnsemble& of_size : campaign.sizes) {
    SizeResult& size = result.sizes.emplace_back();
    size.L = of_size.size.L;
    size.temperatures = of_size.size.temperatures;
    count_states(of_size.rows, result.config.convergence.max_rounds, size);
    size.tests = of_size.tests;
    size.counts.unconverged_used =
        static_cast<int>(std::count(of_size.converged.begin(), of_size.converged.end(), false));
    if (campaign.selection == Selection::converged_only) {
      size.counts.left_out = static_cast<int>(size.unconverged.size());
    }
    const std::vector<RealizationRow> used = rows_used(of_size);
    const int measurements = measurements_of_L(result.config, size.L);
    note_histories(used, measurements, size);
    size.unmet = unmet_criteria(result.config.convergence, used, measurements,
                                slots_of(result.config, size.temperatures.size()));
    reduce_size(result.config, Columns(result.config, of_size.size), of_size.summaries, size, of_size.blocking);
  }
  return result;
}

AnalysisResult analyze(const CampaignSet& campaigns, const AnalysisOptions& options) {
  require_memory_of_averages(campaigns);
  return analyze(read_ensembles(campaigns, options));
}

}}  // namespace glassworks::analysis
