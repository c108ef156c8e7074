#pragma once

#include <cstddef>
#include <span>
#include <stdexcept>
#include <vector>

#include "analysis/reweighting/energy_bins.hpp"

namespace glassworks { inline namespace analysis {

/// Thrown where the equations cannot be solved.
class NoSolution : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The multi-histogram equations of a ladder whose slots are connected by their energies, solved at construction:
///
///     f_k = -ln sum_n exp(-beta_k E_n) / D(E_n),   D(E) = sum_j N_j exp(f_j - beta_j E)
///
/// over all joint samples n of all slots; E: total energy, N_j: joint samples of slot j, f_k = beta_k F_k up to a
/// constant. The f minimize the convex function sum_n ln D(E_n) - sum_k N_k f_k: Newton's method with a sparse Hessian,
/// as a bin overlaps with few slots, from thermodynamic integration of the mean energies, until no f changes by more
/// than 1e-8. Cost: bins x slots that overlap at one energy.
/// Source: Shirts & Chodera, J. Chem. Phys. 129, 124105 (2008); Ferrenberg & Swendsen, PRL 63, 1195 (1989).
class MultiHistogram {
 public:
  /// beta    [slot], descending
  /// count   joint samples [slot], > 0
  /// slots   moments of the total energy [slot]
  /// Throws NoSolution; a single slot always has one.
  MultiHistogram(EnergyBins bins, std::span<const double> beta, std::span<const std::size_t> count,
                 std::span<const EnergyMoments> slots);

  /// f_k - f_0 [slot].
  [[nodiscard]] std::vector<double> free_energy() const;
  /// Overlap of the energy distributions of slots k, k + 1: sum over energies of min(p_k, p_{k+1}), from 0 to 1 [pair].
  [[nodiscard]] std::vector<double> overlap() const;

  /// Averages of all columns at inverse temperature `beta` into averages[column].
  /// returns effective number of joint samples (sum_n w_n)^2 / sum_n w_n^2 (Kish), correlations in time not counted
  double average(double beta, std::span<double> averages) const;

 private:
  /// Slots that matter in a bin, and their shares of it.
  struct Band {
    std::size_t first = 0, size = 0, offset = 0;  ///< slots [first, first + size); shares from `offset`
  };

  void integrate_energies(std::span<const EnergyMoments> slots);
  /// Sets bands_, share_, log_density_ from f_; returns the function to be minimized.
  double evaluate();
  void solve();
  [[nodiscard]] std::vector<double> newton_step() const;

  EnergyBins bins_;
  std::vector<double> beta_, count_, log_count_;
  double cut_;                       ///< terms below exp(-cut) of the largest one are left out
  std::vector<double> f_;            ///< [slot], energies counted from bins_.origin
  std::vector<Band> bands_;          ///< [bin]
  std::vector<double> share_;        ///< N_k exp(f_k - beta_k E) / D(E), band after band
  std::vector<double> log_density_;  ///< ln D [bin]
  std::vector<double> mean_beta_;    ///< sum_k share_k beta_k = -d ln D/dE, descending [bin]
};

}}  // namespace glassworks::analysis
