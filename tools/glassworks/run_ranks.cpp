#include "tools/glassworks/run_ranks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/paths.hpp"
#include "scheduler/campaign/process.hpp"
#include "scheduler/devices/worker_backends.hpp"
#include "scheduler/ranks/coordinator.hpp"
#include "scheduler/ranks/greeting.hpp"
#include "scheduler/ranks/mpi_transport.hpp"
#include "scheduler/ranks/rank_worker.hpp"
#include "tools/glassworks/executable.hpp"
#include "tools/glassworks/failure.hpp"
#include "tools/glassworks/given_config.hpp"
#include "tools/glassworks/output.hpp"

namespace glassworks { inline namespace tools {
namespace {

namespace fs = std::filesystem;

/// With more ranks, messages keep a core busy that rounds would have to share.
constexpr int ranks_with_simulating_root = 64;

Handshake this_rank() {
  return {.version = executable_version(),
          .commit = executable_commit(),
          .compiler = executable_compiler(),
          .host = host_name(),
          .pid = getpid(),
          .place = place_of_this_process(this_environment())};
}

/// As the other ranks, which may run in another directory, have to know it.
Config with_absolute_paths(Config config) {
  config.campaign.directory = absolute_path(config.campaign.directory);
  for (fs::path* file : {&config.model.couplings_file, &config.model.field_file}) {
    if (!file->empty()) *file = absolute_path(*file);
  }
  return config;
}

std::map<int, std::vector<double>> stored_temperatures(const Campaign& campaign) {
  const Database database =
      Database::open(campaign.config().campaign.directory / database_file_name, DatabaseAccess::read_only);
  std::map<int, std::vector<double>> temperatures;
  for (const SizeRow& size : database.sizes()) temperatures[size.L] = size.temperatures;
  return temperatures;
}

/// "3 x cpu (avx2, 1 thread)": what the ranks have said that they simulate with.
std::string backends_of_ranks(const std::vector<std::optional<Ready>>& ranks) {
  std::map<std::string, int> counts;
  for (const std::optional<Ready>& rank : ranks) {
    for (int i = 0; rank && i < static_cast<int>(rank->devices.size()); ++i) {
      ++counts[rank->devices[static_cast<std::size_t>(i)].description];
    }
  }
  std::vector<std::string> texts;
  for (const auto& [description, count] : counts) texts.push_back(fmt::format("{} x {}", count, description));
  return fmt::format("{}", fmt::join(texts, "; "));
}

class Ranks final : public OtherRanks {
 public:
  Ranks(Transport& transport, std::vector<Handshake> handshakes, std::vector<RankShare> shares,
        const RunRequest& request)
      : transport_(transport), hellos_(std::move(handshakes)), shares_(std::move(shares)), request_(request) {}

  void prepare(WorkerPool& pool) override {
    pool.set_share(shares_.front().threads, shares_.front().sharers);
    if (!simulates()) pool.coordinate_only();
  }
  [[nodiscard]] std::string description() const override { return describe_ranks(places(), shares_); }
  [[nodiscard]] std::string holder() const override {
    const char* const job = std::getenv("SLURM_JOB_ID");
    return fmt::format("a run over {} ranks{}", transport_.size(),
                       job == nullptr ? "" : fmt::format(", Slurm job {}", job));
  }
  [[nodiscard]] const RankShare& share_of_root() const { return shares_.front(); }
  [[nodiscard]] bool simulates() const override { return shares_.front().simulates; }
  [[nodiscard]] TimeShares times() const override { return times_; }
  [[nodiscard]] std::size_t workers() const override { return workers_; }

  void serve(BatchQueue& queue, const Chains& chains, const Campaign& campaign,
             const std::function<void(const std::string&)>& say) override {
    begun_ = true;
    const auto ready = [&](const std::vector<std::optional<Ready>>& ranks) {
      const std::string backends = backends_of_ranks(ranks);
      if (!backends.empty()) say(fmt::format("The other ranks are ready: {}.", backends));
    };
    Coordinator coordinator(transport_, queue, run_control(),
                            {.config = with_absolute_paths(campaign.config()),
                             .temperatures = stored_temperatures(campaign),
                             .chains = chains,
                             .handshakes = hellos_,
                             .shares = shares_,
                             .deadline = request_.deadline,
                             .max_wait = {.silence = std::chrono::seconds(campaign.config().workers.lease_seconds)},
                             .ready = ready});
    coordinator.serve();
    if (coordinator.stopped_by_rank()) stop_by_signal();
    unfinished_ = coordinator.unfinished();
    times_ = coordinator.times();
    workers_ = static_cast<std::size_t>(coordinator.workers());
  }

