#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "analysis/basics/jackknife.hpp"
#include "analysis/diagnostics/diagnosed_size.hpp"
#include "analysis/diagnostics/distribution.hpp"
#include "analysis/report/figure.hpp"

namespace glassworks { inline namespace analysis {

/// How replicas move through the ladder of one size, after the equilibration of each realization: acceptance of
/// exchanges, direction of the walk, round trips; and over realizations the distributions of round trips, of their
/// autocorrelation time and of the length of histories.
class TemperatureWalk {
 public:
  explicit TemperatureWalk(std::shared_ptr<const DiagnosedSize> size) : size_(std::move(size)) {}

  void add(const RealizationRow& row, std::span<const RoundRow> rounds);
  void merge(TemperatureWalk&& other) { walks_.merge(other.walks_); }

  [[nodiscard]] const DiagnosedSize& size() const { return *size_; }
  [[nodiscard]] std::size_t realizations() const { return walks_.size(); }

  /// Acceptance of the exchange of slots t and t+1, of all attempts.
  [[nodiscard]] Estimate acceptance(std::size_t pair) const;
  /// f(T): replicas that visited T_1 after T_max, of all that visited an end.
  [[nodiscard]] Estimate up_fraction(std::size_t slot) const;
  /// Lambda = sum over pairs of 1 - acceptance.
  [[nodiscard]] Estimate rejections() const;
  /// Round trips T_1 -> T_max -> T_1 of one copy (all its replicas) per exchange step.
  [[nodiscard]] Estimate round_trip_rate() const;
  /// Upper bound 1/(2 + 2 Lambda) of this rate, even-odd schedule.
  /// Source: Syed, Bouchard-Cote, Deligiannidis & Doucet, JRSSB 84, 321 (2022).
  [[nodiscard]] Estimate rate_bound() const;

  /// Of all replicas in all rounds, one number for each realization, by its id.
  [[nodiscard]] Distribution round_trips() const;
  /// Measurements that a replica takes for a round trip: history * replicas / round trips; infinite without any.
  [[nodiscard]] Distribution round_trip_time() const;
  /// tau of the last decision about the realization [measurements]; those that have not been judged are left out.
  [[nodiscard]] Distribution tau() const;
  /// Measurements made.
  [[nodiscard]] Distribution history_length() const;

 private:
  struct Walk {
    /// Per measurement: attempts, accepted [pair], up, down [slot], then round trips per exchange step and copy.
    std::vector<double> rates;
    double round_trips = 0.0, tau = 0.0, measurements = 0.0;  ///< of the whole history
  };
  [[nodiscard]] std::size_t pairs() const { return size_->slots() - 1; }
  [[nodiscard]] Estimate of_rates(const std::vector<std::size_t>& columns,
                                  const std::function<double(std::span<const double>)>& f) const;
  [[nodiscard]] Estimate of_rejections(const std::function<double(double Lambda)>& f) const;

  std::shared_ptr<const DiagnosedSize> size_;
  std::map<std::uint32_t, Walk> walks_;  ///< by realization
};

/// Acceptance and direction of the walk against T, round-trip rate against L with its bound.
[[nodiscard]] std::vector<Item> walk_items(std::span<const TemperatureWalk* const> sizes);

/// Distributions over realizations of round trips, tau and length, with their tails, and quantiles as a table.
[[nodiscard]] std::vector<Item> walk_distribution_items(std::span<const TemperatureWalk* const> sizes);

}}  // namespace glassworks::analysis
