/// Capacity of rank 0: few ranks play hundreds of workers that take and commit rounds of the size of real ones.
///
///     coordinator_capacity DIR [--mpi] [--ranks N] [--rate R] [--seconds S] [--workers W] [--batch B]
///                          [--at-least R] [--latency MS]
///
/// DIR is on the disk that is meant, and is made anew. Ranks are threads, or processes under mpirun with --mpi. Rate 0:
/// as many rounds as rank 0 takes. Ends with status 1 where rank 0 commits less than --at-least rounds/s, or where the
/// 99th percentile of the time to the next batch is above --latency.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "engine/checkpoint/checkpoint_name.hpp"
#include "scheduler/campaign/process.hpp"
#include "scheduler/ranks/coordinator.hpp"
#include "scheduler/ranks/greeting.hpp"
#include "scheduler/ranks/mpi_transport.hpp"
#include "scheduler/work/batch_queue.hpp"
#include "tests/scale/coordinator/synthetic_rank.hpp"
#include "tests/scale/scale_campaign.hpp"
#include "tests/scheduler/ranks/loopback_transport.hpp"

namespace glassworks { namespace {

namespace fs = std::filesystem;

/// More than the workers hold at once, and so few that histories become long enough for decisions.
constexpr double realizations_per_held = 1.5;

struct Options {
  fs::path directory;
  bool mpi = false;
  int ranks = 3;
  SyntheticLoad load;
  double at_least = 0.0, latency_ms = 0.0;
};

Options parse(int argc, char** argv) {
  Options options;
  options.directory = argv[1];
  if (std::string(argv[1]).starts_with("-")) throw std::runtime_error("the first argument is the directory");
  for (int i = 2; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--mpi") {
      options.mpi = true;
      continue;
    }
    if (i + 1 == argc) throw std::runtime_error(name + " needs a value");
    const double value = std::stod(argv[++i]);
    if (name == "--ranks") {
      options.ranks = static_cast<int>(value);
    } else if (name == "--rate") {
      options.load.rate = value;
    } else if (name == "--seconds") {
      options.load.seconds = value;
    } else if (name == "--workers") {
      options.load.workers = static_cast<int>(value);
    } else if (name == "--batch") {
      options.load.batch = static_cast<int>(value);
    } else if (name == "--at-least") {
      options.at_least = value;
    } else if (name == "--latency") {
      options.latency_ms = value;
    } else {
      throw std::runtime_error("there is no option " + name);
    }
  }
  return options;
}

/// Realizations never have round trips enough: none leaves the campaign, and every decision is made in full.
Config config_of(const Options& options) {
  Config config;
  config.campaign.directory = options.directory;
  config.model.L = {testing::SyntheticRounds::L};
  config.disorder.realizations = {static_cast<int>(realizations_per_held * options.load.workers * options.load.batch)};
  config.ladder.T_min = 0.1;
  config.ladder.T_max = 0.6;
  config.ladder.slots = {testing::SyntheticRounds::slots};
  config.replicas.copies = testing::SyntheticRounds::copies;
  config.round.measurements_per_round = {100};
  config.round.samples_per_round = testing::SyntheticRounds::samples;
  config.convergence = {.min_rounds = 16, .max_rounds = 8192, .min_round_trips = 10'000'000, .rule_given = 1};
  return config;
}

double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

fs::path seen_by(const Options& options, int rank) { return options.directory / fmt::format("seen-by-rank-{}", rank); }

void play(Transport& transport, const Options& options) {
  const LoadSeen seen = play_rank(transport, options.load);
  std::ofstream out(seen_by(options, transport.rank()));
  out << seen.rounds << ' ' << seen.leases.size() << ' ' << seen.commits.size() << '\n';
  for (const double x : seen.leases) out << x << '\n';
  for (const double x : seen.commits) out << x << '\n';
}

LoadSeen read_seen(const Options& options, int ranks) {
  LoadSeen all;
  for (int rank = 1; rank < ranks; ++rank) {
    std::ifstream in;
    while (!in.is_open()) {  // they write it after rank 0 has let them go
      in.open(seen_by(options, rank));
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    std::size_t rounds = 0, leases = 0, commits = 0;
    in >> rounds >> leases >> commits;
    all.rounds += rounds;
    double x = 0.0;
    for (std::size_t i = 0; i < leases && in >> x; ++i) all.leases.push_back(x);
    for (std::size_t i = 0; i < commits && in >> x; ++i) all.commits.push_back(x);
  }
  return all;
}

/// [ms]
double percentile(std::vector<double>& values, double p) {
  if (values.empty()) return 0.0;
  std::ranges::sort(values);
  return 1e3 * values[static_cast<std::size_t>(p * static_cast<double>(values.size() - 1))];
}

struct Cost {
  double wall = 0.0, processor = 0.0;  ///< [s], of the process of rank 0
  std::size_t rounds = 0;
};

/// Histories of different lengths, as in a campaign at work: else all first decisions are due at once.
void give_histories(Campaign& campaign, std::int64_t worker) {
  constexpr std::uint32_t lengths = 16;
  testing::SyntheticRounds source;
  const RoundCommit pattern = source.next(campaign.database().realization({testing::SyntheticRounds::L, 0}));
  for (std::uint32_t round = 0; round + 1 < lengths; ++round) {
    std::vector<RealizationRow> wanted = campaign.database().realizations();
    std::erase_if(wanted, [&](const RealizationRow& row) { return row.key.realization % lengths <= round; });
    std::vector<RoundCommit> commits;
    for (const RealizationRow& row : campaign.database().lease(worker, wanted)) {
      RoundCommit& commit = commits.emplace_back(pattern);
      commit.key = row.key;
      commit.attempt = row.attempt;
      commit.round = row.rounds;
      commit.checkpoint = checkpoint_name(row.key, row.rounds + 1, commit.state_digest);
      commit.status = RealizationStatus::equilibrating;
    }
    campaign.database().commit(worker, commits, {"test", "test", "test", "synthetic", "host"}, now_ms());
  }
}

/// Ends the program where it fails: nobody lets the other ranks go then.
Cost coordinate(Transport& transport, const Options& options) try {
  RoundControl control;
  const Handshake self{.version = "1", .commit = "1", .compiler = "", .host = "host", .pid = 0, .place = {}};
  std::vector<Handshake> handshakes = gather(transport, self, control, std::chrono::minutes(2));
  Campaign campaign = Campaign::create_or_continue(config_of(options), {}, CampaignUse::alone, "a measurement");
  LeaseKeeper keeper(campaign, "synthetic");
  give_histories(campaign, keeper.worker());
  std::size_t before_all = 0;
  for (const RealizationRow& row : campaign.database().realizations()) before_all += row.rounds;
  Chains chains;
  Coordinator::Run run{.config = campaign.config(),
                       .temperatures = {},
                       .chains = chains,
                       .handshakes = std::move(handshakes),
                       .shares = std::vector<RankShare>(static_cast<std::size_t>(transport.size())),
                       .deadline = {},
                       .max_wait = {.silence = std::chrono::minutes(5)}};
  const SizeRow size = campaign.database().sizes().front();
  chains.emplace(size.L, make_chain(campaign.config(), 0, size.temperatures));
  run.temperatures[size.L] = size.temperatures;
  Cost cost;
  BatchQueue queue(campaign, keeper, chains, control, {});
  Coordinator coordinator(transport, queue, control, std::move(run));
  const double before = processor_seconds();
  testing::Timer timer;
  coordinator.serve();
  cost.wall = timer.lap();
  cost.processor = processor_seconds() - before;
  static_cast<void>(queue.outcome());
  for (const RealizationRow& row : campaign.database().realizations()) cost.rounds += row.rounds;
  cost.rounds -= before_all;
  return cost;
} catch (const std::exception& error) {
  fmt::print(stderr, "coordinator_capacity: {}\n", error.what());
  std::_Exit(1);
}

bool report(const Options& options, int ranks, const Cost& cost) {
  LoadSeen seen = read_seen(options, ranks);
  const double rate = static_cast<double>(cost.rounds) / cost.wall;
  const double lease = percentile(seen.leases, 0.99);
  fmt::print(
      "{} ranks {}, {} workers with batches of {}, {:.0f} s: {:.0f} rounds/s ({}); {:.2f} ms of processor per round in "
      "the "
      "process of rank 0\n",
      ranks, options.mpi ? "over MPI" : "in one process", options.load.workers, options.load.batch,
      options.load.seconds, rate,
      options.load.rate > 0.0 ? fmt::format("paced at {:.0f}", options.load.rate) : "as many as it takes",
      1e3 * cost.processor / static_cast<double>(cost.rounds));
  fmt::print("next batch after {:.1f} ms (median), {:.1f} ms (99 %); on stable storage after {:.1f} ms, {:.1f} ms\n",
             percentile(seen.leases, 0.5), lease, percentile(seen.commits, 0.5), percentile(seen.commits, 0.99));
  fmt::print("Rounds of a minute: {:.0f} realizations are simulated at once.\n", 60.0 * rate);
  bool good = seen.rounds == cost.rounds;
  if (!good) fmt::print("Workers were told of {} rounds, the campaign has {}.\n", seen.rounds, cost.rounds);
  if (rate < options.at_least) {
    good = false;
    fmt::print("These are less than {:.0f} rounds/s.\n", options.at_least);
  }
  if (options.latency_ms > 0.0 && lease > options.latency_ms) {
    good = false;
    fmt::print("The next batch takes longer than {:.0f} ms.\n", options.latency_ms);
  }
  return good;
}

bool measure_over_mpi(const Options& options) {
  MpiSession session;
  Transport& transport = session.transport();
  if (transport.rank() != 0) {
    play(transport, options);
    return true;
  }
  return report(options, transport.size(), coordinate(transport, options));
}

bool measure_in_one_process(const Options& options) {
  LoopbackNetwork network(options.ranks);
  std::vector<std::jthread> others;
  for (int rank = 1; rank < options.ranks; ++rank) {
    others.emplace_back([&network, &options, rank] { play(*network.transport(rank), options); });
  }
  const Cost cost = coordinate(*network.transport(0), options);
  others.clear();
  return report(options, options.ranks, cost);
}

}}  // namespace glassworks

int main(int argc, char** argv) {
  try {
    if (argc < 2) throw std::runtime_error("the directory is missing");
    const glassworks::Options options = glassworks::parse(argc, argv);
    return (options.mpi ? glassworks::measure_over_mpi(options) : glassworks::measure_in_one_process(options)) ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "coordinator_capacity: {}\n", error.what());
    return 1;
  }
}
