#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/task_queue.hpp"
#include "scheduler/ranks/checkpoint_transfer.hpp"
#include "scheduler/ranks/directory_token.hpp"
#include "scheduler/ranks/in_order.hpp"
#include "scheduler/ranks/messages.hpp"
#include "scheduler/ranks/peer.hpp"
#include "scheduler/ranks/rank_requests.hpp"
#include "scheduler/ranks/transport.hpp"
#include "scheduler/work/batch_queue.hpp"
#include "scheduler/work/mailbox.hpp"
#include "scheduler/work/worker.hpp"

namespace glassworks { inline namespace scheduler {

/// Gives the workers of the other ranks access to the queue of rank 0, in the thread that uses the transport. Never
/// blocks: the queue answers through a mailbox, and file threads read and write checkpoints and answer through another.
///
/// A silent rank loses its realizations to the others, and its later commits are refused. It may rejoin.
class Coordinator {
 public:
  using Clock = std::chrono::steady_clock;

  struct MaxWait {
    std::chrono::milliseconds silence;                          ///< of a rank at work, before it loses what it holds
    std::chrono::milliseconds start = std::chrono::minutes(5);  ///< of a rank that makes its backends
    std::chrono::milliseconds end = std::chrono::minutes(1);    ///< for a rank to finish when the run is over
  };

  struct Run {
    Config config;  ///< of the campaign, with absolute paths
    std::map<int, std::vector<double>> temperatures;
    const Chains& chains;
    std::vector<Handshake> handshakes;  ///< of all ranks, that of rank 0 first
    std::vector<RankShare> shares;      ///< of all ranks
    std::optional<Clock::time_point> deadline;
    MaxWait max_wait;
    std::function<Clock::time_point()> now = Clock::now;
    /// Called once when all ranks have said what they work with; by rank, nothing for those that have not.
    std::function<void(const std::vector<std::optional<Ready>>&)> ready = {};
  };

  Coordinator(Transport& transport, BatchQueue& queue, RoundControl& control, Run run);
  /// Gives the queue what was committed, also where its states had still to be stored.
  ~Coordinator();

  /// Starts the other ranks, serves them until all work is done or a stop is requested, and dismisses them. Errors
  /// abort the run through the queue.
  void serve();

  /// Whether a signal to another rank ended the run.
  [[nodiscard]] bool stopped_by_rank() const { return stopped_by_rank_; }
  /// Ranks that have not ended in order: the launcher has to end them.
  [[nodiscard]] int unfinished() const;
  /// Of the workers of the other ranks.
  [[nodiscard]] const TimeShares& times() const { return times_; }
  [[nodiscard]] int workers() const { return workers_; }

 private:
  void welcome(const DirectoryToken& token);
  void loop();
  [[nodiscard]] bool poll();
  void take_in(const Received& received);
  [[nodiscard]] bool all_gone() const;
  void check_times(Clock::time_point now);
  void begin_stop();
  void send(int rank, const FromCoordinator& message);
  [[nodiscard]] Peer& peer(int rank) { return peers_.at(static_cast<std::size_t>(rank)); }
  [[nodiscard]] std::string name(int rank) const;

  void receive(int rank, Ready& ready);
  void receive(int rank, Take& take);
  void receive(int rank, Commit& commit);
  void receive(int rank, GiveBack& message);
  void receive(int rank, Failed& failed);
  void receive(int, Note& note);
  void receive(int rank, Abort& abort);
  void receive(int, StopRequest&);
  void receive(int, Heartbeat&) {}
  void receive(int rank, Finished& finished);

  void advance(RankQuestion question);
  void advance(RankCommit commit);
  void receive(LeaseAnswer& answer);
  void receive(CommitAnswer& answer);
  void receive(RankQuestion& read);
  void receive(RankCommit& stored);
  [[nodiscard]] std::vector<RankCommit> in_order(RankCommit& stored);
  void ask(int rank, Take take);
  void ask_again(RankQuestion& question);
  [[nodiscard]] bool is_current(const RankQuestion& question);
  void drop_rank(int rank, std::chrono::milliseconds silence);
  void give_back_all(Peer& peer);
  void bring_back(int rank);
  void report_ready();

  // Of the threads for files.
  void work_on_files(FileTask& task);
  void work_on(RankQuestion& question);
  void work_on(RankCommit& commit);
  void work_on(const ObsoleteFiles& files);

  Transport& transport_;
  BatchQueue& queue_;
  RoundControl& control_;
  const Run run_;
  const std::filesystem::path checkpoints_;
  std::vector<Peer> peers_;  ///< by rank; that of rank 0 is not used
  Ticket last_ticket_ = 0;
  std::map<Ticket, RankQuestion> leasing_;
  std::map<Ticket, RankCommit> committing_;
  std::vector<InOrder<RankCommit>> stored_;  ///< by rank: threads for files end in any order
  Mailbox<FilesDone> files_done_;
  TaskQueue<FileTask> files_;
  TimeShares times_;
  int workers_ = 0;
  bool reported_ready_ = false, stopped_by_rank_ = false, stopping_ = false;
  Clock::time_point checked_{}, judge_from_{};
  std::optional<Clock::time_point> end_by_;
};

}}  // namespace glassworks::scheduler
