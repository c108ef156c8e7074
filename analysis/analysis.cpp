#include "analysis/analysis.hpp"

#include <algorithm>
#include <stdexcept>

#include "analysis/estimators.hpp"

namespace glassworks {
namespace {

std::vector<ObservableResult> estimate(const std::vector<Estimator>& estimators, const Columns& columns,
                                       std::span<const RealizationSummary> realizations,
                                       std::span<const double> temperatures) {
  std::vector<ObservableResult> observables;
  for (const Estimator& e : estimators) observables.push_back({e.name, {}});
  for (std::size_t slot = 0; slot < temperatures.size(); ++slot) {
    SampleTable samples(columns.size());
    for (const RealizationSummary& r : realizations) {
      samples.add(std::span(r.mean).subspan(slot * columns.size(), columns.size()));
    }
    const double beta = 1.0 / temperatures[slot];
    const std::vector<Estimate> values =
        jackknife(samples, estimators.size(), [&](std::span<const double> averages, std::span<double> out) {
          for (std::size_t k = 0; k < estimators.size(); ++k) out[k] = estimators[k].value(averages, beta);
        });
    const bool last = slot + 1 == temperatures.size();
    for (std::size_t k = 0; k < estimators.size(); ++k) {
      if (!(last && estimators[k].of_pair)) observables[k].at_slot.push_back(values[k]);
    }
  }
  return observables;
}

SizeResult analyze_size(const Database& database, const Config& config, const SizeRow& size,
                        const AnalysisOptions& options) {
  SizeResult result;
  result.L = size.L;
  result.temperatures = size.temperatures;
  const std::vector<RealizationRow> rows = database.realizations(size.L);
  count_states(rows, config.convergence.max_rounds, result);

  const Columns columns(size.observables, config.model.dim);
  std::vector<RealizationSummary> realizations;
  int done = 0;
  for (const RealizationRow& row : rows) {
    const bool converged = row.status == RealizationStatus::converged;
    if (row.rounds > 0 && (converged || options.selection == Selection::all_with_data)) {
      const std::vector<RoundRow> rounds = database.rounds(row.key);
      // A campaign that runs may have committed more since the rows were read; it cannot have less.
      if (!rounds.empty()) {
        realizations.push_back(
            summarize(row.key, rounds, columns, size.temperatures.size(), row.judgement.equilibration_rounds));
        if (!converged) ++result.counts.unconverged_used;
      }
    }
    if (options.progress) options.progress(size.L, ++done, static_cast<int>(rows.size()));
  }
  reduce_size(config, columns, realizations, result);
  return result;
}

}  // namespace

const ObservableResult* SizeResult::find(const std::string& name) const {
  const auto found =
      std::find_if(observables.begin(), observables.end(), [&](const ObservableResult& o) { return o.name == name; });
  return found == observables.end() ? nullptr : &*found;
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
                 SizeResult& result) {
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
    const std::vector<Estimator> estimators = make_estimators(config, result.L, columns);
    result.observables = estimate(estimators, columns, realizations, result.temperatures);
    result.log_bins = log_bin_steps(realizations, result.temperatures.size());
  }
  result.verdict = judge(result.temperatures, result.observables, result.log_bins, result.counts);
}

AnalysisResult analyze(const Database& database, const AnalysisOptions& options) {
  AnalysisResult result;
  result.config = parse_config(database.config_text());
  result.selection = options.selection;
  for (const SizeRow& size : database.sizes()) {
    result.sizes.push_back(analyze_size(database, result.config, size, options));
  }
  const bool any = std::any_of(result.sizes.begin(), result.sizes.end(),
                               [](const SizeResult& size) { return size.counts.used > 0; });
  if (any) return result;
  if (options.selection == Selection::converged_only) {
    throw std::runtime_error(
        "No realization of this campaign has converged (only those were asked for). Use all of them, or run it on.");
  }
  throw std::runtime_error("This campaign has no finished round yet (nothing to average). Run it first.");
}

}  // namespace glassworks
