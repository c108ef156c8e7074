#include "scheduler/ranks/rank_worker.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <variant>

#include "base/threads.hpp"
#include "engine/disorder/coupling_samples.hpp"
#include "engine/starts/stored_starts.hpp"
#include "scheduler/ranks/directory_token.hpp"
#include "scheduler/ranks/pace.hpp"
#include "scheduler/ranks/rank_scratch.hpp"
#include "scheduler/ranks/remote_queue.hpp"

namespace glassworks { inline namespace scheduler {
namespace {

using Clock = std::chrono::steady_clock;

/// Sends the first message and waits for the answer. Empty if rank 0 refuses the run; an unreadable answer counts as a
/// refusal (rank 0 runs another version and reports it).
std::optional<Welcome> greet(Transport& transport, const Handshake& self) {
  transport.send(0, encode(self));
  Pace pace;
  for (;;) {
    const std::optional<Received> received = transport.receive();
    std::this_thread::sleep_for(pace.pause(received.has_value()));
    if (!received) continue;
    try {
      FromCoordinator message = decode_from_coordinator(received->bytes);
      if (auto* const welcome = std::get_if<Welcome>(&message)) return std::move(*welcome);
    } catch (const std::exception&) {
      return std::nullopt;
    }
    return std::nullopt;
  }
}

Chains chains_of(const Config& config, const Welcome& welcome) {
  Chains chains;
  for (std::size_t i = 0; i < config.model.L.size(); ++i) {
    const int L = config.model.L[i];
    chains.emplace(L, make_chain(config, i, welcome.temperatures.at(L)));
  }
  return chains;
}

/// Numbers the devices from 0; the workers of one stay together.
std::vector<DeviceOfRank> number_devices(std::vector<WorkerBackend>& backends) {
  std::vector<DeviceOfRank> devices;
  std::map<int, int> numbers;
  for (WorkerBackend& worker : backends) {
    const auto [number, is_new] = numbers.emplace(worker.device, static_cast<int>(devices.size()));
    if (is_new) devices.push_back({worker.backend->description(), 0});
    worker.device = number->second;
    ++devices[static_cast<std::size_t>(worker.device)].workers;
  }
  return devices;
}

/// Carries messages between the workers of this rank and rank 0, in the thread that uses the transport.
class Pump {
 public:
  Pump(Transport& transport, RoundControl& control, RemoteQueue& queue, std::chrono::milliseconds heartbeat_interval)
      : transport_(transport), control_(control), queue_(queue), sign_of_life_(heartbeat_interval) {}

  /// Until rank 0 lets this rank go. running: workers that have not ended; times: theirs, once they have
  void run(const std::atomic<int>& running, const std::function<Finished()>& times) {
    Pace pace;
    while (!ended_) {
      const bool all_done = running == 0;  // before the mailbox is looked at: it is empty then for good
      const bool busy = look();
      if (all_done && !finished_) {
        finished_ = true;
        send(encode(FromWorker{times()}));
      }
      if (Clock::now() - sent_ > sign_of_life_) send(encode(FromWorker{Heartbeat{}}));
      const auto pause = pace.pause(busy || !transport_.all_sent());
      if (pause.count() > 0) {
        queue_.outgoing().wait_for(pause);
      } else if (!busy) {
        std::this_thread::yield();
      }
    }
  }

 private:
  bool look() {
    bool busy = false;
    while (std::optional<Received> received = transport_.receive()) {
      busy = true;
      FromCoordinator message = decode_from_coordinator(received->bytes);
      std::visit([this](auto& kind) { receive(kind); }, message);
    }
    if (control_.stop && !stopped_) {  // by a signal, or by a worker that cannot go on
      stopped_ = true;
      queue_.stop();
      send(encode(FromWorker{StopRequest{}}));
    }
    for (std::vector<std::byte>& bytes : queue_.outgoing().take()) {
      busy = true;
      send(std::move(bytes));
    }
    return busy;
  }

  void receive(BatchReply& reply) { queue_.receive(std::move(reply)); }
  void receive(CommitReply& reply) { queue_.receive(std::move(reply)); }
  void receive(Stop&) {
    stopped_ = true;
    queue_.stop();
  }
  void receive(End&) {
    ended_ = true;
    queue_.close();
  }
  void receive(Refusal&) { throw std::logic_error("rank 0 refuses a run that has begun"); }
  void receive(Welcome&) { throw std::logic_error("rank 0 welcomes this rank twice"); }

  void send(std::vector<std::byte> bytes) {
    transport_.send(0, std::move(bytes));
    sent_ = Clock::now();
  }

  Transport& transport_;
  RoundControl& control_;
  RemoteQueue& queue_;
  const std::chrono::milliseconds sign_of_life_;
  Clock::time_point sent_ = Clock::now();
  bool stopped_ = false, finished_ = false, ended_ = false;
};

}  // namespace

void run_worker_rank(Transport& transport, RoundControl& control, const WorkerRankInputs& equipment) {
  const std::optional<Welcome> welcome = greet(transport, equipment.self);
  if (!welcome) return;
  const auto begin = Clock::now();

  Ready ready;
  ready.threads = welcome->share.threads;
  Config config;
  Chains chains;
  std::vector<WorkerBackend> backends;
  std::optional<RankScratch> scratch;
  try {
    config = parse_config(welcome->config_text);
    config.campaign.directory = welcome->directory;
    ready.sees_directory = sees_directory(config.campaign.directory, welcome->token_file, welcome->token);
    if (!ready.sees_directory) scratch.emplace(equipment.temporaries);
    chains = chains_of(config, *welcome);
    if (welcome->share.simulates) {
      config = config_of_rank(std::move(config), welcome->share);
      open_coupling_samples(config);
      open_stored_starts(config);
      backends = equipment.backends(config);
    }
    ready.devices = number_devices(backends);
  } catch (const std::exception& error) {
    ready.problem = error.what();
    backends.clear();
  }
  transport.send(0, encode(FromWorker{ready}));

  RemoteQueue queue(control, scratch ? scratch->checkpoints() : std::filesystem::path());
  const WorkSite site{.config = config,
                      .checkpoints = scratch ? scratch->checkpoints() : config.campaign.directory / "checkpoints",
                      .chains = chains,
                      .provenance = equipment.provenance,
                      .workers = std::max(static_cast<int>(backends.size()), 1),
                      .sharers = welcome->share.sharers};
  std::vector<std::unique_ptr<Worker>> workers;
  for (WorkerBackend& backend : backends) {
    workers.push_back(std::make_unique<Worker>(site, std::move(backend), static_cast<int>(workers.size())));
    if (welcome->seconds_left < 0.0) continue;
    const std::chrono::duration<double> left(welcome->seconds_left);
    workers.back()->set_deadline(begin + std::chrono::duration_cast<Clock::duration>(left));
  }

  std::atomic<int> running{static_cast<int>(workers.size())};
  std::vector<Thread> threads;
  const auto times = [&] {
    TimeShares sum;
    for (const auto& worker : workers) sum += worker->times();
    return Finished{sum.rounds, sum.checkpoints, sum.database, sum.idle, sum.measurements};
  };
  try {
    for (const auto& worker : workers) {
      threads.emplace_back([&] {
        worker->run(queue, control);
        --running;
      });
    }
    Pump(transport, control, queue, std::chrono::milliseconds(1000) * config.workers.lease_seconds / 6)
        .run(running, times);
  } catch (...) {
    queue.close();
    throw;
  }
}

}}  // namespace glassworks::scheduler
