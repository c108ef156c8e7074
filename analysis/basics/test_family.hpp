#pragma once

#include <cstddef>

namespace glassworks { inline namespace analysis {

/// Tests whose false alarms are counted together. Each of n tests has the level `level` / n (Bonferroni): chance raises
/// an alarm in any of them with the probability `level` at most, however they are correlated.
struct TestFamily {
  double level = 0.01;  ///< probability of an alarm in the whole family
  const char* tests;    ///< what they are, for people

  /// Level of one of them.
  [[nodiscard]] constexpr double each(std::size_t count) const {
    return level / static_cast<double>(count < 1 ? 1 : count);
  }
  /// Probability that chance makes the smallest of `count` p values as small as `p`, at most.
  [[nodiscard]] static constexpr double of_smallest(double p, std::size_t count) {
    const double all = p * static_cast<double>(count < 1 ? 1 : count);
    return all < 1.0 ? all : 1.0;
  }
};

/// All families of tests of an analysis; docs/manual/convergence.md lists them. Intervals (critical parameters,
/// crossings, small k) are no tests: they have the confidence that stands beside them.
namespace family {
constexpr TestFamily verdicts{0.01, "the comparisons of all verdicts of a campaign"};
constexpr TestFamily shared_random_numbers{0.01, "realizations that share random numbers, all sizes of a campaign"};
constexpr TestFamily further_histories{0.001, "averages of further histories, all observables and sizes"};
constexpr TestFamily moments{0.01, "P_J(q) of second histories, all realizations, moments and sizes"};
constexpr TestFamily log_bin_table{0.01, "the table of logarithmic bins, all rows of all sizes"};
constexpr TestFamily superposition{0.01, "the superposition of responses to a field, all sizes and temperatures"};
}  // namespace family

/// Below the level of a verdict, failed tests are doubtful: chance has as many with this probability at most,
/// log-binning and copies together, in one size.
constexpr double doubtful_failures = 0.05;

}}  // namespace glassworks::analysis
