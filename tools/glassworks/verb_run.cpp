#include <fmt/format.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "engine/config/config.hpp"
#include "scheduler/devices/worker_backends.hpp"
#include "scheduler/ranks/launch.hpp"
#include "scheduler/ranks/mpi_transport.hpp"
#include "tools/glassworks/campaign_part.hpp"
#include "tools/glassworks/device_losses.hpp"
#include "tools/glassworks/dry_run.hpp"
#include "tools/glassworks/given_config.hpp"
#include "tools/glassworks/output.hpp"
#include "tools/glassworks/run_course.hpp"
#include "tools/glassworks/run_ranks.hpp"
#include "tools/glassworks/stop_signals.hpp"
#include "tools/glassworks/verbs.hpp"

namespace glassworks { inline namespace tools {
namespace {

void print_help() {
  show(run_syntax().help() + "\nKeys:\n\n");
  for (const ConfigKey& key : config_keys()) {
    print("  {:<38} {}\n  {:<38}   values: {}; default: {}\n", key.name, key.meaning, "", key.values,
          key.default_value.empty() ? "none" : key.default_value);
  }
}

int run(const Arguments& arguments, const RunRequest& request, const Launch& launch, const CudaChoices& choices) {
  const ParsedArguments& parsed = request.arguments;
  if (!launch.problem.empty()) throw InputError(InputFault::unsupported, launch.launcher, launch.problem);
  if (!parsed.has("dry-run")) ignore_sigpipe();
  if (launch.ranks > 1 && !parsed.has("dry-run")) return run_as_rank(request, launch);
  if (launch.ranks == 1 && parsed.has("coordinator-only")) {
    throw InputError(
        InputFault::conflict, "--coordinator-only",
        "--coordinator-only is for runs of several ranks (alone, this process would simulate nothing). Start it with "
        "srun or mpirun, or leave the option out.");
  }
  Config config = given_config(parsed);
  config.backend.options.cuda = choices;
  for (const std::string& note : config.notes) print(Channel::error, "Note: {}\n", note);
  std::vector<WorkerBackend> backends = make_worker_backends(config);
  if (parsed.has("dry-run")) {
    print_dry_run(config, std::move(backends));
    return 0;
  }
  return run_with_device_recovery({"run", arguments, request}, choices.counted_devices(), [&](DeviceWatch& watch) {
    const int status = run_course(config, watch.watched(std::move(backends)), request, nullptr, &watch);
    return status == 0 ? run_second_histories(config, request, watch) : status;
  });
}

}  // namespace

const VerbSyntax& run_syntax() {
  static const VerbSyntax syntax{
      .verb = "run",
      .operand = "CONFIG",
      .meaning = "create a campaign, or continue one; CONFIG is a configuration file, or the directory of a campaign",
      .options = {{"time-limit", "DURATION",
                   "stops within this time: 90 (seconds), 15m, 12h, 1:30:00, 2-12:00:00; status 75"},
                  {"dry-run", "", "shows the plan and its cost; creates nothing"},
                  {"coordinator-only", "", "rank 0 of several only coordinates; default above 64 ranks"}},
      .keys = true};
  return syntax;
}

int run_campaign(const Arguments& arguments) { return run_campaign(arguments, CudaChoices{}); }

/// Of several ranks, only rank 0 reports faults of the input and handles --help and --dry-run.
int run_campaign(const Arguments& arguments, const CudaChoices& choices) {
  const auto start = std::chrono::steady_clock::now();
  const Launch launch = launch_of(this_environment(), mpi_library());
  try {
    const ParsedArguments parsed = parse_arguments(run_syntax(), arguments);
    if (parsed.help && launch.rank == 0) print_help();
    if (parsed.help || (parsed.has("dry-run") && launch.rank > 0)) return 0;
    return run(arguments, request_of(parsed, start), launch, choices);
  } catch (const InputError&) {
    if (launch.rank > 0) return 2;
    throw;
  }
}

}}  // namespace glassworks::tools