  /// Whether the others are at work; otherwise they wait to be dismissed.
  [[nodiscard]] bool begun() const { return begun_; }
  [[nodiscard]] int unfinished() const { return unfinished_; }

 private:
  [[nodiscard]] std::vector<RankPlace> places() const {
    std::vector<RankPlace> all;
    for (const Handshake& hello : hellos_) all.push_back(hello.place);
    return all;
  }

  Transport& transport_;
  const std::vector<Handshake> hellos_;
  const std::vector<RankShare> shares_;
  const RunRequest& request_;
  bool begun_ = false;
  int unfinished_ = 0;
  TimeShares times_;
  std::size_t workers_ = 0;
};

/// What rank 0 simulates with. Where it only coordinates, it may have to adapt ladders.
std::vector<WorkerBackend> backends_of_root(Config config, const RankShare& share) {
  if (share.simulates) return make_worker_backends(config_of_rank(std::move(config), share));
  if (config.ladder.adapt == LadderAdaptation::none) {
    config.backend.options.kind = BackendKind::cpu;
    config.backend.devices.clear();
  }
  return make_worker_backends(config);
}

Ranks gather_ranks(Transport& transport, std::vector<Handshake> handshakes, const Config& config,
                   const RunRequest& request) {
  const bool coordinates = request.arguments.has("coordinator-only") || transport.size() > ranks_with_simulating_root;
  std::vector<RankPlace> places;
  for (const Handshake& hello : handshakes) places.push_back(hello.place);
  std::vector<RankShare> shares =
      share_nodes(places, config, coordinates ? RootRole::coordinates : RootRole::simulates);
  for (const std::string& note : share_notes(places, shares, config)) print(Channel::error, "Note: {}\n", note);
  return {transport, std::move(handshakes), std::move(shares), request};
}

int coordinate(MpiSession& session, const RunRequest& request) {
  Transport& transport = session.transport();
  std::optional<Ranks> ranks;
  int status = 0;
  try {
    std::vector<Handshake> handshakes = gather(transport, this_rank(), run_control());
    if (handshakes.empty()) {
      status = print_stopped_early();
    } else {
      const Config config = given_config(request.arguments);
      for (const std::string& note : config.notes) print(Channel::error, "Note: {}\n", note);
      ranks.emplace(gather_ranks(transport, std::move(handshakes), config, request));
      status = run_course(config, backends_of_root(config, ranks->share_of_root()), request, &*ranks);
      if (status == 0 && config.campaign.second_start != SecondStart::none) {
        print("Note: second histories are left to a run of one rank: `glassworks run {}`.\n",
              config.campaign.directory.string());
      }
    }
  } catch (...) {
    status = print_failure();
  }
  flush_output();
  if (!ranks || !ranks->begun()) dismiss(transport, "rank 0 has ended");
  if (ranks && ranks->unfinished() > 0) {
    print(Channel::error, "Note: {} of {} other ranks have not ended in time and are ended now.\n", ranks->unfinished(),
          transport.size() - 1);
    session.abort(status);
  }
  return status;
}

int work(MpiSession& session) {
  try {
    run_worker_rank(session.transport(), run_control(),
                    {.self = this_rank(),
                     .backends = make_worker_backends,
                     .provenance = {executable_version(), executable_commit(), executable_compiler(), "", host_name()},
                     .temporaries = directory_for_temporaries()});
    return 0;
  } catch (...) {
    session.abort(print_failure());
  }
}

}  // namespace

int run_as_rank(const RunRequest& request, const Launch& launch) {
  stop_on_signals();
  allow_many_files();
  MpiSession session;
  const std::string problem = world_problem(launch, session.transport().size());
  if (!problem.empty()) throw InputError(InputFault::unsupported, launch.launcher, problem);
  return session.transport().rank() == 0 ? coordinate(session, request) : work(session);
}

}}  // namespace glassworks::tools
