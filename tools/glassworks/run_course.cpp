#include "tools/glassworks/run_course.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <csignal>
#include <utility>

#include "db/lock_waiting.hpp"
#include "engine/loading/memory.hpp"
#include "glassworks/version.hpp"
#include "scheduler/campaign/process.hpp"
#include "scheduler/campaign/status_words.hpp"
#include "scheduler/devices/batch_size.hpp"
#include "scheduler/devices/worker_backends.hpp"
#include "tools/glassworks/duration.hpp"
#include "tools/glassworks/output.hpp"
#include "tools/glassworks/progress_printer.hpp"
#include "tools/glassworks/stop_signals.hpp"
#include "tools/glassworks/terminal.hpp"
#include "tools/glassworks/verbs.hpp"

namespace glassworks { inline namespace tools {
namespace {

/// Reached by the signal handler; a handler may only touch lock-free atomics.
RoundControl control;
StopFlag signalled;

/// Before any work: refuses what does not fit, and warns of what fits only if other programs make room.
void check_memory_of_run(const Config& config, const std::vector<WorkerBackend>& backends) {
  require_batches_fit(config, backends, physical_memory_bytes());
  const double free = available_memory_bytes();
  for (std::size_t i = 0; i < config.model.L.size(); ++i) {
    const double need = least_bytes(config, make_chain(config, i, ladder_temperatures(config, i)), backends);
    if (need <= free) continue;
    print(
        Channel::error,
        "Warning: L = {} needs {:.3g} GB of memory, and {:.3g} GB are free now: the system may end this run. End other "
        "programs, or lower model.L, ladder.slots or backend.batch.\n",
        config.model.L[i], need / 1e9, free / 1e9);
  }
}

/// with_sweeps  whether rounds are sweeps and measurements of a course
void print_times(const TimeShares& t, std::size_t workers, bool with_sweeps) {
  const double total = t.rounds + t.checkpoints + t.database + t.idle;
  if (total <= 0.0) return;
  const auto percent = [&](double seconds) { return 100 * seconds / total; };
  const std::string whose = workers > 1 ? fmt::format("Time of {} workers together", workers) : "Time";
  const std::string rounds = with_sweeps ? fmt::format("sweeps {:.1f} %, measurements {:.1f} %",
                                                       percent(t.rounds - t.measurements), percent(t.measurements))
                                         : fmt::format("rounds {:.1f} %", percent(t.rounds));
  print("{}: {:.1f} s, of which {}, checkpoints {:.1f} %, database and decisions {:.1f} %", whose, total, rounds,
        percent(t.checkpoints), percent(t.database));
  if (workers > 1) print(", waiting for work {:.1f} %", percent(t.idle));
  print(".\n");
}

RunOutcome run_pool(WorkerPool& pool, const Campaign& campaign, OtherRanks* other_ranks, const DeviceWatch* watch,
                    CampaignProgress& last) {
  ProgressPrinter printer(control, output_can_be_redrawn() ? ProgressKind::bars : ProgressKind::lines,
                          status_word(campaign.config(), RealizationStatus::converged));
  const auto progress = [&](const CampaignProgress& p) {
    last = p;
    printer.update(p);
  };
  const auto device_failed = [&](const std::string& backend, const std::string& message) {
    if (watch != nullptr && watch->is_consequence(backend)) return;
    printer.warn(fmt::format("Warning: {} is not used any more in this run: {}", backend, message));
  };
  const auto note = [&](const std::string& text) { printer.warn("Note: " + text); };
  const auto say = [&](const std::string& text) { printer.say(text); };
  WorkerPool::Service serve;
  if (other_ranks != nullptr) {
    serve = [&](BatchQueue& queue, const Chains& chains) { other_ranks->serve(queue, chains, campaign, say); };
  }
  return pool.run(control, {progress, device_failed, note, say}, serve);
}

int print_stopped(const CampaignProgress& last, const std::optional<double>& limit) {
  const std::string where = last.realizations > 0
                                ? fmt::format("{} of {} realizations are finished", last.finished(), last.realizations)
                                : "the ladders are still being adapted";
  if (signalled) {
    print(
        "Stopped: {}; the running round was given up, all committed rounds are safe. Run the same command again to "
        "continue.\n",
        where);
    return status_signal;
  }
  print("Time limit reached: {}; all committed rounds are safe. Run the same command again to continue.\n", where);
  if (last.realizations > 0 && last.updates == 0.0) {
    print(Channel::error,
          "Warning: no round was finished within {} (every run begins whole rounds). Choose a longer "
          "--time-limit, or a smaller backend.batch.\n",
          duration_text(*limit));
  }
  return status_time_limit;
}

void print_finished(const CampaignProgress& last, const Config& config) {
  std::string text = fmt::format("Finished: {} of {} realizations {}", last.converged, last.realizations,
                                 status_word(config, RealizationStatus::converged));
  if (last.failed > 0) {
    text += fmt::format(", {} reached the maximum of rounds without converging", last.failed);
  }
  if (last.quarantined > 0) text += fmt::format(", {} quarantined after too many failed attempts", last.quarantined);
  if (last.converged < last.realizations) {
    text += fmt::format(" (`glassworks inspect {}` lists them)", config.campaign.directory.string());
  }
  print("{}.\n", text);
}

}  // namespace

RunRequest request_of(const ParsedArguments& parsed, std::chrono::steady_clock::time_point start) {
  RunRequest request{parsed, {}, {}};
  if (parsed.has("time-limit")) {
    request.limit = parse_duration("time-limit", parsed.options.at("time-limit"));
    request.deadline = start + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                   std::chrono::duration<double>(*request.limit));
  }
  return request;
}

void print_kept(const std::vector<ConfigChange>& kept) {
  for (const ConfigChange& change : kept) {
    print("Note: {} = {} has been raised to {}, which stays.\n", change.key, change.before, change.after);
  }
}

void allow_many_files() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= limit.rlim_max) return;
  limit.rlim_cur = limit.rlim_max;
  static_cast<void>(setrlimit(RLIMIT_NOFILE, &limit) == 0);
}

