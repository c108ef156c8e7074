#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>

#include "engine/config.hpp"
#include "glassworks/version.hpp"
#include "scheduler/worker_backends.hpp"
#include "scheduler/worker_pool.hpp"
#include "tools/glassworks/progress_printer.hpp"
#include "tools/glassworks/verbs.hpp"

namespace glassworks {
namespace {

/// Reached by the signal handler; a handler may only touch lock-free atomics.
RoundControl run_control;

void request_stop(int) { run_control.stop.store(true); }

void catch_signals() {
  struct sigaction action = {};
  action.sa_handler = request_stop;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESETHAND;  // a second Ctrl-C ends the program at once; whole rounds are safe even then
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

void print_help() {
  fmt::print(
      "Usage: glassworks run CONFIG [--section.key=value ...]\n\nCreates the campaign of a configuration file, or "
      "continues it. Keys:\n\n");
  for (const ConfigKey& key : config_keys()) {
    fmt::print("  {:<38} {}\n  {:<38}   values: {}; default: {}\n", key.name, key.meaning, "", key.values,
               key.default_value.empty() ? "none" : key.default_value);
  }
}

std::string host_name() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "unknown";
}

void print_times(const TimeShares& t, std::size_t workers) {
  const double total = t.rounds + t.checkpoints + t.database + t.idle;
  if (total <= 0.0) return;
  const auto percent = [&](double seconds) { return 100 * seconds / total; };
  const std::string whose = workers > 1 ? fmt::format("Time of {} workers together", workers) : "Time";
  fmt::print("{}: {:.1f} s, of which rounds {:.1f} %, checkpoints {:.1f} %, database and decisions {:.1f} %", whose,
             total, percent(t.rounds), percent(t.checkpoints), percent(t.database));
  if (workers > 1) fmt::print(", waiting for each other {:.1f} %", percent(t.idle));
  fmt::print(".\n");
}

}  // namespace

int run_campaign(const Arguments& arguments) {
  std::vector<std::string> files, overrides;
  for (const std::string& argument : arguments) {
    if (argument == "--help" || argument == "-h") {
      print_help();
      return 0;
    }
    if (argument.starts_with("-")) {
      if (!argument.starts_with("--") || argument.find('=') == std::string::npos) {
        throw InputError(
            fmt::format("`glassworks run` cannot use '{}' (an option sets a key). Write "
                        "--section.key=value; `glassworks run --help` lists the keys.",
                        argument));
      }
      overrides.push_back(argument.substr(2));
    } else {
      files.push_back(argument);
    }
  }
  if (files.size() != 1) {
    throw InputError(
        fmt::format("`glassworks run` takes one configuration file ({} given). For example: glassworks run "
                    "configs/quickstart.cfg",
                    files.size()));
  }
  const Config config = load_config(files.front(), overrides);
  for (const std::string& note : config.notes) fmt::print(stderr, "Note: {}\n", note);
  std::vector<WorkerBackend> backends = make_worker_backends(config);
  const std::string used = describe(backends);
  const std::size_t workers = backends.size();
  Campaign campaign = Campaign::create_or_continue(config);
  fmt::print("{} campaign in {} with {}.\n", campaign.created() ? "New" : "Continuing the", config.directory.string(),
             used);
  std::fflush(stdout);

  catch_signals();
  WorkerPool pool(campaign, std::move(backends),
                  {version::kVersion, version::kCommit, version::kCompiler, "", host_name()});
  CampaignProgress last;
  RunOutcome outcome = RunOutcome::complete;
  {
    ProgressPrinter printer(run_control, isatty(STDOUT_FILENO) == 1);
    const auto progress = [&](const CampaignProgress& p) {
      last = p;
      printer.update(p);
    };
    const auto device_failed = [&](const std::string& backend, const std::string& message) {
      printer.warn(fmt::format("{} is not used any more in this run: {}", backend, message));
    };
    const auto note = [&](const std::string& text) { printer.warn(text); };
    outcome = pool.run(run_control, {progress, device_failed, note});
  }
  print_times(pool.times(), workers);
  if (outcome == RunOutcome::stopped) {
    fmt::print(
        "Stopped: {} of {} realizations are finished; the running round was given up, all committed rounds are "
        "safe. Run the same command again to continue.\n",
        last.converged + last.failed, last.realizations);
    return 130;
  }
  fmt::print("Finished: {} of {} realizations converged", last.converged, last.realizations);
  if (last.failed > 0) {
    fmt::print(", {} reached the maximum of rounds without converging (`glassworks inspect {}` lists them)",
               last.failed, config.directory.string());
  }
  fmt::print(".\n");
  return 0;
}

}  // namespace glassworks
