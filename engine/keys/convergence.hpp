#pragma once

namespace glassworks::inline engine {

struct ConvergenceConfig {
  int min_rounds = 16;
  int max_rounds = 1024;
  int min_round_trips = 10;
  double n_tau = 20.0;              ///< length of a history in units of its largest tau; 0: any
  double equilibration_tau = 10.0;  ///< what averages leave out at the start, in the same units
};

/// Rows of the keys convergence.*; see KeyRows.
template <class Rows>
void convergence_keys(const Rows& rows) {
  rows.number("convergence.min_rounds", {1, 1e7}, &ConvergenceConfig::min_rounds,
              "rounds before convergence is judged; the criterion itself needs 8");
  rows.threshold("convergence.max_rounds", {1, 1e7}, &ConvergenceConfig::max_rounds,
                 "rounds after which a realization is given up as not converged")
      .with_limit("at least min_rounds");
  rows.threshold("convergence.min_round_trips", {0, 1e7}, &ConvergenceConfig::min_round_trips,
                 "round trips through the ladder that the replicas of a realization must make, all together; none "
                 "without exchanges");
  rows.threshold("convergence.n_tau", {0, 1e6}, &ConvergenceConfig::n_tau,
                 "length of a converged history in units of the largest autocorrelation time of its temperature "
                 "walks, or of its observables without exchanges; 0: any");
  rows.number("convergence.equilibration_tau", {0, 1e6}, &ConvergenceConfig::equilibration_tau,
              "what averages leave out at the start of a history, in the same units")
      .with_limit("below n_tau");
}

}  // namespace glassworks::inline engine
