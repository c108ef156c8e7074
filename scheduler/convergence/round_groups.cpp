#include "scheduler/convergence/round_groups.hpp"

namespace glassworks { inline namespace scheduler {

RoundGroups::RoundGroups(std::span<const RoundRow> rounds, std::size_t longest)
    : rounds_(rounds),
      size_((rounds.size() + longest - 1) / longest),
      measurements_(rounds.front().record.measurements * static_cast<double>(size_)) {}

std::vector<double> RoundGroups::series(std::vector<double> RoundRecord::*means, std::size_t column) const {
  std::vector<double> series;
  for (std::size_t r = rounds_.size() % size_; r < rounds_.size(); r += size_) {
    double sum = 0.0;
    for (std::size_t k = 0; k < size_; ++k) sum += (rounds_[r + k].record.*means)[column];
    series.push_back(sum / static_cast<double>(size_));
  }
  return series;
}

}}  // namespace glassworks::scheduler
