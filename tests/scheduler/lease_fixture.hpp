#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/scheduler/scratch_campaign.hpp"

namespace glassworks::testing {

/// Campaigns whose leases are looked at.
class LeaseTest : public SmallCampaign {
 protected:
  /// A campaign that exists and nobody works on.
  [[nodiscard]] Config created(const std::string& name, int lease_seconds = 60) const {
    Config run = config(name);
    Campaign::create_or_continue(run);
    run.workers.lease_seconds = lease_seconds;  // shorter than a configuration file may say
    return run;
  }
  static std::vector<RealizationRow> lease_all(Campaign& campaign, std::int64_t worker) {
    return campaign.database().lease(worker, campaign.database().realizations());
  }
  /// Realizations that somebody holds.
  static int held(const Config& run) {
    int sum = 0;
    for (const RealizationRow& row : read_campaign(run).realizations()) sum += row.worker != 0 ? 1 : 0;
    return sum;
  }
  /// Sum over all realizations.
  static int failures(const Config& run) {
    int sum = 0;
    for (const RealizationRow& row : read_campaign(run).realizations()) sum += row.failures;
    return sum;
  }
};

}  // namespace glassworks::testing
