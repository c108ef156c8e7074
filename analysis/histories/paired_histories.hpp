#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "analysis/statistics/campaign_ensemble.hpp"
#include "analysis/statistics/curve.hpp"

namespace glassworks { inline namespace analysis {

/// Another history of some realizations beside that of the campaign: paired differences of an observable, other minus
/// first, over the same realizations, so that the disorder cancels.
struct PairedObservable {
  std::string name;
  Curve difference;  ///< with the resampled sets that both histories share
  /// Mean over the temperatures of difference / its own error, and that mean by its resampled error: the significance
  /// of a difference over all temperatures together, with their correlations. 0 where nothing differs.
  double sigma = 0.0;
  /// Mean over the temperatures of difference / error of the campaign, which averages over all its realizations: what
  /// the difference means for its results.
  Estimate in_campaign_errors;
  /// Temperature of the largest |difference| / error of the campaign, and this ratio with its sign.
  double worst_T = 0.0, worst = 0.0;
};

struct PairedHistories {
  int L = 0;
  std::size_t pairs = 0;
  std::size_t missing = 0;  ///< realizations with another history that cannot be compared: not converged in one of both
  std::vector<PairedObservable> observables;  ///< empty with fewer than fewest_pairs
  /// |sigma| beyond which a difference is significant: a two-sided quantile of Student's t with pairs - 1 degrees of
  /// freedom at the level of one of family::further_histories, the observables of all sizes.
  double limit = 0.0;
};

/// Pairs below which nothing is compared: the errors themselves are too uncertain.
constexpr std::size_t fewest_pairs = 8;

/// Probability that chance makes the difference of one observable as significant, of so many pairs.
[[nodiscard]] double chance_of(double sigma, std::size_t pairs);

/// Compares the realizations that have converged in both, by their numbers. Both have the same temperatures and
/// columns. Errors: jackknife over the pairs.
[[nodiscard]] PairedHistories compare_histories(const Config& config, const SizeEnsemble& first,
                                                const SizeEnsemble& other);

}}  // namespace glassworks::analysis
