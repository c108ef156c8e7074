#include "scheduler/campaign/amendment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "engine/bins/looks.hpp"
#include "engine/disorder/coupling_samples.hpp"
#include "engine/starts/stored_starts.hpp"
#include "scheduler/campaign/stored_columns.hpp"
#include "scheduler/convergence/convergence.hpp"
#include "scheduler/convergence/stopping_groups.hpp"

namespace glassworks { inline namespace scheduler {
namespace {

/// Whether the row changes.
bool take(const Decision& decision, RealizationRow& row) {
  if (decision.status == row.status && decision.reason == row.reason && decision.judgement == row.judgement) {
    return false;
  }
  row.status = decision.status;
  row.reason = decision.reason;
  row.judgement = decision.judgement;
  return true;
}

/// Judges a finished realization again under the current thresholds and updates its row; returns whether the decision
/// changed. A realization that converged at the old max_rounds stays converged, although with a higher maximum no
/// decision would have been due there.
bool decide_again(const Database& database, const Config& config, const SizeRow& size, RealizationRow& row) {
  if (row.status != RealizationStatus::converged && row.status != RealizationStatus::failed) return false;
  if (config.convergence.lengths == Lengths::given) return false;
  const auto decision_now = [&] {
    if (config.convergence.lengths == Lengths::course) return decide_course(config.convergence, row.rounds);
    const std::vector<RoundRow> rounds = database.rounds(row.key, 0, RoundSamples::skip);
    return decide(config.convergence, rounds, static_cast<int>(size.temperatures.size()),
                  stored_observables(config, size), row.round_trips);
  };
  return take(decision_now(), row);
}

/// Judges the last look of a member of a group again, finished or not; whether its row changes. What the group makes of
/// it is settled when the campaign goes on: a group that still stops where it did ends as it was.
bool decide_member_again(const Database& database, const Config& config, const SizeRow& size, std::size_t members,
                         RealizationRow& row) {
  const std::uint32_t look = last_look(config.convergence, row.rounds);
  if (look == 0 || row.status == RealizationStatus::quarantined) return false;
  std::vector<RoundRow> rounds = database.rounds(row.key, 0, RoundSamples::skip);
  rounds.resize(std::min<std::size_t>(rounds.size(), look));
  const Evidence evidence =
      examine(rounds, static_cast<int>(size.temperatures.size()), stored_observables(config, size),
              round_trips_in(rounds), config.convergence.rule());
  return take(decide_in_group(config.convergence, evidence, members), row);
}

/// The members of a group that a campaign held a part of would have stopped one by one.
void refuse_divided_groups(const Continuation& continuation) {
  const Config &stored = continuation.stored, &taken = continuation.taken;
  const std::uint32_t group = stored.realizations_per_group();
  if (!StoppingGroups(stored).exist()) return;
  for (std::size_t i = 0; i < stored.model.L.size(); ++i) {
    const int before = realizations_of(stored, i);
    const auto same = std::ranges::find(taken.model.L, stored.model.L[i]);
    if (same == taken.model.L.end()) continue;
    const int after = realizations_of(taken, static_cast<std::size_t>(same - taken.model.L.begin()));
    const std::uint32_t end = static_cast<std::uint32_t>(stored.disorder.first_realization + before);
    if (after == before || end % group == 0) continue;
    throw InputError(
        InputFault::conflict, "disorder.realizations",
        fmt::format("disorder.realizations = {} of L = {} cannot be raised (the last group of {} realizations is "
                    "incomplete, so its members stop one by one, and those that join it would not find the same "
                    "lengths). Begin a campaign of its own with disorder.first = {}.",
                    before, stored.model.L[i], group, end));
  }
}

/// Why a key cannot be changed, where that is not plain.
std::string reason_of(const std::string& key) {
  if (key == "model.L") return " (a size that has begun stays; list it too)";
  if (key == "model.couplings_digest") return " (a coupling file has changed)";
  if (key == "model.field_digest") return " (the field file has changed)";
  if (key == "campaign.start_digest") return " (what the histories begin with has changed)";
  if (!key.starts_with("ladder.")) return {};
  return " (temperatures stay: replicas have exchanged with exactly these)";
}

/// Amendments as the database records them: "time key: before -> after".
std::vector<ConfigChange> recorded_changes(const Database& database) {
  constexpr std::string_view arrow = " -> ", colon = ": ";
  std::vector<ConfigChange> changes;
  for (const std::string& line : database.amendments()) {
    const std::size_t key = line.find(' ') + 1, end = line.find(colon, key), middle = line.find(arrow, key);
    if (key == 0 || end == line.npos || middle == line.npos || middle < end) continue;
    const std::size_t before = end + colon.size();
    changes.push_back(
        {line.substr(key, end - key), line.substr(before, middle - before), line.substr(middle + arrow.size())});
  }
  return changes;
}

void refuse_changes(const std::filesystem::path& directory, const std::vector<ConfigChange>& changes) {
  std::string text = fmt::format(
      "the configuration differs from the campaign stored in {} (what a campaign has begun with stays; only "
      "convergence.n_tau, max_rounds, min_round_trips, left_out, rule, course.sweeps and disorder.realizations may be "
      "raised, "
      "and "
      "sizes added to model.L). Restore the keys below or choose another campaign.directory:",
      directory.string());
  std::vector<std::string> refused;
  for (const ConfigChange& change : changes) {
    if (change.allowed) continue;
    text += "\n  " + change.text() + reason_of(change.key);
    refused.push_back(change.key);
  }
  if (!refused.empty()) throw InputError(InputFault::changed, fmt::format("{}", fmt::join(refused, ", ")), text);
}

}  // namespace

std::vector<SizeEntry> size_entries(const Config& config) {
  std::vector<SizeEntry> entries;
  for (std::size_t i = 0; i < config.model.L.size(); ++i) {
    const WrittenColumns columns = written_columns(config, i);
    entries.push_back({{.L = config.model.L[i],
                        .temperatures = ladder_temperatures(config, i),
                        .observables = columns.observables,
                        .adapting = config.ladder.adapt != LadderAdaptation::none,
                        .samples = columns.samples},
                       realizations_of(config, i)});
  }
  return entries;
}

Continuation plan_continuation(const Database& database, const Config& given) {
  Continuation result;
  result.stored = parse_config(database.config_text());
  const Config wanted = with_raised_values(result.stored, given, recorded_changes(database), result.kept);
  result.raised = campaign_changes(result.stored, wanted);
  refuse_changes(database.file().parent_path(), result.raised);
  result.taken = continued(result.stored, wanted);
  if (!result.raised.empty()) {  // there may be more samples
    result.taken.model.couplings_digest.clear();
    result.taken.campaign.start_digest.clear();
  }
  open_coupling_samples(result.taken);
  open_stored_starts(result.taken);
  if (!result.raised.empty()) {
    validate(result.taken);
    refuse_divided_groups(result);
  }
  return result;
}

void amend_campaign(Database& database, const Continuation& continuation, bool alone) {
  const auto& [stored, taken, raised, kept] = continuation;
  if (raised.empty()) return;
  if (!alone) {
    throw InputError(
        InputFault::in_use, raised.front().key,
        fmt::format("{} cannot be raised now (other processes work on the campaign with the value before). Stop them "
                    "first, or leave it as it is.",
                    raised.front().key));
  }
  Amendment amendment{canonical_text(taken), size_entries(taken), {}, {}};
  for (const ConfigChange& change : raised) amendment.changes.push_back(change.text());
  const StoppingGroups groups(taken);
  for (const SizeRow& size : database.sizes()) {
    for (RealizationRow& row : database.realizations(size.L)) {
      const bool changes = groups.of(row.key) ? decide_member_again(database, taken, size, groups.size(), row)
                                              : decide_again(database, taken, size, row);
      if (changes) amendment.reopened.push_back(std::move(row));
    }
  }
  database.amend(amendment);
}

}}  // namespace glassworks::scheduler
