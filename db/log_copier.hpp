#pragma once

#include <condition_variable>
#include <cstddef>
#include <filesystem>
#include <mutex>

#include "base/threads.hpp"

namespace glassworks { inline namespace db {

/// Copies commits from the write-ahead log into the database (SQLite calls this a checkpoint) in a thread and through a
/// connection of its own, so that writers need not wait for it. Commits are durable without it. If it fails or falls
/// behind, the connections that write copy the log themselves. The thread starts when it is needed first.
class LogCopier {
 public:
  /// Committed rounds after which it sets to work: a few MiB.
  static constexpr std::size_t enough_rounds = 2048;

  explicit LogCopier(std::filesystem::path database);
  LogCopier(const LogCopier&) = delete;
  LogCopier& operator=(const LogCopier&) = delete;
  ~LogCopier();

  /// Reports committed rounds; returns at once. Called by one thread.
  void committed(std::size_t rounds);

 private:
  void work(const std::stop_token& stop);

  const std::filesystem::path database_;
  std::mutex mutex_;  ///< of `rounds_`
  std::condition_variable_any changed_;
  std::size_t rounds_ = 0;  ///< committed since the last copy
  bool started_ = false;
  Thread thread_;  // last: it uses all others
};

}}  // namespace glassworks::db
