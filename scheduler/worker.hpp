#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "kernels/backend.hpp"
#include "scheduler/campaign.hpp"

namespace glassworks {

/// Where a campaign stands; handed to the observer after every commit.
struct CampaignProgress {
  std::uint64_t realizations = 0, converged = 0, failed = 0, rounds = 0;
  double updates = 0.0;            ///< spin updates committed since the start of this run
  double seconds = 0.0;            ///< wall time of this run
  double remaining_seconds = 0.0;  ///< estimate; negative: unknown yet
};

/// Where the wall time of a run went [s].
struct TimeShares {
  double rounds = 0.0, checkpoints = 0.0, database = 0.0;
};

enum class RunOutcome { complete, stopped };

/// Runs batches of realizations until all have converged or failed, or a stop is requested through `control`.
///
/// Order: fewest rounds first, larger lattices first among equals, so that hard realizations are recognized early and
/// run on together. The order never touches the bits of a realization.
class Worker {
 public:
  Worker(Campaign& campaign, std::unique_ptr<Backend> backend, Provenance provenance);

  RunOutcome run(RoundControl& control, const std::function<void(const CampaignProgress&)>& observer);

  [[nodiscard]] const TimeShares& times() const { return times_; }

 private:
  struct Member;

  [[nodiscard]] std::vector<RealizationRow> next_batch() const;
  [[nodiscard]] int batch_size(const Chain& chain) const;
  [[nodiscard]] const Chain& chain_of(int L) const;
  bool run_batch(const std::vector<RealizationRow>& batch, RoundControl& control);
  void commit(const Chain& chain, std::vector<Member>& members, double seconds);
  [[nodiscard]] CampaignProgress progress() const;

  Campaign& campaign_;
  std::unique_ptr<Backend> backend_;
  Provenance provenance_;
  int threads_ = 1;                                ///< for checkpoints and disorder
  std::map<int, Chain> chains_;                    ///< by L
  std::map<RealizationKey, RealizationRow> rows_;  ///< as committed
  std::map<int, double> seconds_per_round_;        ///< of one realization, by L, measured in this run
  double updates_ = 0.0, seconds_ = 0.0;
  TimeShares times_;
};

}  // namespace glassworks
