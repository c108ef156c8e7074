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

/// Registers this process as a worker of a campaign. A background thread with its own connection renews the leases and
/// ends those of dead workers: immediately if the process has exited, otherwise when its lease expires without a
/// heartbeat, by a monotonic clock. Also publishes the status for other machines. The destructor releases all leases.
class LeaseKeeper {
 public:
  /// backend  for people
  LeaseKeeper(const Campaign& campaign, std::string backend);
  LeaseKeeper(const LeaseKeeper&) = delete;
  LeaseKeeper& operator=(const LeaseKeeper&) = delete;
  ~LeaseKeeper();

  /// Id of this process in the database. Another one after its lease was lost.
  [[nodiscard]] std::int64_t worker() const { return worker_.load(); }
  /// Registers this process again after it has lost its leases. Does nothing if `lost` is not its current worker id.
  void register_again(std::int64_t lost);

 private:
  void keep(const std::stop_token& stop);
  void end_leases_of_dead_workers(Database& database);
  [[nodiscard]] bool lease_expired(const WorkerRow& worker);

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
