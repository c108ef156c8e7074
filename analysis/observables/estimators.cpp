#include "analysis/observables/estimators.hpp"

#include <utility>

namespace glassworks { inline namespace analysis {

std::vector<Estimator> make_estimators(const Config& config, int L, const Columns& columns) {
  const ObservableContext context(config, L, columns);
  std::vector<Estimator> estimators;
  for (const Observable& row : observables()) {
    if (!row.estimator || !row.holds_for(config)) continue;
    if (AverageFunction value = row.estimator(context)) {
      estimators.push_back({row.name, std::move(value), row.of_pair});
    }
  }
  return estimators;
}

}}  // namespace glassworks::analysis
