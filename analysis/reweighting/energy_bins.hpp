#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "analysis/reweighting/joint_samples.hpp"

namespace glassworks { inline namespace analysis {

/// How joint samples are gathered before reweighting.
enum class Binning {
  fine,  ///< bins of a twentieth of the local standard deviation of the energy
  none   ///< every sample by itself: exact, slower
};

/// Total energies of the joint samples of one slot.
struct EnergyMoments {
  double mean = 0.0, deviation = 0.0;  ///< deviation: standard deviation; 0 for one sample
  double lowest = 0.0, highest = 0.0;
};

/// Joint samples of consecutive slots pooled by their total energy. A weight that is a smooth function of the energy
/// can be taken at the mean energy of a bin: with w the width of the bin in units of the standard deviation of the
/// energy the relative error of the weight is of order w^2/24 (1e-4 for w = 1/20), as the first moment is kept.
struct EnergyBins {
  double origin = 0.0;         ///< energies are counted from here, so that exponents stay small
  std::vector<double> count;   ///< joint samples [bin], > 0
  std::vector<double> energy;  ///< mean, minus origin, ascending [bin]
  std::vector<double> sums;    ///< of each column [bin][column of SampledQuantities]
  std::size_t columns = 0;
};

[[nodiscard]] std::vector<EnergyMoments> energy_moments(std::span<const double> energy,
                                                        std::span<const std::size_t> count);

/// Pools the samples of consecutive slots. Where fine bins would be more than there are samples, or the energies of no
/// slot fluctuate, every sample is a bin.
///
/// energy  [joint sample]
/// values  [joint sample][quantity]
/// slots   their moments [slot]
[[nodiscard]] EnergyBins pool(std::span<const double> energy, std::span<const float> values,
                              const SampledQuantities& quantities, std::span<const EnergyMoments> slots,
                              Binning binning);

}}  // namespace glassworks::analysis
