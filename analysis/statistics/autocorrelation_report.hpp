#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analysis/report/figure.hpp"
#include "analysis/statistics/autocorrelation.hpp"
#include "analysis/statistics/for_each_realization.hpp"

namespace glassworks { inline namespace analysis {

/// Entries of a time series.
enum class TauEntries {
  rounds,       ///< means of rounds
  measurements  ///< single measurements, where a model other than heisenberg keeps all of them
};

/// Autocorrelation of one observable at one temperature, pooled over realizations with their own means: realizations
/// enter with the weight of their variance and length.
struct ObservableTau {
  std::string observable;
  int L = 0;
  double T = 0.0;
  int measurements = 1;  ///< of an entry: times tau in entries is tau in measurements
  Autocorrelation gamma, binning;
  TauEntries entries = TauEntries::rounds;
};

/// Collects series of a size during a pass (ReadingOptions::also) and finds their autocorrelation times: round means,
/// or single measurements where a model other than heisenberg keeps all of them (round.samples = round.measurements).
/// Memory: 8 B x entries x observables x slots.
class TauCollector {
 public:
  /// observables  names of stored columns; those that the campaign does not hold are left out
  /// slots        how many temperatures, spread over the ladder from its lowest to its highest
  TauCollector(const SizeRow& size, const Columns& columns, std::span<const std::string> observables,
               std::size_t slots = 5);
  TauCollector(const TauCollector&) = delete;
  TauCollector& operator=(const TauCollector&) = delete;

  /// Must not outlive the collector.
  [[nodiscard]] RealizationVisitor visitor();
  /// By observable, then temperature. Empty where no realization has two rounds in its equilibrated part.
  [[nodiscard]] std::vector<ObservableTau> times() const;

 private:
  SizeRow size_;
  Columns columns_;
  std::vector<std::pair<std::string, std::size_t>> observables_;  // name, column
  std::vector<std::size_t> slots_;
  int measurements_ = 1;
  TauEntries entries_ = TauEntries::rounds;
  std::vector<std::vector<TimeSeries>> series_;  // [observable, slot][realization]
};

/// Both methods side by side, in entries and in measurements, with the ratio of the error of the mean to that of
/// independent rounds. Times that are not reliable are marked.
[[nodiscard]] Table tau_table(std::span<const ObservableTau> times);

/// Of one observable: tau in measurements (Gamma method) against T.
[[nodiscard]] Figure tau_figure(std::span<const ObservableTau> times, const std::string& observable,
                                const std::string& label);

}}  // namespace glassworks::analysis
