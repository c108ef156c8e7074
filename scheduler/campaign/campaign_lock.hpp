#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>

#include "base/regular_file.hpp"

namespace glassworks { inline namespace scheduler {

/// Whether a process lets others of its machine work on the campaign too.
enum class CampaignUse { with_others, alone };

/// Who has a campaign, for people.
struct CampaignHolder {
  std::string host;
  std::string what;             ///< "a run over 4 ranks, Slurm job 123"; empty for processes that work with others
  double silent_seconds = 0.0;  ///< since the last heartbeat

  /// "n1, a run over 4 ranks, last heartbeat 3 s ago"
  [[nodiscard]] std::string text() const;
};

/// The other machine that is working on a campaign, if any. Read-only; does not interfere with it.
[[nodiscard]] std::optional<CampaignHolder> holder_elsewhere(const std::filesystem::path& directory);

/// A wait for a campaign that a stop or a time limit has ended.
class WaitStopped : public std::runtime_error {
 public:
  WaitStopped() : std::runtime_error("Stopped while waiting for the campaign. Run the same command again.") {}
};

/// Holds a campaign directory for the processes of one machine together: SQLite's log is shared memory, which other
/// machines do not see.
///
/// campaign.lock is locked (flock) by every process and names the machine; a process that works alone keeps the
/// exclusive lock, and the file says what it is. The kernel ends a lock with its process, however that ends. Where a
/// file system does not pass such locks on to other machines, the time of the file's last renewal tells that another
/// machine may still be at work. A link, a FIFO or a file of other content in its place is refused and left as it is.
class CampaignLock {
 public:
  using MessageSink = std::function<void(const std::string&)>;
  using Stop = std::function<bool()>;

  /// Waits (for a minute at most) while another process creates or opens the campaign, or until a machine that was the
  /// last to use it has been silent for long enough. Throws InputError if another machine is at work, if a process of
  /// this one works alone, if others are at work and this one is to be alone, or if the file cannot be locked, and
  /// WaitStopped if a wait is to end.
  ///
  /// say   receives a message for the user before a wait
  /// what  description of an exclusive user, in one line
  /// stop  polled while waiting; true ends the wait
  explicit CampaignLock(const std::filesystem::path& directory, const MessageSink& say = {},
                        CampaignUse use = CampaignUse::with_others, const std::string& what = {}, Stop stop = {});
  CampaignLock(CampaignLock&& other) noexcept;
  CampaignLock& operator=(CampaignLock&&) = delete;
  ~CampaignLock();

  /// Whether no other process holds the campaign; it then stays so until `share`.
  [[nodiscard]] bool alone() const { return alone_; }
  /// Lets other processes of this machine in.
  void share();
  /// A sign of life for other machines.
  void renew() const;

  static constexpr int silence_seconds = 60;  ///< after which a machine that cannot be asked counts as gone

 private:
  [[nodiscard]] bool try_lock(int operation) const;
  [[nodiscard]] bool take(const std::filesystem::path& directory, const MessageSink& say, CampaignUse use,
                          const std::string& what);
  void take_for_this_machine(CampaignUse use, const std::string& what);
  [[noreturn]] void refuse(const std::filesystem::path& directory) const;
  void wait_for_other_machine(const std::filesystem::path& directory, const MessageSink& say) const;
  void pause(std::chrono::milliseconds time) const;

  Descriptor lock_;
  Stop stop_;
  bool alone_ = false;
};

}}  // namespace glassworks::scheduler
