#include "analysis/diagnostics/sample_fluctuations.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "analysis/observables/estimators.hpp"
#include "analysis/observables/observable_formulas.hpp"
#include "analysis/statistics/history.hpp"

namespace glassworks { inline namespace analysis {

void SampleFluctuations::add(const RealizationRow& row, std::span<const RoundRow> rounds) {
  if (rounds.empty()) return;
  const RoundRange part =
      equilibrated_part(static_cast<std::uint32_t>(rounds.size()), row.judgement.equilibration_rounds);
  const std::span<const RoundRow> used = rounds.subspan(part.first, part.last - part.first);
  const std::size_t half = used.size() / 2;
  if (is_one_system(size_->config) || size_->config.replicas.copies == 1) return;
  const OrderParameter order = size_->columns.order_parameter();
  const std::size_t zero = order.zero.front();
  const std::vector<std::size_t>& kmin = order.kmin;
  const auto mean = [&](std::span<const RoundRow> some, std::size_t slot, std::span<const std::size_t> columns) {
    double sum = 0.0;
    for (const RoundRow& round : some) {
      for (const std::size_t column : columns) sum += size_->bin(round, slot)[column];
    }
    return sum / static_cast<double>(some.size() * columns.size());  // IEEE 754: NaN for no rounds
  };
  std::vector<Means> means;
  for (std::size_t slot = 0; slot < size_->slots(); ++slot) {
    const std::span<const std::size_t> q(&zero, 1);
    means.push_back({mean(used, slot, q), mean(used.first(half), slot, q),
                     half > 0 ? mean(used.subspan(half), slot, q) : std::numeric_limits<double>::quiet_NaN(),
                     mean(used, slot, kmin)});
  }
  means_.insert_or_assign(row.key.realization, std::move(means));
}

Distribution SampleFluctuations::relative_susceptibility(std::size_t slot) const {
  Distribution d{size_->L, {}};
  double sum = 0.0;
  for (const auto& [realization, means] : means_) {
    d.values.push_back(means[slot][whole]);
    sum += means[slot][whole];
  }
  for (double& value : d.values) value *= static_cast<double>(d.values.size()) / sum;
  return d;
}

Distribution SampleFluctuations::correlation_ratio(std::size_t slot) const {
  Distribution d{size_->L, {}};
  for (const auto& [realization, means] : means_) {
    const double xi = correlation_length(means[slot][whole], means[slot][whole_kmin], size_->L) / size_->L;
    if (std::isfinite(xi)) d.values.push_back(xi);
  }
  return d;
}

Estimate SampleFluctuations::relative_variance(std::size_t slot) const {
  SampleTable samples(3);
  for (const auto& [realization, means] : means_) {
    const double a = means[slot][first_half], b = means[slot][second_half];
    if (std::isfinite(a) && std::isfinite(b)) samples.add(std::array{a, b, a * b});
  }
  // n/(n - 1) makes the covariance free of bias.
  const auto n = static_cast<double>(samples.rows());
  Estimate e = jackknife(samples, [](std::span<const double> x) { return (x[2] - x[0] * x[1]) / (x[0] * x[1]); });
  e.mean *= n / (n - 1.0);
  e.error *= n / (n - 1.0);
  return e;
}

Estimate SampleFluctuations::raw_relative_variance(std::size_t slot) const {
  SampleTable samples(2);
  for (const auto& [realization, means] : means_) {
    samples.add(std::array{means[slot][whole], means[slot][whole] * means[slot][whole]});
  }
  const auto n = static_cast<double>(samples.rows());
  Estimate e = jackknife(samples, [](std::span<const double> x) { return (x[1] - x[0] * x[0]) / (x[0] * x[0]); });
  e.mean *= n / (n - 1.0);
  e.error *= n / (n - 1.0);
  return e;
}

}}  // namespace glassworks::analysis
