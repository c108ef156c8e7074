#include "scheduler/campaign/campaign.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>
#include <utility>

#include "base/durable_file.hpp"
#include "engine/checkpoint/checkpoint_name.hpp"
#include "scheduler/campaign/amendment.hpp"
#include "scheduler/campaign/campaign_check.hpp"
#include "scheduler/campaign/stored_columns.hpp"

namespace glassworks { inline namespace scheduler {
namespace fs = std::filesystem;
namespace {

/// Creates a directory and what is missing above it, each name on stable storage.
void create_durably(const fs::path& directory, std::error_code& error) {
  std::error_code ignored;
  if (directory.empty() || fs::is_directory(directory, ignored)) return;
  const fs::path parent = directory.has_parent_path() ? directory.parent_path() : ".";
  create_durably(parent, error);
  if (!error && fs::create_directory(directory, error)) sync_path(parent);
}

void make_directories(const fs::path& directory) {
  std::error_code error;
  if (std::error_code absent; fs::is_symlink(directory / "checkpoints", absent)) {
    throw InputError(
        InputFault::unusable_file, (directory / "checkpoints").string(),
        fmt::format("{} is a symbolic link (a campaign keeps its checkpoints in its own directory, and writes nowhere "
                    "else). Put the folder itself there; the campaign directory as a whole may be a link.",
                    (directory / "checkpoints").string()));
  }
  create_durably(directory / "checkpoints", error);
  if (error || access(directory.c_str(), W_OK) != 0 || access((directory / "checkpoints").c_str(), W_OK) != 0) {
    throw InputError(InputFault::unusable_file, directory.string(),
                     fmt::format("the campaign directory {} cannot be written ({}). Choose another "
                                 "campaign.directory or correct its permissions.",
                                 directory.string(), error ? error.message() : std::strerror(errno)));
  }
}

/// Refuses checkpoints without a database: a new campaign would delete them as orphans, and they may be the only
/// remains of an old campaign.
void refuse_stray_checkpoints(const fs::path& directory) {
  if (fs::is_empty(directory / "checkpoints")) return;
  throw InputError(
      InputFault::missing, (directory / database_file_name).string(),
      fmt::format("there are checkpoints in {} but no {} (a new campaign would remove them). Restore the database, or "
                  "choose another campaign.directory.",
                  directory.string(), database_file_name));
}

}  // namespace

Campaign::Campaign(Config config, Database database, CampaignLock lock, bool created)
    : config_(std::move(config)), database_(std::move(database)), lock_(std::move(lock)), created_(created) {}

Campaign Campaign::create_or_continue(const Config& config, const CampaignLock::MessageSink& say, CampaignUse use,
                                      const std::string& what, const CampaignLock::Stop& stop) {
  const fs::path& directory = config.campaign.directory;
  const fs::path file = directory / database_file_name;
  make_directories(directory);
  CampaignLock lock(directory, say, use, what, stop);
  const bool created = !fs::exists(file);
  if (created) refuse_stray_checkpoints(directory);
  if (!created) {  // show a difference before a database of an older schema is migrated
    const Database as_it_is = Database::open(file, DatabaseAccess::read_only);
    const Config stored = plan_continuation(as_it_is, config).stored;
    require_whole(as_it_is);
    require_written_columns(as_it_is, stored);
  }
  const Config whole = settled(config);
  Database database = created ? Database::create(file, canonical_text(whole), size_entries(whole))
                              : Database::open(file, DatabaseAccess::read_write);
  Continuation continuation = plan_continuation(database, config);
  Campaign campaign(continuation.taken, std::move(database), std::move(lock), created);
  if (campaign.lock_.alone()) campaign.clean_up();
  amend_campaign(campaign.database_, continuation, campaign.lock_.alone());
  campaign.raised_ = std::move(continuation.raised);
  campaign.kept_ = std::move(continuation.kept);
  if (use == CampaignUse::with_others) campaign.lock_.share();
  return campaign;
}

fs::path Campaign::checkpoint_path(const std::string& file) const {
  return config_.campaign.directory / "checkpoints" / file;
}

void Campaign::clean_up() {
  for (const WorkerRow& worker : database_.workers()) database_.remove_worker(worker.id, LeaseEnd::failed);
  for (const RealizationRow& row : database_.leases_without_worker()) {
    database_.release(row.worker, {&row, 1}, LeaseEnd::given_back);
  }
  std::set<std::string> referred;
  for (const RealizationRow& row : database_.realizations()) {
    referred.insert(row.checkpoint);
    referred.insert(row.previous_checkpoint);
  }
  const std::vector<SizeRow> sizes = database_.sizes();
  const bool adapting = std::any_of(sizes.begin(), sizes.end(), [](const SizeRow& size) { return size.adapting; });
  for (const auto& entry : fs::directory_iterator(config_.campaign.directory / "checkpoints")) {
    const std::string name = entry.path().filename().string();
    const bool finished = is_checkpoint_name(name), in_use = adapting && finished && name.starts_with("pilot-");
    if ((!finished && !is_unfinished_checkpoint_name(name)) || in_use || referred.contains(name)) continue;
    remove_checkpoint(config_.campaign.directory / "checkpoints", name);
  }
}

}}  // namespace glassworks::scheduler
