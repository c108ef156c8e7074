#pragma once

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "scheduler/ranks/coordinator.hpp"
#include "scheduler/ranks/greeting.hpp"
#include "scheduler/ranks/rank_worker.hpp"
#include "tests/scheduler/fake_devices.hpp"
#include "tests/scheduler/ranks/loopback_transport.hpp"
#include "tests/scheduler/scratch_campaign.hpp"

namespace glassworks::testing {

/// A rank's way to the others, which a test can hold up: what is sent or arrives meanwhile comes late, in order.
class HeldUpTransport : public Transport {
 public:
  /// change  may alter what arrives
  using Change = std::function<std::vector<std::byte>(std::vector<std::byte>)>;
  HeldUpTransport(std::unique_ptr<Transport> inner, const std::atomic<bool>& held_up, Change change = {})
      : inner_(std::move(inner)), held_up_(held_up), change_(std::move(change)) {}

  [[nodiscard]] int rank() const override { return inner_->rank(); }
  [[nodiscard]] int size() const override { return inner_->size(); }
  void send(int to, std::vector<std::byte> bytes) override {
    waiting_.emplace_back(to, std::move(bytes));
    let_through();
  }
  [[nodiscard]] std::optional<Received> receive() override {
    if (held_up_) return std::nullopt;
    let_through();
    std::optional<Received> received = inner_->receive();
    if (received && change_) received->bytes = change_(std::move(received->bytes));
    return received;
  }
  [[nodiscard]] bool all_sent() override { return waiting_.empty() && inner_->all_sent(); }

 private:
  void let_through() {
    for (; !held_up_ && !waiting_.empty(); waiting_.pop_front()) {
      inner_->send(waiting_.front().first, std::move(waiting_.front().second));
    }
  }

  std::unique_ptr<Transport> inner_;
  const std::atomic<bool>& held_up_;
  Change change_;
  std::deque<std::pair<int, std::vector<std::byte>>> waiting_;
};

/// Rank 0's way to the others, with a look at what arrives.
class WatchedTransport : public Transport {
 public:
  using Look = std::function<void(const Received&)>;
  WatchedTransport(std::unique_ptr<Transport> inner, Look look) : inner_(std::move(inner)), look_(std::move(look)) {}

  [[nodiscard]] int rank() const override { return inner_->rank(); }
  [[nodiscard]] int size() const override { return inner_->size(); }
  void send(int to, std::vector<std::byte> bytes) override { inner_->send(to, std::move(bytes)); }
  [[nodiscard]] std::optional<Received> receive() override {
    std::optional<Received> received = inner_->receive();
    if (received && look_) look_(*received);
    return received;
  }
  [[nodiscard]] bool all_sent() override { return inner_->all_sent(); }

 private:
  std::unique_ptr<Transport> inner_;
  Look look_;
};

/// The clock of a coordinator: it stands still until a test lets time pass, however busy the machine is.
class HandClock {
 public:
  using Clock = Coordinator::Clock;
  void pass(std::chrono::milliseconds time) { passed_ += time.count(); }
  [[nodiscard]] Clock::time_point now() const { return start_ + std::chrono::milliseconds(passed_.load()); }

 private:
  const Clock::time_point start_ = Clock::now();
  std::atomic<std::int64_t> passed_{0};
};

inline Handshake hello_of(int rank) {
  return {.version = "1.0",
          .commit = "abc",
          .compiler = "test",
          .host = fmt::format("n{}", rank),
          .pid = 100 + rank,
          .place = {}};
}

/// Campaigns that several ranks, threads of this process, work on.
class RanksTest : public SmallCampaign {
 protected:
  /// How a rank other than 0 is made; the defaults are those of an ordinary one.
  struct Member {
    std::function<std::vector<WorkerBackend>()> backends = [] { return list_of(fake_worker(0)); };
    std::optional<Handshake> hello = std::nullopt;
    bool sees_directory = true;
    std::function<void(Transport&)> course = {};  ///< instead of that of a worker
  };

  struct Result {
    RunOutcome outcome = RunOutcome::stopped;
    int unfinished = 0, workers = 0;
    bool stopped_by_rank = false;
    TimeShares times;
  };

  /// Rank 0 without workers of its own coordinates `members`; `own` are its workers, if it is to have some.
  Result run_on_ranks(const Config& config, std::vector<Member> members, std::vector<WorkerBackend> own = {}) {
    const int size = static_cast<int>(members.size()) + 1;
    LoopbackNetwork network(size);
    members.insert(members.begin(), Member{});
    held_up_ = std::vector<std::atomic<bool>>(static_cast<std::size_t>(size));
    controls_ = std::vector<RoundControl>(static_cast<std::size_t>(size));
    const ScratchDirectory temporaries;
    std::vector<std::jthread> ranks;
    for (int rank = 1; rank < size; ++rank) {
      ranks.emplace_back(
          [&, rank] { work(network, rank, members[static_cast<std::size_t>(rank)], temporaries.path()); });
    }
    WatchedTransport transport(network.transport(0), on_arrival_);
    const Result result = coordinate(transport, config, std::move(own));
    ranks.clear();
    EXPECT_TRUE(std::filesystem::is_empty(temporaries.path())) << "scratch directories are removed";
    return result;
  }

