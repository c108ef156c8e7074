#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <optional>

#include "engine/config.hpp"
#include "glassworks/version.hpp"
#include "kernels/lost_device.hpp"
#include "scheduler/process.hpp"
#include "scheduler/worker_backends.hpp"
#include "scheduler/worker_pool.hpp"
#include "tools/glassworks/dry_run.hpp"
#include "tools/glassworks/duration.hpp"
#include "tools/glassworks/new_start.hpp"
#include "tools/glassworks/progress_printer.hpp"
#include "tools/glassworks/stop_signals.hpp"
#include "tools/glassworks/stop_timer.hpp"
#include "tools/glassworks/verbs.hpp"

namespace glassworks {
namespace {

/// Reached by the signal handler; a handler may only touch lock-free atomics.
RoundControl run_control;
std::atomic<bool> signalled{false};

void request_stop(int) {
  signalled.store(true);
  run_control.stop.store(true);
}

void print_help() {
  fmt::print("{}\nKeys:\n\n", run_syntax().help());
  for (const ConfigKey& key : config_keys()) {
    fmt::print("  {:<38} {}\n  {:<38}   values: {}; default: {}\n", key.name, key.meaning, "", key.values,
               key.default_value.empty() ? "none" : key.default_value);
  }
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

RunOutcome run_pool(WorkerPool& pool, const DeviceWatch& watch, CampaignProgress& last) {
  ProgressPrinter printer(run_control, isatty(STDOUT_FILENO) == 1);
  const auto progress = [&](const CampaignProgress& p) {
    last = p;
    printer.update(p);
  };
  const auto device_failed = [&](const std::string& backend, const std::string& message) {
    if (watch.is_consequence(backend)) return;
    printer.warn(fmt::format("Warning: {} is not used any more in this run: {}", backend, message));
  };
  const auto note = [&](const std::string& text) { printer.warn("Note: " + text); };
  const auto ladder = [&](const std::string& text) { printer.say(text); };
  return pool.run(run_control, {progress, device_failed, note, ladder});
}

/// Checkpoints of a batch are open together, for each worker.
void allow_many_files() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= limit.rlim_max) return;
  limit.rlim_cur = limit.rlim_max;
  static_cast<void>(setrlimit(RLIMIT_NOFILE, &limit) == 0);
}

int print_stopped(const CampaignProgress& last, const std::optional<double>& limit) {
  const std::string where = last.realizations > 0
                                ? fmt::format("{} of {} realizations are finished", last.finished(), last.realizations)
                                : "the ladders are still being adapted";
  if (signalled) {
    fmt::print(
        "Stopped: {}; the running round was given up, all committed rounds are safe. Run the same command again to "
        "continue.\n",
        where);
    return status_signal;
  }
  fmt::print("Time limit reached: {}; all committed rounds are safe. Run the same command again to continue.\n", where);
  if (last.realizations > 0 && last.updates == 0.0) {
    fmt::print(stderr,
               "Warning: no round was finished within {} (every run begins whole rounds). Choose a longer "
               "--time-limit, or a smaller backend.batch.\n",
               duration_text(*limit));
  }
  return status_time_limit;
}

void print_finished(const CampaignProgress& last, const std::string& directory) {
  std::string text = fmt::format("Finished: {} of {} realizations converged", last.converged, last.realizations);
  if (last.failed > 0) {
    text += fmt::format(", {} reached the maximum of rounds without converging", last.failed);
  }
  if (last.quarantined > 0) text += fmt::format(", {} quarantined after too many failed attempts", last.quarantined);
  if (last.converged < last.realizations) text += fmt::format(" (`glassworks inspect {}` lists them)", directory);
  fmt::print("{}.\n", text);
}

using Moment = std::chrono::steady_clock::time_point;

int simulate(const Config& config, std::vector<WorkerBackend> backends, const DeviceWatch& watch,
             const std::optional<double>& limit, const std::optional<Moment>& deadline) {
  const std::string used = describe(backends);
  const std::size_t workers = backends.size();
  Campaign campaign = Campaign::create_or_continue(config, [](const std::string& text) {
    fmt::print("{}\n", text);
    std::fflush(stdout);
  });
  fmt::print("{} campaign in {} with {}.\n", campaign.created() ? "New" : "Continuing the", config.directory.string(),
             used);
  for (const std::string& change : campaign.raised()) fmt::print("Raised {}.\n", change);
  std::fflush(stdout);

  allow_many_files();
  on_stop_signals(request_stop);
  const StopTimer timer(run_control, deadline);
  WorkerPool pool(campaign, std::move(backends),
                  {version::kVersion, version::kCommit, version::kCompiler, "", host_name()});
  if (deadline) pool.set_deadline(*deadline);
  CampaignProgress last;
  const RunOutcome outcome = run_pool(pool, watch, last);
  print_times(pool.times(), workers);
  if (outcome == RunOutcome::stopped) return print_stopped(last, limit);
  print_finished(last, config.directory.string());
  return last.quarantined > 0 ? 1 : 0;
}

/// In a new process, with the devices that are left after one was lost; returns if there are none, or no time.
void go_on_with_others(const Arguments& arguments, const DeviceWatch& watch, std::optional<Moment> deadline) {
  std::optional<double> seconds_left;
  if (deadline) {
    seconds_left = std::chrono::duration<double>(*deadline - std::chrono::steady_clock::now()).count();
    if (*seconds_left <= 0.0) return;
  }
  std::vector<std::string> devices;
  for (const int device : watch.others()) devices.push_back(cuda_device_uuid(device));
  if (devices.empty() || run_control.stop) return;
  fmt::print(stderr,
             "Note: the program starts anew with the other {}, counted from 0 (after such a failure CUDA serves no "
             "device of the process any more).\n",
             devices.size() == 1 ? "device" : fmt::format("{} devices", devices.size()));
  start_run_anew(arguments_of_new_start(arguments, devices.size(), seconds_left), devices);
}

}  // namespace

const VerbSyntax& run_syntax() {
  static const VerbSyntax syntax{
      .verb = "run",
      .operand = "CONFIG",
      .meaning = "create or continue a campaign",
      .options = {{"time-limit", "DURATION", "ends in time: 90 (seconds), 15m, 12h, 1:30:00, 2-12:00:00; status 75"},
                  {"dry-run", "", "what would be done and what it would take; creates nothing"}},
      .keys = true};
  return syntax;
}

int run_campaign(const Arguments& arguments) {
  const Moment start = std::chrono::steady_clock::now();
  const ParsedArguments parsed = parse_arguments(run_syntax(), arguments);
  if (parsed.help) {
    print_help();
    return 0;
  }
  std::optional<double> limit;
  std::optional<Moment> deadline;
  if (parsed.has("time-limit")) {
    limit = parse_duration("time-limit", parsed.options.at("time-limit"));
    deadline =
        start + std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(*limit));
  }
  const Config config = load_config(parsed.operand, parsed.keys);
  for (const std::string& note : config.notes) fmt::print(stderr, "Note: {}\n", note);
  std::vector<WorkerBackend> backends = make_worker_backends(config);
  if (parsed.has("dry-run")) {
    print_dry_run(config, std::move(backends));
    return 0;
  }
  DeviceWatch watch;
  try {
    return simulate(config, watch.watched(std::move(backends)), watch, limit, deadline);
  } catch (const std::exception&) {
    go_on_with_others(arguments, watch, deadline);
    throw;
  }
}

}  // namespace glassworks
