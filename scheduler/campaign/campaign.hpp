#pragma once

#include <filesystem>
#include <vector>

#include "db/database.hpp"
#include "engine/config/config.hpp"
#include "scheduler/campaign/campaign_lock.hpp"

namespace glassworks { inline namespace scheduler {

/// A campaign directory held by this process, perhaps together with others of the same machine: the lock, the
/// configuration and the database.
///
/// Layout: campaign.sqlite (the single truth), campaign.lock, checkpoints/.
class Campaign {
 public:
  /// Creates the campaign of a configuration, or continues it if the directory holds it already. Thresholds may be
  /// raised, and sizes and realizations added: what is no longer converged is opened again. Throws InputError if
  /// anything else in the stored configuration differs (with every difference), if the directory cannot be written, or
  /// if another machine holds it. The first process of a machine also puts right what killed ones have left.
  ///
  /// say   receives messages for the user, for example before a wait
  /// use   alone: exclusive; fails if another process uses the campaign, and keeps others out while this object lives
  /// what  description of an exclusive user, shown to others: "a run over 4 ranks, Slurm job 123"
  /// stop  polled while waiting for other processes; if it returns true, the wait throws WaitStopped
  static Campaign create_or_continue(const Config& config, const CampaignLock::MessageSink& say = {},
                                     CampaignUse use = CampaignUse::with_others, const std::string& what = {},
                                     const CampaignLock::Stop& stop = {});

  [[nodiscard]] const Config& config() const { return config_; }
  [[nodiscard]] Database& database() { return database_; }
  [[nodiscard]] std::filesystem::path checkpoint_path(const std::string& file) const;
  [[nodiscard]] bool created() const { return created_; }
  /// What was raised or added at this start.
  [[nodiscard]] const std::vector<ConfigChange>& raised() const { return raised_; }
  /// Values given as before an earlier raise, "given -> present"; the raised values are kept.
  [[nodiscard]] const std::vector<ConfigChange>& kept() const { return kept_; }
  /// A sign of life for other machines.
  void renew_lock() const { lock_.renew(); }

 private:
  Campaign(Config config, Database database, CampaignLock lock, bool created);

  /// Ends the leases of killed processes and removes orphaned checkpoint files, left by a kill between writing and
  /// committing.
  void clean_up();

  Config config_;
  Database database_;
  CampaignLock lock_;
  bool created_;
  std::vector<ConfigChange> raised_, kept_;
};

}}  // namespace glassworks::scheduler
