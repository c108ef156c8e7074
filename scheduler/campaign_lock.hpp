#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace glassworks {

/// Holds a campaign directory for the processes of one machine together: SQLite's log is shared memory, which other
/// machines do not see.
///
/// campaign.lock is locked (flock) by every process and names the machine. The kernel ends a lock with its process,
/// however that ends. Where a file system does not pass such locks on to other machines, the time of the file's last
/// renewal tells that another machine may still be at work.
class CampaignLock {
 public:
  using Say = std::function<void(const std::string&)>;

  /// Waits (for a minute at most) while another process creates or opens the campaign, or until a machine that was the
  /// last to use it has been silent for long enough. Throws InputError if another machine is at work, or if the file
  /// cannot be locked.
  ///
  /// say  gets a line for people before a wait
  explicit CampaignLock(const std::filesystem::path& directory, const Say& say = {});
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
  void take_for_this_machine();
  [[noreturn]] void refuse(const std::filesystem::path& directory) const;
  void outwait_other_machine(const std::filesystem::path& directory, const Say& say) const;

  int descriptor_ = -1;
  bool alone_ = false;
};

}  // namespace glassworks
