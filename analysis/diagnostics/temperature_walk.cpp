#include "analysis/diagnostics/temperature_walk.hpp"

#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "analysis/statistics/history.hpp"
#include "engine/ladder/ladder_adaptation.hpp"

namespace glassworks { inline namespace analysis {
namespace {

double ratio(double a, double b) { return b > 0.0 ? a / b : std::numeric_limits<double>::quiet_NaN(); }

double sum(const std::vector<std::uint32_t>& counts) { return std::accumulate(counts.begin(), counts.end(), 0.0); }

}  // namespace

void TemperatureWalk::add(const RealizationRow& row, std::span<const RoundRow> rounds) {
  if (rounds.empty()) return;
  const auto n = static_cast<std::uint32_t>(rounds.size());
  const RoundRange used = equilibrated_part(n, row.judgement.equilibration_rounds);
  const std::size_t slots = size_->slots(), trips = 2 * pairs() + 2 * slots;
  Walk walk;
  walk.rates.assign(trips + 1, 0.0);
  walk.tau = row.judgement.tau;
  double measurements = 0.0;
  for (std::uint32_t i = 0; i < n; ++i) {
    const RoundRecord& record = rounds[i].record;
    walk.round_trips += sum(record.round_trips);
    walk.measurements += record.measurements;
    if (i < used.first) continue;
    measurements += record.measurements;
    walk.rates[trips] += sum(record.round_trips);
    for (std::size_t pair = 0; pair < pairs(); ++pair) {
      walk.rates[pair] += static_cast<double>(record.exchange_attempts[pair]);
      walk.rates[pairs() + pair] += static_cast<double>(record.exchange_accepted[pair]);
    }
    for (std::size_t slot = 0; slot < slots; ++slot) {
      walk.rates[2 * pairs() + slot] += record.walk_up[slot];
      walk.rates[2 * pairs() + slots + slot] += record.walk_down[slot];
    }
  }
  for (double& rate : walk.rates) rate /= measurements;
  walk.rates[trips] /=
      size_->config.protocol.exchanges_per_measurement * static_cast<double>(size_->config.replicas.copies);
  walks_.insert_or_assign(row.key.realization, std::move(walk));
}

Estimate TemperatureWalk::of_rates(const std::vector<std::size_t>& columns,
                                   const std::function<double(std::span<const double>)>& f) const {
  SampleTable samples(columns.size());
  std::vector<double> chosen;
  for (const auto& [realization, walk] : walks_) {
    chosen.clear();
    for (const std::size_t column : columns) chosen.push_back(walk.rates[column]);
    samples.add(chosen);
  }
  return jackknife(samples, f);
}

Estimate TemperatureWalk::acceptance(std::size_t pair) const {
  return of_rates({pair, pairs() + pair}, [](std::span<const double> x) { return ratio(x[1], x[0]); });
}

Estimate TemperatureWalk::up_fraction(std::size_t slot) const {
  const std::size_t up = 2 * pairs() + slot;
  return of_rates({up, up + size_->slots()}, [](std::span<const double> x) { return ratio(x[0], x[0] + x[1]); });
}

Estimate TemperatureWalk::of_rejections(const std::function<double(double)>& f) const {
  std::vector<std::size_t> columns(2 * pairs());
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  return of_rates(columns, [&](std::span<const double> x) {
    double Lambda = 0.0;
    for (std::size_t pair = 0; pair < pairs(); ++pair) Lambda += 1.0 - ratio(x[pairs() + pair], x[pair]);
    return f(Lambda);
  });
}

Estimate TemperatureWalk::rejections() const {
  return of_rejections([](double Lambda) { return Lambda; });
}

Estimate TemperatureWalk::rate_bound() const { return of_rejections(round_trip_rate_bound); }

Estimate TemperatureWalk::round_trip_rate() const {
  return of_rates({2 * pairs() + 2 * size_->slots()}, [](std::span<const double> x) { return x[0]; });
}

Distribution TemperatureWalk::round_trips() const {
  Distribution d{size_->L, {}};
  for (const auto& [realization, walk] : walks_) d.values.push_back(walk.round_trips);
  return d;
}

Distribution TemperatureWalk::round_trip_time() const {
  const double replicas = size_->config.replicas.copies * static_cast<double>(size_->slots());
  Distribution d{size_->L, {}};
  for (const auto& [realization, walk] : walks_) {
    d.values.push_back(walk.measurements * replicas / walk.round_trips);  // IEEE 754: infinite without a trip
  }
  return d;
}

Distribution TemperatureWalk::tau() const {
  Distribution d{size_->L, {}};
  for (const auto& [realization, walk] : walks_) {
    if (walk.tau > 0.0) d.values.push_back(walk.tau);
  }
  return d;
}

Distribution TemperatureWalk::history_length() const {
  Distribution d{size_->L, {}};
  for (const auto& [realization, walk] : walks_) d.values.push_back(walk.measurements);
  return d;
}

}}  // namespace glassworks::analysis
