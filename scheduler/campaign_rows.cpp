#include "scheduler/campaign_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace glassworks {
namespace {

std::map<int, double> work_per_round(const Chains& chains) {
  std::map<int, double> work;
  for (const auto& [L, chain] : chains) work[L] = chain.updates_per_round();
  return work;
}

}  // namespace

CampaignRows::CampaignRows(Campaign& campaign, const LeaseKeeper& keeper, const Chains& chains,
                           std::function<void(const std::string&)> note)
    : campaign_(campaign),
      keeper_(keeper),
      note_(std::move(note)),
      order_(campaign.config().convergence, work_per_round(chains)) {
  read_changes();
  beginning_ = false;
}

void CampaignRows::count(const RealizationRow& row, int by) {
  const auto add = [by](std::uint64_t& counter, std::uint64_t n) { counter = by > 0 ? counter + n : counter - n; };
  add(counts_.realizations, 1);
  add(counts_.rounds, row.rounds);
  if (row.status == RealizationStatus::converged) add(counts_.converged, 1);
  if (row.status == RealizationStatus::failed) add(counts_.failed, 1);
  if (row.status == RealizationStatus::quarantined) add(counts_.quarantined, 1);
}

void CampaignRows::read_changes() {
  Changes changes = campaign_.database().changes_since(sequence_);
  sequence_ = changes.sequence;
  for (RealizationRow& row : changes.rows) {
    quarantine(row);
    const auto known = rows_.find(row.key);
    if (known != rows_.end()) {
      news_ = news_ || row.rounds != known->second.rounds || row.status != known->second.status;
      count(known->second, -1);
    }
    count(row, 1);
    order_.update(row, row.worker == 0);
    rows_.insert_or_assign(row.key, std::move(row));
  }
}

/// Takes a realization whose next round failed too often out of the campaign; a run that begins with a higher limit
/// takes it in again.
void CampaignRows::quarantine(RealizationRow& row) {
  if (row.worker != 0) return;
  const bool too_often = row.failures >= campaign_.config().max_attempts;
  const bool leaves = too_often && !is_finished(row.status);
  const bool returns = !too_often && row.status == RealizationStatus::quarantined && beginning_;
  if (!leaves && !returns) return;

  RealizationRow now = row;
  if (leaves) {
    now.status = RealizationStatus::quarantined;
    now.reason = fmt::format("{} attempts at round {} ended without a commit{}{}", row.failures, row.rounds,
                             row.reason.empty() ? "" : "; last known: ", row.reason);
  } else {
    now.status = row.rounds == 0 ? RealizationStatus::queued : RealizationStatus::equilibrating;
    now.reason.clear();
  }
  // If another process has changed it since, its row comes with the next changes.
  if (!campaign_.database().set_status(row, now.status, now.reason)) return;
  row = std::move(now);
  if (leaves) {
    note_(fmt::format("L = {}, realization {} is quarantined: {}.", row.key.L, row.key.realization, row.reason));
  }
}

std::vector<RealizationRow> CampaignRows::lease(const BatchLimits& limits, std::size_t workers) {
  const int given = campaign_.config().batch;
  const auto at_most = [&](int L) { return static_cast<std::size_t>(std::max(limits.largest.at(L), 1)); };
  const auto width = [&](int L) {
    return given > 0 ? at_most(L) : static_cast<std::size_t>(std::max(limits.width.at(L), 1));
  };
  processes_ = std::max<std::size_t>(campaign_.database().workers().size(), 1);
  for (;;) {
    read_changes();
    const WorkOrder::Choice choice = order_.next(at_most, workers * processes_, width);
    if (choice.keys.empty()) return {};
    std::vector<RealizationRow> wanted;
    for (const RealizationKey key : choice.keys) wanted.push_back(rows_.at(key));
    const std::int64_t worker = keeper_.worker();
    std::vector<RealizationRow> leased = campaign_.database().lease(worker, wanted);
    if (!leased.empty()) {
      read_changes();
      return leased;
    }
    // Another process was faster, or this one was taken for dead.
    if (campaign_.database().changes_since(sequence_).rows.empty()) {
      evicted_ = worker;
      return {};
    }
  }
}

}  // namespace glassworks
