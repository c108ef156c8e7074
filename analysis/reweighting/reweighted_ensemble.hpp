#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analysis/report/figure.hpp"
#include "analysis/reweighting/reweight.hpp"
#include "analysis/statistics/ensemble.hpp"

namespace glassworks { inline namespace analysis {

/// Temperatures between two slots that some realization refuses.
struct RefusedRange {
  double lowest = 0.0, highest = 0.0;  ///< T of the two slots
  std::size_t realizations = 0;        ///< that refuse it
  double smallest_overlap = 0.0;       ///< of the two slots
};

/// How far the reweighting of one lattice size can be trusted, over its realizations.
struct ReweightingSummary {
  int L = 0;
  std::size_t realizations = 0;
  std::vector<double> temperatures;                      ///< wanted
  std::vector<double> smallest_samples, median_samples;  ///< effective joint samples of a realization [temperature]
  std::vector<std::size_t> flagged;                      ///< realizations below fewest_effective_samples [temperature]
  std::vector<double> ladder;                            ///< temperatures of the slots
  std::vector<double> smallest_overlap, median_overlap;  ///< of slots k, k + 1 [pair]
  std::vector<RefusedRange> refused;
  std::size_t unsolved = 0;  ///< realizations without a solution of the multi-histogram equations

  /// In words: what was refused, what is flagged, or that nothing is.
  [[nodiscard]] std::vector<std::string> lines() const;
};

/// Collects the reweighted averages of all realizations of one lattice size. The result does not depend on the order or
/// the thread in which realizations are added.
class ReweightedEnsemble {
 public:
  /// ladder        temperatures of the slots, ascending
  /// temperatures  wanted, ascending, inside the ladder
  /// realizations  ids, ascending
  /// Throws std::runtime_error for temperatures outside the ladder.
  ReweightedEnsemble(int L, SampledQuantities quantities, std::vector<double> ladder, std::vector<double> temperatures,
                     std::vector<std::uint32_t> realizations);

  /// Reweights the samples of the index-th realization; different realizations may be added by several threads at once.
  /// full: as for reweight. Throws as reweight does, with L and the realization named.
  void add(std::size_t index, const JointSamples& samples, const SlotAverages* full = nullptr);

  /// Averages at the temperatures that no realization refuses. Throws std::runtime_error if there is none, and
  /// std::logic_error while a realization is missing.
  [[nodiscard]] Ensemble ensemble() const;
  [[nodiscard]] ReweightingSummary summary() const;

 private:
  void check_complete() const;

  int L_;
  SampledQuantities quantities_;
  std::vector<double> ladder_, temperatures_;
  std::vector<std::uint32_t> realizations_;
  std::vector<double> values_;             ///< [realization][temperature][column]
  std::vector<double> effective_samples_;  ///< [realization][temperature]
  std::vector<double> overlap_;            ///< [realization][pair]
  /// [realization]; not bool, whose elements share bytes between threads
  std::vector<unsigned char> added_, unsolved_;
};

/// Effective joint samples of a realization against T, smallest and median, with the fewest that are not flagged.
[[nodiscard]] Figure effective_samples_figure(std::span<const ReweightingSummary> sizes);
/// Overlap of neighbouring slots against T, smallest and median over realizations, with the smallest that is accepted.
[[nodiscard]] Figure overlap_figure(std::span<const ReweightingSummary> sizes);
/// One row per size: realizations, smallest effective samples and overlap and where, flagged and refused temperatures.
[[nodiscard]] Table reweighting_table(std::span<const ReweightingSummary> sizes);

}}  // namespace glassworks::analysis
