#include "scheduler/amendment.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scheduler/convergence.hpp"
#include "scheduler/stored_columns.hpp"

namespace glassworks::inline scheduler {
namespace {

/// What the present thresholds say of a finished realization that was decided upon with others; false if it is the
/// same. A realization that converged at what was the maximum of rounds stays so, although it would not have been
/// looked at there under a higher one.
bool decide_again(const Database& database, const Config& config, const SizeRow& size, RealizationRow& row) {
  if (row.status != RealizationStatus::converged && row.status != RealizationStatus::failed) return false;
  const std::vector<RoundRow> rounds = database.rounds(row.key, 0, RoundSamples::skip);
  const Decision decision = decide(config.convergence, rounds, static_cast<int>(size.temperatures.size()),
                                   stored_observables(config, size), row.round_trips);
  if (decision.status == row.status && decision.reason == row.reason && decision.judgement == row.judgement) {
    return false;
  }
  row.status = decision.status;
  row.reason = decision.reason;
  row.judgement = decision.judgement;
  return true;
}

}  // namespace

void refuse_other_configuration(const std::filesystem::path& directory, const Config& stored, const Config& given) {
  std::vector<ConfigChange> changes = campaign_changes(stored, given);
  std::erase_if(changes, [](const ConfigChange& change) { return change.allowed; });
  if (changes.empty()) return;
  std::string text = fmt::format(
      "the configuration differs from the campaign stored in {} (what a campaign has begun with stays; only "
      "thresholds, convergence.max_rounds and disorder.realizations may be raised). Restore the keys below or choose "
      "another campaign.directory:",
      directory.string());
  for (const ConfigChange& change : changes) text += "\n  " + change.text();
  throw InputError(text);
}

std::vector<std::string> amend_campaign(Database& database, const Config& stored, const Config& given, bool alone) {
  const std::vector<ConfigChange> changes = campaign_changes(stored, given);
  if (std::none_of(changes.begin(), changes.end(), [](const ConfigChange& change) { return change.allowed; })) {
    return {};
  }
  Amendment amendment{canonical_text(given), given.realizations, {}, {}};
  for (const ConfigChange& change : changes) {
    if (change.allowed) amendment.changes.push_back(change.text());
  }
  if (!alone) {
    throw InputError(
        fmt::format("{} cannot be raised now (other processes work on the campaign with the value before). Stop them "
                    "first, or leave it as it is.",
                    changes.front().key));
  }
  for (const SizeRow& size : database.sizes()) {
    for (RealizationRow& row : database.realizations(size.L)) {
      if (decide_again(database, given, size, row)) amendment.reopened.push_back(std::move(row));
    }
  }
  database.amend(amendment);
  return amendment.changes;
}

}  // namespace glassworks::inline scheduler
