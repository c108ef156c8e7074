#pragma once

#include <span>
#include <vector>

#include "analysis/campaign/offline_analysis.hpp"

namespace glassworks {

/// Series of round means of energy, |q|^2 and chirality at some slots of one size, gathered while histories are read.
class SizeTimeSeries {
 public:
  SizeTimeSeries(const Config& config, const SizeRow& size);

  void add(const RealizationRow& row, std::span<const RoundRow> rounds);
  /// tau_int of each observable at each of the slots, by both methods.
  [[nodiscard]] std::vector<ObservedAutocorrelation> analyze() const;

 private:
  struct Observed {
    std::string observable;
    std::size_t column, slot;
    std::vector<TimeSeries> series;  ///< [realization]
  };
  SizeRow size_;
  Columns columns_;
  std::vector<Observed> observed_;
  double measurements_ = 0.0;  ///< of a round
};

}  // namespace glassworks
