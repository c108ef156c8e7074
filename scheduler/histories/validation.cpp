#include "scheduler/histories/validation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <system_error>
#include <utility>

#include "scheduler/histories/further_history.hpp"
#include "scheduler/histories/second_history.hpp"

namespace glassworks { inline namespace scheduler {
namespace {

namespace fs = std::filesystem;

/// The row of a realization whose history is to be made again; `failed` where it is left out.
RealizationRow planned(const RealizationRow& first, const FurtherHistory& further) {
  RealizationRow row;
  row.key = first.key;
  if (first.status != RealizationStatus::converged) {
    row.status = RealizationStatus::failed;
    row.reason = "left out: it has not converged in the campaign";
    return row;
  }
  row.judgement = further.end(first);
  return row;
}

std::vector<int> chosen_sizes(const Config& first, const std::vector<int>& asked) {
  for (const int L : asked) {
    if (std::ranges::find(first.model.L, L) != first.model.L.end()) continue;
    throw InputError(InputFault::unknown, "L",
                     fmt::format("the campaign has no L = {} (its sizes are {}). Choose among these.", L,
                                 fmt::join(first.model.L, ", ")));
  }
  return asked.empty() ? first.model.L : asked;
}

/// Length of the shortest prefix of `rows` with `sample` converged realizations; all rows if there are fewer, at least
/// 1.
int prefix_with_converged(const std::vector<RealizationRow>& rows, int sample) {
  int converged = 0, count = 0;
  for (const RealizationRow& row : rows) {
    ++count;
    converged += row.status == RealizationStatus::converged ? 1 : 0;
    if (converged >= sample) break;
  }
  return std::max(count, 1);
}

/// Reduces a list with one entry per size to the entries of the chosen sizes.
template <class T>
void take_entries(const std::vector<int>& sizes, const std::vector<int>& all, std::vector<T>& list) {
  if (list.size() <= 1) return;
  std::vector<T> taken;
  for (const int L : sizes) taken.push_back(list[static_cast<std::size_t>(std::ranges::find(all, L) - all.begin())]);
  list = std::move(taken);
}

/// Keeps at least the realizations and max_rounds of an earlier plan in this folder.
void keep_begun(Config& config) {
  std::error_code error;
  if (!fs::exists(config.campaign.directory / database_file_name, error)) return;
  const Database database = Database::open(config.campaign.directory / database_file_name, DatabaseAccess::read_only);
  const Config before = parse_config(database.config_text());
  for (std::size_t i = 0; i < config.model.L.size(); ++i) {
    const auto place = std::ranges::find(before.model.L, config.model.L[i]);
    if (place == before.model.L.end()) continue;
    const auto index = static_cast<std::size_t>(place - before.model.L.begin());
    config.disorder.realizations[i] = std::max(config.disorder.realizations[i], realizations_of(before, index));
  }
  config.convergence.max_rounds = std::max(config.convergence.max_rounds, before.convergence.max_rounds);
}

}  // namespace

ValidationPlan plan_validation(const Database& database, const Config& first, const ValidationRequest& request) {
  ValidationPlan plan{.config = first, .rows = {}};
  Config& config = plan.config;
  const FurtherHistory further = further_history(first, request.kind, first.campaign.start);
  further.begin(config);
  config.model.L = chosen_sizes(first, request.sizes);
  take_entries(config.model.L, first.model.L, config.ladder.slots);
  take_entries(config.model.L, first.model.L, config.round.measurements_per_round);
  config.disorder.realizations.clear();
  for (const int L : config.model.L) {
    config.disorder.realizations.push_back(prefix_with_converged(database.realizations(L), request.sample));
  }
  keep_begun(config);
  std::uint32_t longest = 0;
  for (std::size_t i = 0; i < config.model.L.size(); ++i) {
    for (const RealizationRow& row : database.realizations(config.model.L[i])) {
      if (row.key.realization > realization_numbers(config, i).back()) break;
      plan.rows.push_back(planned(row, further));
      const bool left_out = plan.rows.back().status == RealizationStatus::failed;
      ++(left_out ? plan.left_out : plan.chosen);
      longest = std::max(longest, plan.rows.back().judgement.expected_rounds);
    }
  }
  if (plan.chosen == 0) {
    throw InputError(
        InputFault::missing, first.campaign.directory.string(),
        fmt::format("no realization of {} has converged ({} were looked at; there is nothing to compare with). Run the "
                    "campaign first.",
                    first.campaign.directory.string(), plan.left_out));
  }
  config.convergence.lengths = Lengths::given;
  config.convergence.min_rounds = 1;
  config.convergence.max_rounds = std::max(config.convergence.max_rounds, static_cast<int>(longest));
  open_files_of_part(first, config);
  if (request.kind == CampaignPart::other_generator) {
    config.backend.options.kind = BackendKind::reference;
    config.backend.devices.clear();
    config.backend.batch = 1;  // for each worker
  }
  return plan;
}

void prepare_validation(const Database& database, const ValidationPlan& plan) {
  Campaign campaign = open_campaign_part(database, plan.config);
  std::vector<RealizationRow> fresh;
  for (const RealizationRow& row : plan.rows) {
    RealizationRow now = campaign.database().realization(row.key);
    if (now.rounds > 0 || now.worker != 0 || now.judgement.expected_rounds > 0) continue;
    if (now.status == RealizationStatus::failed && row.status == RealizationStatus::failed) continue;
    now.status = row.status;
    now.reason = row.reason;
    now.judgement = row.judgement;
    fresh.push_back(std::move(now));
  }
  if (fresh.empty()) return;
  campaign.database().amend({campaign.database().config_text(), {}, std::move(fresh), {}});
}

}}  // namespace glassworks::scheduler
