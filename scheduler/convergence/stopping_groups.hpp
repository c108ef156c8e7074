#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "engine/bins/records.hpp"
#include "engine/config/config.hpp"
#include "scheduler/convergence/convergence.hpp"

namespace glassworks { inline namespace scheduler {

/// Which realizations of a campaign stop together: those that share words of multi-spin coding, where
/// convergence.group_share asks for it. A function of the configuration alone. A group of which the campaign holds only
/// a part does not count: its members stop one by one.
class StoppingGroups {
 public:
  explicit StoppingGroups(const Config& config);

  [[nodiscard]] bool exist() const { return size_ > 0; }
  /// Members of a group.
  [[nodiscard]] std::size_t size() const { return size_; }
  /// Members that must meet the criteria for a group to stop: group_share of them, rounded up, at least one.
  [[nodiscard]] std::size_t needed() const { return needed_; }
  /// Number of the group of a realization, whose members are realization / size.
  [[nodiscard]] std::optional<std::uint32_t> of(const RealizationKey& key) const;

 private:
  std::size_t size_ = 0, needed_ = 0;
  /// By L: the first realization of the first whole group, and the one behind the last.
  std::map<int, std::pair<std::uint32_t, std::uint32_t>> whole_;
};

/// The evidence about a member of a group of `members` that has stopped, seen as one of a family: log-binning and
/// copies have the false-alarm probability of one realization for the group as a whole (Bonferroni), and times of the
/// spins count as they are, without the allowance for a time that chance has made too short.
[[nodiscard]] Evidence evidence_in_group(Evidence evidence, std::size_t members);

/// What is demanded of a member of a group that has stopped: a history of group_n_tau tau instead of n_tau.
[[nodiscard]] ConvergenceConfig criteria_in_group(ConvergenceConfig config);

/// Decides about a member at a look. What the group makes of it is settled when it has stopped (settle):
///
///   meets the criteria by itself       producing, expected_rounds = its rounds
///   passes as one of a family only     equilibrating, expected_rounds = its rounds
///   neither                            as decide() says, expected_rounds beyond its rounds
///
/// At max_rounds: converged if it meets the criteria, failed if it does not even pass.
[[nodiscard]] Decision decide_in_group(const ConvergenceConfig& config, const Evidence& evidence, std::size_t members);

/// What the row of a member says about its last look.
[[nodiscard]] bool meets_criteria(const ConvergenceConfig& config, const RealizationRow& row);
[[nodiscard]] bool passes_in_group(const ConvergenceConfig& config, const RealizationRow& row);

/// How far a group has come.
struct GroupProgress {
  std::uint32_t stopped = 0;  ///< rounds of the look at which it stopped; 0: it has not
  std::uint32_t decided = 0;  ///< rounds of the last look at which it is known to go on
};

/// Whether a member met the criteria after so many rounds, an earlier look of it.
using EarlierLook = std::function<bool(const RealizationRow& row, std::uint32_t rounds)>;

/// Goes on from `before`, what is known already: the group stops at the first look, below max_rounds, at which
/// `needed` members meet the criteria. That is known as soon as so many do; that it goes on, when all have been there,
/// but for those that are quarantined, which do not meet them.
[[nodiscard]] GroupProgress group_progress(const ConvergenceConfig& config,
                                           std::span<const RealizationRow* const> members, std::size_t needed,
                                           GroupProgress before, const EarlierLook& earlier);

/// What becomes of an open member.
enum class MemberFate {
  goes_on,    ///< it is to be simulated
  waits,      ///< for the look of others
  converged,  ///< its group has stopped, and it passes
  failed      ///< it has reached max_rounds and passes as one of a family only, but its group has not stopped
};
[[nodiscard]] MemberFate fate_of(const ConvergenceConfig& config, const RealizationRow& row,
                                 const GroupProgress& group);

}}  // namespace glassworks::scheduler
