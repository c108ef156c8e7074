#include "analysis/statistics/estimator_curves.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "analysis/basics/value_format.hpp"
#include "analysis/observables/estimators.hpp"
#include "analysis/statistics/campaign_ensemble.hpp"

namespace glassworks { inline namespace analysis {
namespace {

/// Where the columns of a campaign are found in an ensemble; NaN stands for those that are not.
class ColumnMap {
 public:
  ColumnMap(const Columns& columns, const Ensemble& ensemble) : source_(columns.size()) {
    for (std::size_t i = 0; i < ensemble.columns.size(); ++i) place_[ensemble.columns[i]] = i;
    const std::vector<std::string> names = column_names(columns);
    for (std::size_t column = 0; column < names.size(); ++column) find(column, names[column]);
    // Means over equivalent wave vectors: every one of these has the mean, so that their mean is the same.
    for (const std::string& name : ensemble.columns) {
      for (const std::size_t column : columns_of_sample(columns, name)) find(column, name);
    }
    if (!columns.has_modes("overlap_k", 0)) return;
    for (const std::size_t column : columns.modes("overlap_k", 0)) find(column, "overlap_2");
  }

  [[nodiscard]] bool complete() const {
    return std::all_of(source_.begin(), source_.end(), [](const auto& source) { return source.has_value(); });
  }
  /// Averages of the ensemble in the order of the campaign's columns.
  void arrange(std::span<const double> averages, std::span<double> arranged) const {
    for (std::size_t column = 0; column < source_.size(); ++column) {
      arranged[column] = source_[column] ? averages[*source_[column]] : nan;
    }
  }

 private:
  void find(std::size_t column, const std::string& name) {
    const auto found = place_.find(name);
    if (!source_[column] && found != place_.end()) source_[column] = found->second;
  }

  std::map<std::string, std::size_t> place_;
  std::vector<std::optional<std::size_t>> source_;  // [column of the campaign]
};

bool has_a_value(const Curve& curve) {
  return std::any_of(curve.value.begin(), curve.value.end(), [](double x) { return !std::isnan(x); });
}

}  // namespace

std::vector<Curve> make_curves(const Config& config, const Columns& columns, const Ensemble& ensemble,
                               const ResampledAverages& averages) {
  const ColumnMap map(columns, ensemble);
  const std::vector<Estimator> estimators = make_estimators(config, ensemble.L, columns);
  std::vector<Curve> curves;
  for (const Estimator& estimator : estimators) {
    Curve& curve = curves.emplace_back();
    curve.observable = estimator.name;
    curve.L = ensemble.L;
    curve.temperatures = ensemble.temperatures;
    if (estimator.of_pair && !curve.temperatures.empty()) curve.temperatures.pop_back();
    curve.sampled.resize(averages.samples());
    curve.spread = averages.spread();
    curve.realizations = static_cast<int>(ensemble.realizations.size());
    curve.groups = averages.groups();
  }
  std::vector<double> arranged(columns.size());
  for (std::size_t t = 0; t < ensemble.temperatures.size(); ++t) {
    const double beta = 1.0 / ensemble.temperatures[t];
    for (std::size_t s = 0; s <= averages.samples(); ++s) {
      const bool whole = s == averages.samples();
      map.arrange(whole ? averages.whole(t) : averages.sample(s, t), arranged);
      for (std::size_t k = 0; k < curves.size(); ++k) {
        if (t >= curves[k].temperatures.size()) continue;
        (whole ? curves[k].value : curves[k].sampled[s]).push_back(estimators[k].value(arranged, beta));
      }
    }
  }
  if (!map.complete()) std::erase_if(curves, [](const Curve& curve) { return !has_a_value(curve); });
  return curves;
}

const Curve* find_curve(const std::vector<Curve>& curves, const std::string& observable) {
  const auto found =
      std::find_if(curves.begin(), curves.end(), [&](const Curve& curve) { return curve.observable == observable; });
  return found == curves.end() ? nullptr : &*found;
}

}}  // namespace glassworks::analysis
