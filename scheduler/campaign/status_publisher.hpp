#pragma once

#include <condition_variable>
#include <filesystem>
#include <mutex>

#include "base/threads.hpp"

namespace glassworks { inline namespace scheduler {

/// Publishes status.sqlite, a small copy of the campaign for `status` and `watch` on other machines, while it lives: by
/// a thread and a connection of its own, so that nobody waits for it. Processes of one machine share the work.
class StatusPublisher {
 public:
  explicit StatusPublisher(std::filesystem::path campaign);
  StatusPublisher(const StatusPublisher&) = delete;
  StatusPublisher& operator=(const StatusPublisher&) = delete;
  /// Removes the copy: the database itself can be read from now on.
  ~StatusPublisher();

  static constexpr int interval_seconds = 5;  ///< at least, between two copies

 private:
  void publish(const std::stop_token& stop) const;

  const std::filesystem::path campaign_, target_;
  mutable std::mutex mutex_;
  mutable std::condition_variable_any changed_;
  Thread thread_;  // ends before the rest goes
};

}}  // namespace glassworks::scheduler
