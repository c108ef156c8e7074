#include "scheduler/histories/second_history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <system_error>
#include <vector>

#include "engine/disorder/coupling_samples.hpp"
#include "engine/starts/stored_starts.hpp"
#include "scheduler/campaign/process.hpp"
#include "scheduler/histories/further_history.hpp"

namespace glassworks { inline namespace scheduler {
namespace {

namespace fs = std::filesystem;

constexpr int fewest_second_histories = 8;

Start start_of(SecondStart second) { return second == SecondStart::annealed ? Start::annealed : Start::ordered; }

/// The configuration of second histories that have begun.
std::optional<Config> begun(const fs::path& folder) {
  std::error_code error;
  if (!fs::exists(folder / database_file_name, error)) return {};
  return parse_config(Database::open(folder / database_file_name, DatabaseAccess::read_only).config_text());
}

/// The ladder of a size was adapted in the first campaign: its stages are entered without their pilots, whose states
/// stay there.
void copy_ladder(const Database& first, const SizeRow& size, Database& database, std::int64_t worker) {
  if (!database.claim_ladder(size.L, worker)) return;  // frozen, or another process is at it
  const std::size_t entered = database.ladder_stages(size.L).size();
  std::vector<LadderStage> stages = first.ladder_stages(size.L);
  for (LadderStage& stage : std::span(stages).subspan(entered)) {
    stage.pilots = 0;
    stage.checkpoints.clear();
    database.add_ladder_stage(worker, stage, &stage == &stages.back() ? &size.temperatures : nullptr);
  }
}

}  // namespace

int second_histories(int realizations, double fraction) {
  const auto part = static_cast<int>(std::ceil(fraction * realizations));
  return std::min(realizations, std::max(part, fewest_second_histories));
}

std::optional<Config> second_history_config(const Config& first, const CampaignConfig& asked) {
  const fs::path folder = part_folder(first.campaign.directory, CampaignPart::second_histories);
  const std::optional<Config> before = begun(folder);
  const CampaignConfig& wish = asked.second_start != SecondStart::none ? asked : first.campaign;
  if (wish.second_start == SecondStart::none && !before) return {};
  Config config = first;
  const Start start = wish.second_start != SecondStart::none ? start_of(wish.second_start) : before->campaign.start;
  further_history(first, CampaignPart::second_histories, start).begin(config);
  for (std::size_t i = 0; i < config.model.L.size(); ++i) {
    if (i > 0 && config.disorder.realizations.size() == 1) break;
    const int all = config.disorder.realizations[i];
    int some = wish.second_start != SecondStart::none ? second_histories(all, wish.second_start_fraction) : 1;
    const auto place = before ? std::ranges::find(before->model.L, config.model.L[i]) : config.model.L.end();
    if (before && place != before->model.L.end()) {
      some = std::max(some, realizations_of(*before, static_cast<std::size_t>(place - before->model.L.begin())));
    }
    config.disorder.realizations[i] = std::min(some, all);
  }
  open_files_of_part(first, config);
  return config;
}

void open_files_of_part(const Config& first, Config& config) {
  Config whole = first;
  open_coupling_samples(whole);
  open_stored_starts(whole);
  if (config.model.couplings == CouplingKind::files) {
    config.model.samples = whole.model.samples;
    config.model.couplings_digest.clear();
    open_coupling_samples(config);
  }
  config.campaign.starts = whole.campaign.starts;
  config.campaign.start_digest.clear();
  open_stored_starts(config);
}

Campaign open_campaign_part(const Database& first, const Config& config) {
  Campaign campaign = Campaign::create_or_continue(config);
  Database& database = campaign.database();
  if (std::ranges::none_of(database.sizes(), &SizeRow::adapting)) return campaign;
  constexpr int seconds = 60;
  const std::int64_t worker = database.add_worker(this_process("none", seconds));
  for (const SizeRow& size : first.sizes()) copy_ladder(first, size, database, worker);
  database.remove_worker(worker, LeaseEnd::given_back);
  return campaign;
}

}}  // namespace glassworks::scheduler
