#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>

#include "base/threads.hpp"
#include "scheduler/campaign/campaign.hpp"
#include "scheduler/campaign/status_publisher.hpp"

namespace glassworks { inline namespace scheduler {

/// This process as a worker of a campaign. While it lives a thread of its own, with its own connection, renews the
/// leases and ends those of processes that are gone: at once if the process has ended, when it has given no heartbeat
/// for its lease otherwise. No clock that can be set decides on that. Other machines are told how far the campaign is.
/// Destruction gives all leases back.
class LeaseKeeper {
 public:
  /// backend  for people
  LeaseKeeper(const Campaign& campaign, std::string backend);
  LeaseKeeper(const LeaseKeeper&) = delete;
  LeaseKeeper& operator=(const LeaseKeeper&) = delete;
  ~LeaseKeeper();

  /// Id of this process in the database. Another one after its lease was lost.
  [[nodiscard]] std::int64_t worker() const { return worker_.load(); }
  /// After the leases of a worker of this process were lost: enters the campaign as a new one, once.
  void enter_again(std::int64_t lost);

 private:
  void keep(const std::stop_token& stop);
  void end_leases_of_the_gone(Database& database);
  [[nodiscard]] bool has_not_moved(const WorkerRow& worker);

  const Campaign& campaign_;
  const std::string backend_;
  const int lease_seconds_;
  std::mutex mutex_, entering_;
  using Clock = std::chrono::steady_clock;
  struct Sign {
    std::int64_t heartbeat = 0;
    Clock::time_point since;
  };
  std::map<std::int64_t, Sign> seen_;  ///< last heartbeat of each other worker, and when it was first seen
  std::condition_variable_any changed_;
  std::atomic<std::int64_t> worker_{0};
  StatusPublisher publisher_;
  Thread thread_;  // ends before the rest goes
};

}}  // namespace glassworks::scheduler
