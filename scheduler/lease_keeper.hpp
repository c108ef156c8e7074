#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "scheduler/campaign.hpp"

namespace glassworks {

/// This process as a worker of a campaign. While it lives a thread of its own, with its own connection, renews the
/// leases and ends those of processes that are gone: at once if the process has ended, after its lease if it no longer
/// stirs. Destruction gives all leases back.
class LeaseKeeper {
 public:
  /// backend  for people
  LeaseKeeper(const Campaign& campaign, std::string backend);
  LeaseKeeper(const LeaseKeeper&) = delete;
  LeaseKeeper& operator=(const LeaseKeeper&) = delete;
  ~LeaseKeeper();

  /// Id of this process in the database. Another one after `enter_again`.
  [[nodiscard]] std::int64_t worker() const { return worker_.load(); }
  /// After the leases were lost: enters the campaign as a new worker.
  void enter_again();

 private:
  void keep(const std::stop_token& stop);
  void end_leases_of_the_gone(Database& database);

  const Campaign& campaign_;
  const std::string backend_;
  const int lease_seconds_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::atomic<std::int64_t> worker_{0};
  std::jthread thread_;  // ends before the rest goes
};

}  // namespace glassworks
