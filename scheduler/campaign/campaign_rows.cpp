#include "scheduler/campaign/campaign_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "kernels/core/addresses.hpp"
#include "kernels/rounds/course.hpp"
#include "scheduler/campaign/process.hpp"

namespace glassworks { inline namespace scheduler {
namespace {

std::map<int, double> work_per_round(const Chains& chains) {
  std::map<int, double> work;
  for (const auto& [L, chain] : chains) work[L] = mean_updates_of_round(chain);
  return work;
}

/// Of chains with a course: steps that are left after each number of rounds.
std::map<int, std::vector<std::uint64_t>> steps_left(const Chains& chains) {
  std::map<int, std::vector<std::uint64_t>> left;
  for (const auto& [L, chain] : chains) {
    if (chain.course == nullptr) continue;
    const std::vector<CourseRound> rounds = rounds_of(*chain.course);
    std::vector<std::uint64_t>& of_size = left[L];
    for (const CourseRound& round : rounds) of_size.push_back(rounds.back().to - round.from);
    of_size.push_back(0);
  }
  return left;
}

/// Realizations that are simulated by the same instructions, for courses.
std::size_t realizations_of_word(const Chains& chains) {
  const auto shares_words = [](const auto& chain) {
    const Protocol& protocol = chain.second.protocol;
    return protocol.multispin != MultispinRule::off && protocol.lanes == MultispinLanes::realizations;
  };
  return std::ranges::any_of(chains, shares_words) ? multispin_group : 1;
}

}  // namespace

CampaignRows::CampaignRows(Campaign& campaign, const LeaseKeeper& keeper, const Chains& chains,
                           std::function<void(const std::string&)> note)
    : campaign_(campaign),
      keeper_(keeper),
      chains_(chains),
      note_(std::move(note)),
      steps_left_(steps_left(chains)),
      order_(campaign.config().convergence, work_per_round(chains), steps_left_, realizations_of_word(chains)),
      groups_(campaign.config()) {
  for (const auto& [L, chain] : chains) counts_.sizes.push_back({.L = L});
  read_changes();
  beginning_ = false;
}

namespace {

void count_up(std::uint64_t& counter, std::uint64_t n, int by) { counter = by > 0 ? counter + n : counter - n; }

/// Of a campaign or of a size of it.
template <class Progress>
void count_status(Progress& counts, const RealizationRow& row, int by) {
  count_up(counts.realizations, 1, by);
  if (row.status == RealizationStatus::converged) count_up(counts.converged, 1, by);
  if (row.status == RealizationStatus::failed) count_up(counts.failed, 1, by);
  if (row.status == RealizationStatus::quarantined) count_up(counts.quarantined, 1, by);
}

}  // namespace

void CampaignRows::count(const RealizationRow& row, int by) {
  count_status(counts_, row, by);
  count_up(counts_.rounds, row.rounds, by);
  count_in_size(row, by);
}

void CampaignRows::count_in_size(const RealizationRow& row, int by) {
  const auto size = std::ranges::find(counts_.sizes, row.key.L, &SizeProgress::L);
  if (size == counts_.sizes.end()) return;
  count_status(*size, row, by);
  double done = is_finished(row.status) ? 1.0 : 0.0, whole = 1.0;
  if (const auto course = steps_left_.find(row.key.L); course != steps_left_.end()) {
    const std::vector<std::uint64_t>& left = course->second;
    whole = static_cast<double>(left.front());
    done = whole - static_cast<double>(left[std::min<std::size_t>(row.rounds, left.size() - 1)]);
  }
  size->done += by * done;
  size->whole += by * whole;
}

void CampaignRows::read_changes() {
  for (std::set<Group> touched = take_over_changes(); !touched.empty();) {
    bool written = false;
    for (const Group& group : touched) written = settle(group) || written;
    touched = written ? take_over_changes() : std::set<Group>();
  }
}

std::set<CampaignRows::Group> CampaignRows::take_over_changes() {
  std::set<Group> touched = std::exchange(unsettled_, {});
  Changes changes = campaign_.database().changes_since(sequence_);
  sequence_ = changes.sequence;
  for (RealizationRow& row : changes.rows) take_over(std::move(row), touched);
  return touched;
}

void CampaignRows::take_over(RealizationRow row, std::set<Group>& touched) {
  quarantine(row);
  const auto known = rows_.find(row.key);
  if (known != rows_.end()) {
    changed_ = changed_ || row.rounds != known->second.rounds || row.status != known->second.status;
    count(known->second, -1);
  }
  count(row, 1);
  if (const auto group = groups_.of(row.key)) touched.emplace(row.key.L, *group);
  order_.update(row, row.worker == 0);
  if (known != rows_.end()) {
    known->second = std::move(row);
  } else {
    rows_.emplace(row.key, std::move(row));
  }
}

KnownRows CampaignRows::known() const {
  return {sequence_, [this](RealizationKey key) {
            const auto known = rows_.find(key);
            return known != rows_.end() ? &known->second : nullptr;
          }};
}

void CampaignRows::take_over(const Changes& written) {
  if (written.rows.empty() || written.sequence != sequence_ + 1) return;
  sequence_ = written.sequence;
  for (const RealizationRow& row : written.rows) take_over(row, unsettled_);
}

/// Ends what has stopped with its group and tells the order what waits. Every process comes to the same; whether
/// anything was written.
bool CampaignRows::settle(const Group& group) {
  const ConvergenceConfig& config = campaign_.config().convergence;
  const auto size = static_cast<std::uint32_t>(groups_.size());
  std::vector<const RealizationRow*> members;
  for (auto row = rows_.find({group.first, group.second * size}); row != rows_.end() && members.size() < size; ++row) {
    members.push_back(&row->second);
  }
  GroupProgress& progress = progress_[group];
  progress =
      group_progress(config, members, groups_.needed(), progress,
                     [this](const RealizationRow& row, std::uint32_t rounds) { return met_criteria(row, rounds); });
  std::vector<std::pair<const RealizationRow*, MemberFate>> ended;
  for (const RealizationRow* row : members) {
    if (is_finished(row->status)) continue;
    const MemberFate fate = fate_of(config, *row, progress);
    if (fate == MemberFate::converged || fate == MemberFate::failed) {
      ended.emplace_back(row, fate);
    } else {
      order_.update(*row, row->worker == 0 && fate == MemberFate::goes_on,
                    progress.stopped == 0 ? WorkOrder::Stops::together : WorkOrder::Stops::alone);
    }
  }
  bool written = false;
  if (ended.empty()) return written;
  campaign_.database().together([&] {  // a kill must not leave a part of them, which would look like an earlier stop
    for (const auto& [row, fate] : ended) {
      const bool failed = fate == MemberFate::failed;
      const std::string reason = failed ? maximum_reached(config, row->reason) : row->reason;
      const auto status = failed ? RealizationStatus::failed : RealizationStatus::converged;
      written = campaign_.database().set_status(*row, status, reason) || written;
    }
  });
  return written;
}

bool CampaignRows::met_criteria(const RealizationRow& row, std::uint32_t rounds) const {
  std::vector<RoundRow> history = campaign_.database().rounds(row.key, 0, RoundSamples::skip);
  history.resize(std::min<std::size_t>(history.size(), rounds));
  const Chain& chain = chains_.at(row.key.L);
  return decide(campaign_.config().convergence, history, chain.slots(), ChainObservables(chain),
                round_trips_in(history))
             .status == RealizationStatus::converged;
}

void CampaignRows::refresh(std::vector<RealizationRow>& rows) const {
  if (!groups_.exist()) return;
  for (RealizationRow& row : rows) row = rows_.at(row.key);
}

bool CampaignRows::any_waits(const std::vector<RealizationRow>& rows) const {
  return std::ranges::any_of(rows, [&](const RealizationRow& row) {
    const auto group = groups_.of(row.key);
    return group && !is_finished(row.status) &&
           fate_of(campaign_.config().convergence, row, progress_.at({row.key.L, *group})) == MemberFate::waits;
  });
}

/// Quarantines a realization whose next round failed too often; a run started with a higher limit re-admits it.
void CampaignRows::quarantine(RealizationRow& row) {
  if (row.worker != 0) return;
  const bool too_often = row.failures >= campaign_.config().workers.max_attempts;
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

void CampaignRows::refuse_to_wait(const std::string& reason) const {
  throw std::runtime_error(fmt::format(
      "The campaign in {0} cannot be continued ({1}). Run `glassworks verify {0}`, and restore {2} from a copy "
      "if it finds damage.",
      campaign_.config().campaign.directory.string(), reason, database_file_name));
}

/// Releases leases of nonexistent workers, and leases of this process, which holds no batch. Returns whether there were
/// any.
bool CampaignRows::release_orphaned_leases() {
  Database& database = campaign_.database();
  std::vector<RealizationRow> held = database.leases_without_worker();
  for (const auto& [key, row] : rows_) {
    if (row.worker == keeper_.worker()) held.push_back(row);
  }
  for (const RealizationRow& row : held) database.release(row.worker, {&row, 1}, LeaseEnd::given_back);
  if (!held.empty()) {
    const RealizationRow& row = held.front();
    note_(fmt::format(
        "L = {}, realization {}{} was leased to worker {}, which does not simulate it; the lease was ended.", row.key.L,
        row.key.realization, held.size() > 1 ? fmt::format(" (and {} others)", held.size() - 1) : "", row.worker));
  }
  return !held.empty();
}

std::string CampaignRows::recheck_all_rows() {
  read_changes();
  const Changes all = campaign_.database().changes_since(0);
  if (all.sequence == sequence_) {
    for (const RealizationRow& row : all.rows) {
      const auto found = rows_.find(row.key);
      const auto same = [&row](const RealizationRow& known) {
        return row.attempt == known.attempt && row.rounds == known.rounds && row.worker == known.worker &&
               row.status == known.status;
      };
      if (found != rows_.end() && same(found->second)) continue;
      refuse_to_wait(
          fmt::format("the row of L = {}, realization {} has changed, and the index of changes does not show it",
                      row.key.L, row.key.realization));
    }
  }
  const bool ended = release_orphaned_leases();
  read_changes();
  if (ended || anything_free() || finished()) return {};
  std::map<std::int64_t, std::size_t> held;
  for (const auto& [key, row] : rows_) {
    if (row.worker != 0) ++held[row.worker];
  }
  std::string text;
  const std::int64_t now = now_ms();
  for (const WorkerRow& worker : campaign_.database().workers()) {
    const auto found = held.find(worker.id);
    if (found == held.end()) continue;
    text += fmt::format("{}{} by process {} on {} (last heartbeat {} s ago)", text.empty() ? "" : ", ", found->second,
                        worker.pid, worker.host, std::max<std::int64_t>(now - worker.heartbeat, 0) / 1000);
  }
  if (text.empty() && held.empty()) refuse_to_wait("realizations are open, but no worker holds them and none is free");
  return text.empty() ? text : fmt::format("Waiting for realizations held by other workers: {}.", text);
}

std::size_t CampaignRows::largest(int L, const BatchLimits& limits) const {
  return static_cast<std::size_t>(std::max(limits.largest.at(L), 1));
}

std::size_t CampaignRows::width(int L, const BatchLimits& limits) const {
  if (campaign_.config().backend.batch > 0) return largest(L, limits);
  return static_cast<std::size_t>(std::max(limits.width.at(L), 1));
}

std::size_t CampaignRows::share(int L, const BatchLimits& limits) const {
  return order_.share(L, workers_ * processes_, width(L, limits), largest(L, limits));
}

std::vector<RealizationRow> CampaignRows::lease(const BatchLimits& limits, std::size_t workers) {
  processes_ = std::max<std::size_t>(campaign_.database().workers().size(), 1);
  workers_ = std::max<std::size_t>(workers, 1);
  for (;;) {
    read_changes();
    const WorkOrder::Choice choice = order_.next([&](int L) { return largest(L, limits); }, workers * processes_,
                                                 [&](int L) { return width(L, limits); });
    if (choice.keys.empty()) return {};
    std::vector<RealizationRow> wanted;
    for (const RealizationKey key : choice.keys) wanted.push_back(rows_.at(key));
    const std::int64_t worker = keeper_.worker();
    std::vector<RealizationRow> leased = campaign_.database().lease(worker, wanted);
    if (!leased.empty()) {
      read_changes();
      return leased;
    }
    // Another process was faster, or this one has lost its leases.
    if (campaign_.database().changes_since(sequence_).rows.empty()) {
      evicted_ = worker;
      return {};
    }
  }
}

}}  // namespace glassworks::scheduler
