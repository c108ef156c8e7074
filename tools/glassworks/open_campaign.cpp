#include "tools/glassworks/open_campaign.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/text.hpp"
#include "db/copy.hpp"
#include "engine/config/config.hpp"
#include "scheduler/campaign/campaign_check.hpp"
#include "scheduler/campaign/campaign_lock.hpp"
#include "tools/glassworks/duration.hpp"

namespace glassworks { inline namespace tools {
namespace fs = std::filesystem;
namespace {

void require_campaign(const fs::path& directory) {
  std::error_code error;
  if (fs::exists(directory / database_file_name, error)) return;
  throw InputError(
      InputFault::missing, (directory / database_file_name).string(),
      fmt::format("there is no campaign in {} (it holds no {}). Give the campaign.directory of a configuration that "
                  "was run.",
                  directory.string(), database_file_name));
}

/// The copy of a campaign, if there is one now.
std::optional<ViewedCampaign> open_copy(const fs::path& directory, const CampaignHolder& holder) {
  const fs::path file = directory / status_file_name;
  std::error_code missing;
  const auto written = fs::last_write_time(file, missing);
  if (missing) return std::nullopt;
  const std::chrono::duration<double> age = fs::file_time_type::clock::now() - written;
  Database database = Database::open(file, DatabaseAccess::read_only);
  require_readable(database);
  return ViewedCampaign{std::move(database), PublishedCopy{std::max(age.count(), 0.0), holder.host}};
}

}  // namespace

std::string PublishedCopy::text() const {
  return fmt::format("As of {} ago, on node {}, where it runs.", duration_text(age_seconds), visible_line(host));
}

Database open_campaign(const fs::path& directory) {
  require_campaign(directory);
  if (const auto holder = holder_elsewhere(directory)) {
    const std::string file = (directory / database_file_name).string();
    throw InputError(
        InputFault::in_use, directory.string(),
        fmt::format("the campaign in {} is in use by another machine ({}), and its database can be read only there. "
                    "Wait until that has ended; or look with `status` or `watch`; or make a copy on that machine with "
                    "`sqlite3 {} \".backup COPY/{}\"` and give the directory COPY.",
                    directory.string(), holder->text(), file, database_file_name));
  }
  Database database = Database::open(directory / database_file_name, DatabaseAccess::read_only);
  require_readable(database);
  return database;
}

namespace {

std::vector<std::unique_ptr<Database>> open_all(const std::vector<std::string>& directories) {
  std::vector<std::unique_ptr<Database>> all;
  for (const std::string& directory : directories) {
    all.push_back(std::make_unique<Database>(open_campaign(directory)));
  }
  return all;
}

std::vector<const Database*> pointers(const std::vector<std::unique_ptr<Database>>& databases) {
  std::vector<const Database*> all;
  for (const auto& database : databases) all.push_back(database.get());
  return all;
}

}  // namespace

OpenCampaigns::OpenCampaigns(const std::vector<std::string>& directories)
    : databases_(open_all(directories)), set_(pointers(databases_)) {}

ViewedCampaign open_for_viewing(const fs::path& directory) {
  require_campaign(directory);
  if (const auto holder = holder_elsewhere(directory)) {
    if (auto copy = open_copy(directory, *holder)) return std::move(*copy);
    if (holder_elsewhere(directory)) {  // it removes the copy before it goes
      throw InputError(
          InputFault::in_use, directory.string(),
          fmt::format("the campaign in {} is in use by another machine ({}), which has not published {} yet. Try again "
                      "in some seconds.",
                      directory.string(), holder->text(), status_file_name));
    }
  }
  return {open_campaign(directory), std::nullopt};
}

}}  // namespace glassworks::tools
