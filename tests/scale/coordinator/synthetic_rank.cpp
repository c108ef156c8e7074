#include "tests/scale/coordinator/synthetic_rank.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "engine/checkpoint/checkpoint_name.hpp"
#include "scheduler/ranks/messages.hpp"
#include "tests/scale/scale_campaign.hpp"

namespace glassworks {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point then) { return std::chrono::duration<double>(Clock::now() - then).count(); }

struct PlayedWorker {
  Clock::time_point asked{}, due{};  ///< when it asked for a batch, and when the round that it simulates ends
  Batch batch;
  bool waiting = true;
};

class PlayedRank {
 public:
  PlayedRank(Transport& transport, const SyntheticLoad& load) : transport_(transport), load_(load) {
    const int ranks = transport.size() - 1;
    const int first = (transport.rank() - 1) * load.workers / ranks, last = transport.rank() * load.workers / ranks;
    workers_.resize(static_cast<std::size_t>(last - first));
    if (load.rate > 0.0) round_ = std::chrono::duration<double>(load.workers * load.batch / load.rate);
    for (int i = 0; i < patterns; ++i) {
      RealizationRow row;
      row.key = {testing::SyntheticRounds::L, static_cast<std::uint32_t>(i)};
      patterns_.push_back(source_.next(row));
    }
  }

  LoadSeen play() {
    greet();
    for (std::size_t i = 0; i < workers_.size(); ++i) take(i);
    while (!ended_) {
      bool busy = false;
      while (const std::optional<Received> received = transport_.receive()) {
        busy = true;
        take_in(decode_from_coordinator(received->bytes));
      }
      for (std::size_t i = 0; i < workers_.size(); ++i) {
        if (workers_[i].waiting || Clock::now() < workers_[i].due) continue;
        busy = true;
        finish_round(i);
      }
      if (working_ == 0 && sent_.empty() && !finished_) {
        finished_ = true;
        send(Finished{});
      }
      if (!busy) std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    return std::move(seen_);
  }

 private:
  void greet() {
    transport_.send(
        0, encode(Handshake{.version = "1", .commit = "1", .compiler = "", .host = "host", .pid = 1, .place = {}}));
    while (!transport_.receive()) std::this_thread::sleep_for(std::chrono::milliseconds(1));  // Welcome
    Ready ready;
    ready.devices = {{"synthetic", static_cast<int>(workers_.size())}};
    ready.sees_directory = true;
    send(std::move(ready));
    begin_ = Clock::now();
    working_ = workers_.size();
  }

  void send(FromWorker message) { transport_.send(0, encode(message)); }

  [[nodiscard]] bool is_over() const { return stopped_ || seconds_since(begin_) > load_.seconds; }

  void take(std::size_t i) {
    PlayedWorker& worker = workers_[i];
    worker.waiting = true;
    worker.asked = Clock::now();
    send(Take{.who = {0, static_cast<int>(i)},
              .limits = {{{testing::SyntheticRounds::L, load_.batch}}, {{testing::SyntheticRounds::L, 1}}}});
  }

  void finish_round(std::size_t i) {
    PlayedWorker& worker = workers_[i];
    FinishedBatch batch;
    batch.holder = worker.batch.rows.front().worker;
    batch.provenance = {"test", "test", "test", "synthetic", "host"};
    for (const RealizationRow& row : worker.batch.rows) {
      RoundCommit& commit = batch.rounds.emplace_back(patterns_[(row.key.realization + row.rounds) % patterns]);
      commit.key = row.key;
      commit.attempt = row.attempt;
      commit.round = row.rounds;
      commit.checkpoint = checkpoint_name(row.key, row.rounds + 1, commit.state_digest);
      commit.round_trips = row.round_trips + 1;
      commit.status = row.status;
      commit.judgement = row.judgement;
    }
    sent_[next_id_] = {Clock::now(), batch.rounds.size()};
    send(Commit{.who = {0, static_cast<int>(i)}, .id = next_id_++, .batch = std::move(batch), .files = {}});
    if (is_over()) {
      worker.waiting = true;
      --working_;
    } else {
      take(i);
    }
  }

  void take_in(FromCoordinator message) {
    if (auto* const reply = std::get_if<BatchReply>(&message)) return begin_round(*reply);
    if (const auto* const reply = std::get_if<CommitReply>(&message)) {
      const auto [when, rounds] = sent_.at(reply->id);
      sent_.erase(reply->id);
      if (!reply->result.written && !stopped_) throw std::runtime_error("a commit of a played worker was refused");
      seen_.commits.push_back(seconds_since(when));
      seen_.rounds += reply->result.written ? rounds : 0;
    } else if (std::holds_alternative<Stop>(message)) {
      stopped_ = true;
    } else if (std::holds_alternative<End>(message)) {
      ended_ = true;
    }
  }

  /// Rounds are due at even intervals, whenever their batches came; the first ones are spread over one of them.
  void begin_round(BatchReply& reply) {
    const auto i = static_cast<std::size_t>(reply.who.worker);
    PlayedWorker& worker = workers_[i];
    if (reply.batch.rows.empty()) {
      --working_;
      return;
    }
    const bool first = worker.due == Clock::time_point{};
    if (!first) seen_.leases.push_back(seconds_since(worker.asked));
    const double part = first ? static_cast<double>(i + 1) / static_cast<double>(workers_.size()) : 1.0;
    worker.due = (first ? Clock::now() : worker.due) + std::chrono::duration_cast<Clock::duration>(part * round_);
    worker.batch = std::move(reply.batch);
    worker.waiting = false;
  }

  static constexpr int patterns = 64;

  Transport& transport_;
  const SyntheticLoad load_;
  testing::SyntheticRounds source_;
  std::vector<RoundCommit> patterns_;  ///< contents of rounds
  std::chrono::duration<double> round_{0.0};
  std::vector<PlayedWorker> workers_;
  std::map<std::uint64_t, std::pair<Clock::time_point, std::size_t>> sent_;  ///< commits without an answer; rounds
  std::uint64_t next_id_ = 0;
  std::size_t working_ = 0;
  Clock::time_point begin_{};
  bool stopped_ = false, finished_ = false, ended_ = false;
  LoadSeen seen_;
};

}  // namespace

LoadSeen play_rank(Transport& transport, const SyntheticLoad& load) { return PlayedRank(transport, load).play(); }

}  // namespace glassworks
