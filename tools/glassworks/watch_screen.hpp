#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "tools/glassworks/campaign_view.hpp"

namespace glassworks { inline namespace tools {

/// Rate of a campaign from what its workers have committed between looks. Commits come in bursts, so it is the mean
/// over the last minute, or over the last two looks where they lie further apart.
class RateMeter {
 public:
  /// Enters a look at the workers, `seconds` after any fixed moment.
  void look(double seconds, const std::vector<WorkerState>& workers);

  /// [spin updates/ns]; 0 after the first look, and while nothing was committed.
  [[nodiscard]] double updates_per_ns() const;

 private:
  static constexpr double window_seconds = 60.0;
  struct Look {
    double seconds = 0.0, updates = 0.0;  ///< of all workers since the first look
  };

  std::deque<Look> looks_;
  std::map<std::int64_t, double> known_;  ///< updates of each worker at the last look
};

/// The lines of a look at a campaign: sizes with bars, rate and rest, the hardest realizations, workers.
///
/// rate  [spin updates/ns]; 0: not known
[[nodiscard]] std::vector<std::string> watch_lines(const std::string& directory, const CampaignState& state,
                                                   const std::vector<RealizationRow>& hardest, double rate);

/// "[#####.....]" with the finished part of something, `width` places wide. Only what is whole is full.
[[nodiscard]] std::string bar(std::uint64_t done, std::uint64_t total, int width);

}}  // namespace glassworks::tools
