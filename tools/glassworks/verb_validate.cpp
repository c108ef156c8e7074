#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "analysis/basics/value_format.hpp"
#include "analysis/histories/history_sections.hpp"
#include "base/threads.hpp"
#include "engine/config/config_value.hpp"
#include "scheduler/campaign/amendment.hpp"
#include "scheduler/devices/worker_backends.hpp"
#include "scheduler/histories/validation.hpp"
#include "tools/glassworks/campaign_part.hpp"
#include "tools/glassworks/course_options.hpp"
#include "tools/glassworks/device_losses.hpp"
#include "tools/glassworks/given_config.hpp"
#include "tools/glassworks/open_campaign.hpp"
#include "tools/glassworks/output.hpp"
#include "tools/glassworks/run_course.hpp"
#include "tools/glassworks/verbs.hpp"

namespace glassworks { inline namespace tools {
namespace {

constexpr int default_sample = 32, default_generator_sample = 8, most_realizations = 10'000'000;

/// One for each thread: the reference backend simulates heisenberg spins with a single one.
std::vector<WorkerBackend> backends_of(const Config& config) {
  std::vector<WorkerBackend> backends = make_worker_backends(config);
  if (config.campaign.generator == Generator::philox4x32) return backends;
  const int given = config.backend.options.threads, threads = given > 0 ? given : hardware_threads();
  while (static_cast<int>(backends.size()) < threads) {
    backends.push_back(std::move(make_worker_backends(config).front()));
  }
  return backends;
}

/// Simulates a part; returns the status of the run.
int simulate_again(const Config& first, const ValidationRequest& request, const RunRequest& run, const char* what,
                   DeviceWatch& watch) {
  const Database database = open_campaign(first.campaign.directory);
  const ValidationPlan plan = plan_validation(database, first, request);
  print("{}: {} realizations{}.\n", what, plan.chosen,
        plan.left_out > 0 ? fmt::format(" ({} others have not converged)", plan.left_out) : "");
  prepare_validation(database, plan);
  return run_course(plan.config, watch.watched(backends_of(plan.config)), run, nullptr, &watch);
}

/// Prints what the parts show; whether all agree.
bool print_comparisons(const Database& database) {
  bool agrees = true;
  for (const PartComparison& comparison : compare_parts(database)) {
    print("\n{}.\n", summary_of(comparison));
    for (const Table& table : {paired_table(comparison), moments_table(comparison)}) {
      if (table.rows.size() > 1) show("\n" + format_table(table.rows));
    }
    agrees = agrees && comparison.agrees();
  }
  return agrees;
}

std::vector<int> sizes_from(const ParsedArguments& parsed, const Config& first) {
  if (!parsed.has("generator-L")) return {first.model.L.front()};
  std::vector<int> sizes;
  read_value(ConfigEntry{"--generator-L", parsed.options.at("generator-L"), "command line"}, sizes);
  return sizes;
}

/// A validation simulates what the campaign holds, so that only backend, workers and checkpoint interval are its own.
void refuse_keys(const Database& database, const Config& given, const std::vector<std::string>& keys) {
  for (const std::string& text : keys) {
    const std::string key = text.substr(0, text.find('='));
    if (!key.starts_with("campaign.second_start") && key != "campaign.note") continue;
    throw InputError(
        InputFault::unsupported, key,
        fmt::format("{} has no effect in a validation (it simulates what the campaign holds). Leave it out, "
                    "or give it to `glassworks run`.",
                    key));
  }
  const std::vector<ConfigChange> raised = plan_continuation(database, given).raised;
  if (raised.empty()) return;
  const ConfigChange& change = raised.front();
  throw InputError(
      InputFault::changed, change.key,
      fmt::format("{} cannot be raised by a validation ({}: it simulates what the campaign holds). Raise it "
                  "by `glassworks run` first.",
                  change.key, change.text()));
}

}  // namespace

const VerbSyntax& validate_syntax() {
  static const VerbSyntax syntax{
      .verb = "validate",
      .operand = "DIR",
      .meaning = "realizations simulated again: longer, and with another generator; differences with errors",
      .options = {{"sample", "N", "realizations of each size, to five times their length (default 32; 0: none)"},
                  {"generator", "N",
                   "realizations again with the other generator, on the processor (default 8; 0: none)"},
                  {"generator-L", "L,L", "sizes of these (default: the first size)"},
                  {"time-limit", "DURATION", "stops within this time, as of `run`; status 75"}},
      .keys = true};
  return syntax;
}

int validate_campaign(const Arguments& arguments) {
  const auto start = std::chrono::steady_clock::now();
  const ParsedArguments parsed = parse_arguments(validate_syntax(), arguments);
  if (parsed.help) {
    show(validate_syntax().help());
    return 0;
  }
  const Database database = open_campaign(parsed.operand);
  const Config given = given_config(parsed);
  refuse_keys(database, given, parsed.keys);
  const Config first = stored_campaign(given);
  refuse_course(first, "validate", "it compares histories in equilibrium", "Check it by `glassworks verify`");
  const RunRequest run = request_of(parsed, start);
  const int sample = whole_number(parsed, "sample", 0, most_realizations).value_or(default_sample);
  const int generator = whole_number(parsed, "generator", 0, most_realizations).value_or(default_generator_sample);
  if (sample == 0 && generator == 0) {
    throw InputError(
        InputFault::conflict, "--sample, --generator",
        "--sample 0 and --generator 0 leave nothing to simulate (each is a number of realizations). Give one "
        "of them more than 0.");
  }
  const ValidationRequest longer{.kind = CampaignPart::fivefold, .sample = std::max(sample, 1), .sizes = {}};
  const ValidationRequest other{
      .kind = CampaignPart::other_generator, .sample = std::max(generator, 1), .sizes = sizes_from(parsed, first)};
  // What cannot be is refused before anything is simulated.
  for (const ValidationRequest* request : {&longer, &other})
    static_cast<void>(plan_validation(database, first, *request));
  const auto simulate = [&](DeviceWatch& watch) {
    int status = 0;
    if (sample > 0) status = simulate_again(first, longer, run, "Histories of five times the length", watch);
    if (status == 0 && generator > 0) {
      status = simulate_again(first, other, run, "Histories with the generator threefry4x32", watch);
    }
    return status;
  };
  const int status =
      run_with_device_recovery({"validate", arguments, run}, first.backend.options.cuda.counted_devices(), simulate);
  if (status == status_time_limit || status == status_signal) return status;
  return print_comparisons(database) ? status : 1;
}

}}  // namespace glassworks::tools
