#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "kernels/rounds/chain.hpp"
#include "scheduler/campaign/campaign.hpp"
#include "scheduler/campaign/lease_keeper.hpp"
#include "scheduler/campaign/run_observer.hpp"
#include "scheduler/campaign/work_order.hpp"
#include "scheduler/campaign/work_source.hpp"
#include "scheduler/convergence/stopping_groups.hpp"

namespace glassworks { inline namespace scheduler {

/// The chains of a campaign by L.
using Chains = std::map<int, Chain>;

/// This process's cache of the realization rows, and the order in which they are simulated. Other processes may work on
/// the same campaign, so their changes are read from the database before each lease. Not thread-safe.
class CampaignRows {
 public:
  /// note  gets what people should know
  CampaignRows(Campaign& campaign, const LeaseKeeper& keeper, const Chains& chains,
               std::function<void(const std::string&)> note);

  /// Takes over what was written since the last time, by this process or another, and settles what it decides about
  /// groups that stop together.
  void read_changes();
  /// The rows as of the last change that was taken over.
  [[nodiscard]] KnownRows known() const;
  /// What this process has just written, unless something else was written before it that is not known yet: spares
  /// read_changes reading it, which settles what it decides.
  void take_over(const Changes& written);
  /// Rows as they are now, where groups stop together: settling them may have changed what was just committed.
  void refresh(std::vector<RealizationRow>& rows) const;
  /// Whether one of these waits for the look of other members of its group.
  [[nodiscard]] bool any_waits(const std::vector<RealizationRow>& rows) const;
  /// Leases what is to be simulated next, at most what the limits allow. Empty: nothing is free, or this process was
  /// taken for dead (`evicted`).
  ///
  /// workers  of this process
  [[nodiscard]] std::vector<RealizationRow> lease(const BatchLimits& limits, std::size_t workers);

  /// Realizations of a size that a worker with these limits would get at most, if all open ones were free, as of the
  /// last lease.
  [[nodiscard]] std::size_t share(int L, const BatchLimits& limits) const;
  /// Whether a worker that holds these should give them back for others: see WorkOrder::prefers_others.
  [[nodiscard]] bool prefers_others(const std::vector<RealizationRow>& held, bool shrunk) const {
    return order_.prefers_others(held, shrunk);
  }

  /// For a process that holds no realizations and is given none: rereads all rows, not only the reported changes.
  /// Releases orphaned leases, with a note, and returns a description of what the process is waiting for. Throws if the
  /// rows contradict the reported changes, or if realizations are open but no worker holds them.
  [[nodiscard]] std::string recheck_all_rows();

  /// Worker id whose leases this process has lost, if `lease` noticed it. Reported once.
  [[nodiscard]] std::optional<std::int64_t> evicted() { return std::exchange(evicted_, std::nullopt); }

  [[nodiscard]] bool finished() const { return order_.open() == 0; }
  [[nodiscard]] bool anything_free() const { return order_.free() > 0; }
  [[nodiscard]] std::size_t processes() const { return processes_; }  ///< at work on the campaign, as of the last lease
  [[nodiscard]] double remaining_work() const { return order_.remaining_work(); }  ///< estimate [spin updates]
  [[nodiscard]] bool remaining_is_least() const { return order_.remaining_is_least(); }
  /// Realizations and rounds, counted.
  [[nodiscard]] const CampaignProgress& counts() const { return counts_; }
  /// Whether something that people are shown has changed since the last call.
  [[nodiscard]] bool take_change() { return std::exchange(changed_, false); }

 private:
  using Group = std::pair<int, std::uint32_t>;  ///< L and number

  [[nodiscard]] std::set<Group> take_over_changes();
  void take_over(RealizationRow row, std::set<Group>& touched);
  bool settle(const Group& group);
  [[nodiscard]] bool met_criteria(const RealizationRow& row, std::uint32_t rounds) const;
  void quarantine(RealizationRow& row);
  bool release_orphaned_leases();
  [[nodiscard]] std::size_t largest(int L, const BatchLimits& limits) const;
  [[nodiscard]] std::size_t width(int L, const BatchLimits& limits) const;
  [[noreturn]] void refuse_to_wait(const std::string& reason) const;
  void count(const RealizationRow& row, int by);
  void count_in_size(const RealizationRow& row, int by);

  Campaign& campaign_;
  const LeaseKeeper& keeper_;
  const Chains& chains_;
  const std::function<void(const std::string&)> note_;
  std::int64_t sequence_ = 0;                             ///< up to which the database has been read
  std::map<RealizationKey, RealizationRow> rows_;         ///< as committed then
  std::map<int, std::vector<std::uint64_t>> steps_left_;  ///< of a course, after r rounds, by L
  WorkOrder order_;
  StoppingGroups groups_;
  std::map<Group, GroupProgress> progress_;
  std::set<Group> unsettled_;  ///< changed by what was taken over, and not looked at yet
  CampaignProgress counts_;
  std::size_t processes_ = 1, workers_ = 1;
  std::optional<std::int64_t> evicted_;
  bool beginning_ = true, changed_ = true;
};

}}  // namespace glassworks::scheduler