  RunObserver observer() {
    return {[this](const CampaignProgress& progress) {
              last_ = progress;
              if (on_progress_) on_progress_(progress);
            },
            [this](const std::string& backend, const std::string& message) {
              const std::lock_guard lock(mutex_);
              failures_.push_back(backend + ": " + message);
            },
            [this](const std::string& text) {
              const std::lock_guard lock(mutex_);
              notes_.push_back(text);
              if (on_note_) on_note_(text);
            }};
  }

  [[nodiscard]] RoundControl& control(int rank) { return controls_.at(static_cast<std::size_t>(rank)); }
  [[nodiscard]] std::atomic<bool>& held_up(int rank) { return held_up_.at(static_cast<std::size_t>(rank)); }

  /// Nothing is left of the run: no lease, no process, no file that the database does not name.
  static void expect_clean(const Config& config) {
    const Database database = read_campaign(config);
    EXPECT_TRUE(database.workers().empty());
    std::set<std::string> named;
    for (const RealizationRow& row : database.realizations()) {
      EXPECT_EQ(row.worker, 0) << row.key.L << " " << row.key.realization;
      for (const std::string& name : {row.checkpoint, row.previous_checkpoint}) {
        if (!name.empty()) named.insert(name);
      }
    }
    EXPECT_EQ(checkpoint_files(config), named);
  }

  Coordinator::MaxWait max_wait_{
      .silence = std::chrono::seconds(20), .start = std::chrono::seconds(20), .end = std::chrono::seconds(20)};
  std::chrono::milliseconds hello_patience_{std::chrono::seconds(20)};
  std::optional<std::chrono::steady_clock::time_point> deadline_;
  std::function<Coordinator::Clock::time_point()> now_ = Coordinator::Clock::now;  ///< of the coordinator
  WatchedTransport::Look on_arrival_;                                              ///< of a message at rank 0
  std::function<void(const CampaignProgress&)> on_progress_;
  std::function<void(const std::string&)> on_note_;
  CampaignProgress last_;
  std::mutex mutex_;
  std::vector<std::string> notes_, failures_;
  std::vector<std::optional<Ready>> ready_;

 private:
  Result coordinate(Transport& transport, const Config& config, std::vector<WorkerBackend> own) {
    bool welcomed = false;
    try {
      std::vector<Handshake> handshakes = gather(transport, hello_of(0), control(0), hello_patience_);
      Campaign campaign = Campaign::create_or_continue(config);
      const bool only_serves = own.empty();
      if (only_serves) own = list_of(fake_worker(0));
      WorkerPool pool(campaign, std::move(own), {"test", "test", "test", "test", "test"});
      if (only_serves) pool.coordinate_only();
      if (deadline_) pool.set_deadline(*deadline_);
      Result result;
      result.outcome = pool.run(control(0), observer(), [&](BatchQueue& queue, const Chains& chains) {
        welcomed = true;
        Coordinator::Run run{.config = config,
                             .temperatures = {},
                             .chains = chains,
                             .handshakes = std::move(handshakes),
                             .shares = std::vector<RankShare>(static_cast<std::size_t>(transport.size())),
                             .deadline = deadline_,
                             .max_wait = max_wait_,
                             .now = now_,
                             .ready = [this](const auto& all) { ready_ = all; }};
        for (const SizeRow& size : read_campaign(config).sizes()) run.temperatures[size.L] = size.temperatures;
        Coordinator coordinator(transport, queue, control(0), std::move(run));
        coordinator.serve();
        result.unfinished = coordinator.unfinished();
        result.workers = coordinator.workers();
        result.stopped_by_rank = coordinator.stopped_by_rank();
        result.times = coordinator.times();
      });
      if (!welcomed) dismiss(transport, "");
      return result;
    } catch (...) {
      if (!welcomed) dismiss(transport, "");
      throw;
    }
  }

  void work(LoopbackNetwork& network, int rank, const Member& member, const std::filesystem::path& temporaries) {
    HeldUpTransport::Change elsewhere;
    if (!member.sees_directory) elsewhere = show_other_directory;
    HeldUpTransport transport(network.transport(rank), held_up(rank), elsewhere);
    if (member.course) return member.course(transport);
    const WorkerRankInputs equipment{.self = member.hello.value_or(hello_of(rank)),
                                     .backends = [&](const Config&) { return member.backends(); },
                                     .provenance = {"test", "test", "test", "test", "test"},
                                     .temporaries = temporaries};
    run_worker_rank(transport, control(rank), equipment);
  }

  /// What a rank sees whose machine has another directory of the same name.
  static std::vector<std::byte> show_other_directory(std::vector<std::byte> bytes) {
    FromCoordinator message = decode_from_coordinator(bytes);
    auto* const welcome = std::get_if<Welcome>(&message);
    if (welcome == nullptr) return bytes;
    welcome->directory = "/nowhere";
    return encode(message);
  }

  std::vector<std::atomic<bool>> held_up_;
  std::vector<RoundControl> controls_;
};

}  // namespace glassworks::testing
