#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "analysis/reweighting/energy_bins.hpp"
#include "analysis/reweighting/joint_samples.hpp"

namespace glassworks { inline namespace analysis {

/// Overlap of the energy distributions of two neighbouring slots, sum over energies of min(p_k, p_{k+1}), below which
/// the temperatures between them are refused.
constexpr double smallest_overlap = 0.01;
/// Effective joint samples of a realization below which a temperature is flagged.
constexpr double fewest_effective_samples = 10.0;

/// Thermal averages of one realization at any temperatures of its ladder.
struct Reweighted {
  std::vector<double> values;             ///< [target][column of SampledQuantities]; NaN: refused
  std::vector<double> effective_samples;  ///< (sum w)^2 / sum w^2 over joint samples [target]; 0: refused
  std::vector<double> overlap;            ///< of slots k, k + 1; 0 where their equations have no solution [pair]
  bool unsolved = false;                  ///< whether that is so of some pair

  [[nodiscard]] bool refused(std::size_t target) const { return effective_samples[target] == 0.0; }
  [[nodiscard]] bool flagged(std::size_t target) const { return effective_samples[target] < fewest_effective_samples; }
};

/// Multi-histogram reweighting of every column to the temperatures wanted.
///
///     <x>_T = sum_n w_n x_n / sum_n w_n,   w_n = exp(-E_n/T) / sum_j N_j exp(f_j - E_n/T_j)
///
/// full  averages over all measurements. Columns that stand there by the same name are anchored: the differences to the
///       reweighted averages at the slots, interpolated linearly in beta, are added, so that the curve passes through
///       the full averages. A control variate: each difference has mean zero.
///
/// Temperatures between two slots whose overlap is below smallest_overlap are refused. Throws
/// std::runtime_error with one sentence for temperatures outside the ladder and for samples that cannot be used.
[[nodiscard]] Reweighted reweight(const JointSamples& samples, const SampledQuantities& quantities,
                                  std::span<const double> temperatures, const SlotAverages* full = nullptr,
                                  Binning binning = Binning::fine);

}}  // namespace glassworks::analysis