RoundControl& run_control() { return control; }

void stop_by_signal() {
  signalled = true;
  control.stop = true;
}

void stop_on_signals() {
  on_stop_signals([](int) { stop_by_signal(); });
}

int print_stopped_early() {
  print("{} before anything was begun. Run the same command again to continue.\n",
        signalled ? "Stopped" : "Time limit reached");
  return signalled ? status_signal : status_time_limit;
}

int run_course(const Config& config, std::vector<WorkerBackend> backends, const RunRequest& request,
               OtherRanks* other_ranks, const DeviceWatch* watch) {
  const std::string used = describe(backends);
  const bool simulates = other_ranks == nullptr || other_ranks->simulates();
  std::size_t workers = simulates ? backends.size() : 0;
  if (simulates) check_memory_of_run(config, backends);
  const auto say = [](const std::string& text) {
    print("{}\n", text);
    flush_output();
  };
  const auto stop = [deadline = request.deadline] {
    return control.stop || (deadline && std::chrono::steady_clock::now() >= *deadline);
  };
  set_lock_waiting({.stop = stop, .note = [](const std::string& text) { fmt::print(stderr, "Note: {}\n", text); }});
  const CampaignUse use = other_ranks != nullptr ? CampaignUse::alone : CampaignUse::with_others;
  std::optional<Campaign> opened;
  try {
    opened.emplace(
        Campaign::create_or_continue(config, say, use, other_ranks != nullptr ? other_ranks->holder() : "", stop));
  } catch (const WaitStopped&) {
    return print_stopped_early();
  }
  Campaign& campaign = *opened;
  print("{} campaign in {}{}.\n", campaign.created() ? "New" : "Continuing the", config.campaign.directory.string(),
        simulates ? " with " + used : "");
  if (other_ranks != nullptr) print("{}\n", other_ranks->description());
  print_kept(campaign.kept());
  for (const ConfigChange& change : campaign.raised()) print("Raised {}.\n", change.text());
  flush_output();

  allow_many_files();
  stop_on_signals();
  const StopTimer timer(control, request.deadline);
  WorkerPool pool(campaign, std::move(backends),
                  {version::kVersion, version::kCommit, version::kCompiler, "", host_name()});
  if (request.deadline) pool.set_deadline(*request.deadline);
  if (other_ranks != nullptr) other_ranks->prepare(pool);
  CampaignProgress last;
  const RunOutcome outcome = run_pool(pool, campaign, other_ranks, watch, last);
  TimeShares times = pool.times();
  if (other_ranks != nullptr) {
    times += other_ranks->times();
    workers += other_ranks->workers();
  }
  print_times(times, workers, config.course.exists());
  if (outcome == RunOutcome::stopped) return print_stopped(last, request.limit);
  print_finished(last, config);
  return last.quarantined > 0 ? 1 : 0;
}

}}  // namespace glassworks::tools
