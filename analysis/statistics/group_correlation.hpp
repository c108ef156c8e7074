#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>

#include "analysis/basics/columns.hpp"
#include "analysis/statistics/ensemble.hpp"
#include "analysis/statistics/resampling.hpp"
#include "engine/config/config.hpp"

namespace glassworks { inline namespace analysis {

/// Groups below which nothing is tested: the errors over groups would be too uncertain themselves, by
/// 1/sqrt(2 (G - 1)) = 27 % of 8.
constexpr int fewest_groups = 8;

enum class GroupState {
  none,         ///< no two realizations share random words
  few_groups,   ///< fewer than fewest_groups
  independent,  ///< errors over groups are not significantly larger than those over realizations
  correlated    ///< they are: errors are those over groups
};

/// Whether realizations that share random words (multi-spin coding) are correlated.
struct GroupCorrelation {
  GroupState state = GroupState::none;
  std::uint32_t group = 1;  ///< realizations of a full group; those of one quotient id / group share random words
  int groups = 0;           ///< with a realization that is used
  /// Largest ratio of the squared errors over groups and over realizations, and where.
  double largest = std::numeric_limits<double>::quiet_NaN();
  std::string observable = {};
  double T = 0.0;
  double p_value = std::numeric_limits<double>::quiet_NaN();  ///< of `largest`; NaN where nothing was tested
  double level = 0.0;                                         ///< p at which they are correlated

  /// Leaves out, or draws, whole groups where realizations are correlated.
  [[nodiscard]] Resampling applied(Resampling resampling) const;
  /// What errors are over: "realizations" or "groups of 128 realizations".
  [[nodiscard]] std::string unit() const;
  /// What was found, for people; empty where no realizations share random words.
  [[nodiscard]] std::string sentence() const;
};

/// Deviations that a test of groups compares [realization][value]; each value has the sum 0 and the sum of squares 1.
struct GroupDeviations {
  std::size_t values = 0;
  std::vector<double> of = {};
};

struct GroupTest {
  std::size_t value = 0;  ///< that has the largest ratio
  double largest = 0.0;
  double p_value = 1.0;
};

/// Permutation test of R = max over the values of the ratio of the squared errors of their mean over groups
/// (mean_over_groups) and over realizations,
///
///     R = G/(G - 1) (n - 1)/n max_v sum_g (sum_{i in g} d_iv)^2,   d = deviations,
///
/// against R of the same realizations in random order, which is as likely if realizations are independent: whatever
/// their distribution and however the values are correlated, P(p <= alpha) = alpha for alpha = level. It stops after
/// the fifth order with an R as large, h after l orders: p = h/l, and (h + 1)/(orders + 1) at the end, so that only
/// small p take many orders: at most 499, or as many as let p be a fifth of the level.
///
/// limits  of the groups
/// Source: Besag & Clifford, Biometrika 78, 301 (1991).
[[nodiscard]] GroupTest test_groups(const GroupDeviations& deviations, std::span<const std::size_t> limits,
                                    double level, std::uint64_t seed = 1);
/// Orders that test_groups tries at most.
[[nodiscard]] int most_orders(double level);

/// Tests all observables of make_estimators but those of pairs of slots, at all temperatures together, by test_groups
/// of their leave-one-out values. Without multi-spin coding nothing is computed. An observable that does not vary, or
/// that cannot be computed without some realization, is no part of the test. The level is that of one of the sizes of
/// the campaign (family::shared_random_numbers).
[[nodiscard]] GroupCorrelation group_correlation(const Config& config, const Columns& columns,
                                                 const Ensemble& ensemble);

}}  // namespace glassworks::analysis
