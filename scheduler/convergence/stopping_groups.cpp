#include "scheduler/convergence/stopping_groups.hpp"

#include <algorithm>
#include <cmath>

#include "engine/bins/looks.hpp"
#include "engine/bins/stationarity.hpp"

namespace glassworks { inline namespace scheduler {

StoppingGroups::StoppingGroups(const Config& config) {
  const double share = config.convergence.group_share;
  const std::uint32_t group = config.realizations_per_group();
  if (share <= 0.0 || config.convergence.lengths != Lengths::own || group == 1) return;
  size_ = group;
  needed_ = static_cast<std::size_t>(std::max(1.0, std::ceil(share * group * (1.0 - 1e-12))));
  for (std::size_t i = 0; i < config.model.L.size(); ++i) {
    const auto first = static_cast<std::uint32_t>(config.disorder.first_realization);
    const std::uint32_t end = first + static_cast<std::uint32_t>(realizations_of(config, i));
    whole_[config.model.L[i]] = {(first + group - 1) / group * group, end / group * group};
  }
}

std::optional<std::uint32_t> StoppingGroups::of(const RealizationKey& key) const {
  const auto whole = whole_.find(key.L);
  if (whole == whole_.end() || key.realization < whole->second.first || key.realization >= whole->second.second) {
    return {};
  }
  return key.realization / static_cast<std::uint32_t>(size_);
}

Evidence evidence_in_group(Evidence e, std::size_t members) {
  const auto limit = [&](std::size_t comparisons) {
    return deviation_limit(comparisons * members, e.log_binning.batches);
  };
  if (e.log_binning.possible) e.log_binning.limit = limit(e.log_binning.comparisons.size());
  if (e.copies.possible) e.copies.limit = limit(e.copies.comparisons);
  for (ColdTime& one : e.cold) one.upper = one.time.tau;
  return e;
}

ConvergenceConfig criteria_in_group(ConvergenceConfig config) {
  if (config.group_n_tau > 0.0) config.n_tau = config.group_n_tau;
  return config;
}

Decision decide_in_group(const ConvergenceConfig& config, const Evidence& evidence, std::size_t members) {
  Decision alone = decide(config, evidence);
  const bool last = evidence.rounds >= static_cast<std::uint32_t>(config.max_rounds);
  if (alone.status == RealizationStatus::converged) {
    if (!last) alone.status = RealizationStatus::producing;
    return alone;
  }
  Decision together = decide(criteria_in_group(config), evidence_in_group(evidence, members));
  if (together.status != RealizationStatus::converged) return alone;
  together.status = RealizationStatus::equilibrating;
  together.reason = "by the limits of its group: " + together.reason;
  return together;
}

namespace {

bool is_open(const RealizationRow& row) { return !is_finished(row.status); }

/// It says of the last look that no more rounds are needed.
bool needs_no_more(const ConvergenceConfig& config, const RealizationRow& row) {
  const std::uint32_t look = last_look(config, row.rounds);
  return look > 0 && row.judgement.expected_rounds == look;
}

}  // namespace

bool meets_criteria(const ConvergenceConfig& config, const RealizationRow& row) {
  return row.status == RealizationStatus::producing && needs_no_more(config, row);
}

bool passes_in_group(const ConvergenceConfig& config, const RealizationRow& row) {
  return is_open(row) && needs_no_more(config, row);
}

GroupProgress group_progress(const ConvergenceConfig& config, std::span<const RealizationRow* const> members,
                             std::size_t needed, GroupProgress now, const EarlierLook& earlier) {
  if (now.stopped > 0) return now;
  const auto maximum = static_cast<std::uint32_t>(config.max_rounds);
  std::uint32_t least = maximum, most = 0;  // last looks of those that can still be looked at
  for (const RealizationRow* row : members) {
    // Members that have converged below max_rounds did so when the group had stopped, the first of them just then.
    if (row->status == RealizationStatus::converged && row->rounds < maximum) {
      now.stopped = now.stopped == 0 ? row->rounds : std::min(now.stopped, row->rounds);
    }
    if (row->status == RealizationStatus::quarantined) continue;
    const std::uint32_t look = last_look(config, row->rounds);
    least = std::min(least, look);
    most = std::max(most, look);
  }
  if (now.stopped > 0) return now;
  // Where all are at one look, the group has not stopped before: those that had converged would have been left behind.
  if (least == most && least > 0) now.decided = std::max(now.decided, least - 1);
  std::uint32_t look = first_look_from(config, now.decided + 1);
  for (; look <= most && look < maximum; look = first_look_from(config, look + 1)) {
    std::size_t met = 0, unknown = 0;
    for (const RealizationRow* row : members) {
      const std::uint32_t last = last_look(config, row->rounds);
      if (last < look) {
        unknown += row->status == RealizationStatus::quarantined ? 0 : 1;
      } else {
        met += (last == look ? meets_criteria(config, *row) : earlier(*row, look)) ? 1 : 0;
      }
    }
    if (met >= needed) {
      now.stopped = look;
      return now;
    }
    if (unknown > 0) return now;
    now.decided = look;
  }
  return now;
}

MemberFate fate_of(const ConvergenceConfig& config, const RealizationRow& row, const GroupProgress& group) {
  const std::uint32_t look = last_look(config, row.rounds);
  const bool at_look = look > 0 && look == row.rounds,
             at_end = row.rounds >= static_cast<std::uint32_t>(config.max_rounds);
  if (group.stopped > 0) {
    if (at_look && look >= group.stopped && passes_in_group(config, row)) return MemberFate::converged;
    return at_end ? MemberFate::failed : MemberFate::goes_on;
  }
  // At max_rounds each has been decided by itself, but for those that could have passed with their group.
  const std::uint32_t next = first_look_from(config, group.decided + 1);
  if (at_end) return next >= static_cast<std::uint32_t>(config.max_rounds) ? MemberFate::failed : MemberFate::waits;
  return look >= next ? MemberFate::waits : MemberFate::goes_on;
}

}}  // namespace glassworks::scheduler
