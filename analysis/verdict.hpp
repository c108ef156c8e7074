#pragma once

#include <span>
#include <string>
#include <vector>

#include "analysis/log_binning.hpp"

namespace glassworks {

/// An observable at every slot; one of pairs of slots has one entry less than there are slots.
struct ObservableResult {
  std::string name;
  std::vector<Estimate> at_slot;
};

/// How many realizations of a size are in which state.
struct RealizationCounts {
  int total = 0;
  int used = 0;              ///< enter the averages
  int unconverged_used = 0;  ///< of these, not converged
  int converged = 0;
  int reached_maximum = 0;  ///< ran the maximum of rounds without converging
  int failed = 0;           ///< or quarantined, for another reason
  int running = 0;
  int not_started = 0;  ///< no round yet
};

enum class Equilibration {
  equilibrated,             ///< no significant deviation, every realization used has converged
  equilibrated_on_average,  ///< no significant deviation of the averages, but not every realization has converged
  not_equilibrated,         ///< a deviation that chance does not explain
  undecided                 ///< too few realizations or rounds to tell
};

/// One of the quantities that vanish in equilibrium.
struct Comparison {
  std::string what;  ///< for people: "identity difference", "energy, last 1/2 - 1/4 of the rounds"
  double T = 0.0;
  Estimate difference;
  double sigma = 0.0;      ///< |difference| / error
  double threshold = 0.0;  ///< sigma above which it is significant
};

struct Verdict {
  Equilibration state = Equilibration::undecided;
  int comparisons = 0;
  int significant = 0;             ///< comparisons above their threshold
  std::vector<Comparison> worst;   ///< of each kind (identities, log bins): the largest sigma / threshold
  std::vector<std::string> lines;  ///< in words, with the numbers; the first says it all
};

/// Probability that an equilibrated size is called not equilibrated, all its comparisons together (Bonferroni: each is
/// tested two-sided at this over their number, with Student's t for the number of realizations).
constexpr double family_false_alarm = 0.01;
/// Realizations below which no verdict is given: the error bars themselves are too uncertain.
constexpr int fewest_realizations = 8;

/// Sigma above which one of `comparisons` is significant with n realizations: t_{n-1}(1 - p/(2 comparisons)).
[[nodiscard]] double significance_threshold(int comparisons, int realizations);

/// The last three logarithmic bins must agree at every temperature in energy and order parameter, and every identity
/// among `observables` must hold at every temperature.
///
/// order_parameter  what people call it: OrderParameter::symbol
[[nodiscard]] Verdict judge(std::span<const double> temperatures, std::span<const ObservableResult> observables,
                            std::span<const LogBinStep> steps, const RealizationCounts& counts,
                            const std::string& order_parameter = "|q|^2");

/// "equilibrated", "not equilibrated", ...
[[nodiscard]] const char* to_string(Equilibration state);

}  // namespace glassworks
