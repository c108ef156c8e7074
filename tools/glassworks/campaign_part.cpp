#include "tools/glassworks/campaign_part.hpp"

#include <optional>

#include "scheduler/histories/second_history.hpp"
#include "tools/glassworks/output.hpp"

namespace glassworks { inline namespace tools {

Config stored_campaign(const Config& given) {
  const Database database = Database::open(given.campaign.directory / database_file_name, DatabaseAccess::read_only);
  Config config = parse_config(database.config_text());
  config.campaign.directory = given.campaign.directory;
  config.backend = given.backend;
  config.workers = given.workers;
  config.checkpoint = given.checkpoint;
  return config;
}

int run_second_histories(const Config& given, const RunRequest& request, DeviceWatch& watch, const MakeWorkers& make) {
  const std::optional<Config> config = second_history_config(stored_campaign(given), given.campaign);
  if (!config) return 0;
  print("Second histories of the same disorder ({} start):\n",
        config->campaign.start == Start::annealed ? "annealed" : "ordered");
  {
    const Database first = Database::open(given.campaign.directory / database_file_name, DatabaseAccess::read_only);
    static_cast<void>(open_campaign_part(first, *config));
  }
  return run_course(*config, watch.watched(make(*config)), request, nullptr, &watch);
}

}}  // namespace glassworks::tools
