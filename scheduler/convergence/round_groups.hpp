#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "db/database.hpp"

namespace glassworks { inline namespace scheduler {

/// The window of an integrated autocorrelation time closes where it is this many times as long.
constexpr double window_in_tau = 6.0;

/// The rounds of a history in groups of consecutive ones, so that no series has more than `longest` values, each the
/// mean over a group; a rest at the start is left out.
class RoundGroups {
 public:
  /// rounds  at least one, all of the same number of measurements; must stay
  explicit RoundGroups(std::span<const RoundRow> rounds, std::size_t longest = 1024);

  /// Measurements of a group.
  [[nodiscard]] double measurements() const { return measurements_; }
  /// Means over the groups of one of the quantities whose round means are in `means`.
  [[nodiscard]] std::vector<double> series(std::vector<double> RoundRecord::*means, std::size_t column) const;

 private:
  std::span<const RoundRow> rounds_;
  std::size_t size_;
  double measurements_;
};

}}  // namespace glassworks::scheduler
