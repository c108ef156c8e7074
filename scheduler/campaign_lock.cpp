#include "scheduler/campaign_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <string>
#include <thread>
#include <utility>

#include "engine/config.hpp"
#include "scheduler/process.hpp"

namespace glassworks {
namespace {

constexpr const char* file_name = "campaign.lock";

/// First line: identity of the machine; second: its name, for people.
struct Holder {
  std::string identity, host;
};

Holder read_holder(int descriptor) {
  std::string text(512, '\0');
  const ssize_t length = pread(descriptor, text.data(), text.size(), 0);
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(length, 0)));
  const auto line = text.find('\n');
  if (line == std::string::npos) return {};
  return {text.substr(0, line), text.substr(line + 1, text.find('\n', line + 1) - line - 1)};
}

bool is_foreign(const Holder& holder) { return !holder.identity.empty() && holder.identity != machine_identity(); }

/// Seconds and nanoseconds since 1970.
std::pair<std::int64_t, std::int64_t> last_renewal(int descriptor) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0) return {};
  return {status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

double seconds_since_renewal(int descriptor) {
  return static_cast<double>(now_ms()) / 1e3 - static_cast<double>(last_renewal(descriptor).first);
}

[[noreturn]] void throw_unlockable(const std::filesystem::path& directory, int error) {
  throw InputError(
      fmt::format("the campaign directory {} cannot be locked ({}). Choose another campaign.directory or correct its "
                  "permissions.",
                  directory.string(), std::strerror(error)));
}

}  // namespace

CampaignLock::CampaignLock(const std::filesystem::path& directory, const Say& say) {
  descriptor_ = open((directory / file_name).c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644);
  if (descriptor_ < 0) throw_unlockable(directory, errno);
  try {
    using namespace std::chrono_literals;
    const auto begin = std::chrono::steady_clock::now();
    for (;;) {
      const auto waited = std::chrono::steady_clock::now() - begin;
      alone_ = try_lock(LOCK_EX);
      if (alone_) {
        outwait_other_machine(directory, say);
        take_for_this_machine();
        return;
      }
      // Who holds the lock alone may be about to write the name of this machine.
      const bool foreign = is_foreign(read_holder(descriptor_));
      if (foreign && waited > 2s) refuse(directory);
      if (!foreign && try_lock(LOCK_SH)) return;
      if (waited > 60s) {
        throw InputError(
            fmt::format("the campaign in {} is held by a process that has been opening it for a minute ({} is locked). "
                        "Wait for it, or end it.",
                        directory.string(), file_name));
      }
      std::this_thread::sleep_for(20ms);
    }
  } catch (...) {
    close(descriptor_);
    throw;
  }
}

CampaignLock::CampaignLock(CampaignLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), alone_(other.alone_) {}

CampaignLock::~CampaignLock() {
  if (descriptor_ < 0) return;
  // The last process of a machine says that it has gone; who is killed says nothing, and others wait for a minute.
  if (flock(descriptor_, LOCK_EX | LOCK_NB) == 0) static_cast<void>(ftruncate(descriptor_, 0) == 0);
  close(descriptor_);
}

bool CampaignLock::try_lock(int operation) const {
  if (flock(descriptor_, operation | LOCK_NB) == 0) return true;
  if (errno == EWOULDBLOCK || errno == EINTR) return false;
  throw InputError(
      fmt::format("the campaign cannot be locked ({}: {}). Put campaign.directory on a file system with locks.",
                  file_name, std::strerror(errno)));
}

void CampaignLock::refuse(const std::filesystem::path& directory) const {
  throw InputError(fmt::format(
      "the campaign in {} is in use by another machine ({}, last sign of life {:.0f} s ago; all processes of a "
      "campaign must run on one machine). Stop it there.",
      directory.string(), read_holder(descriptor_).host, std::max(seconds_since_renewal(descriptor_), 0.0)));
}

/// With the lock held: the machine that the file names has ended its processes, unless the file system keeps locks to
/// each machine. So it is given the time for a sign of life; after a restart this machine itself is such another one.
void CampaignLock::outwait_other_machine(const std::filesystem::path& directory, const Say& say) const {
  const Holder holder = read_holder(descriptor_);
  if (!is_foreign(holder)) return;
  const auto renewal = last_renewal(descriptor_);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(silence_seconds);
  const double silence = seconds_since_renewal(descriptor_);
  if (silence < silence_seconds && say) {
    say(
        fmt::format("The campaign was last used by another machine or before a restart ({}): waiting up to {} s for a "
                    "sign of life.",
                    holder.host, silence_seconds - static_cast<int>(std::max(silence, 0.0))));
  }
  while (seconds_since_renewal(descriptor_) <= silence_seconds && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    if (last_renewal(descriptor_) != renewal) refuse(directory);
  }
}

void CampaignLock::take_for_this_machine() {
  const std::string text = machine_identity() + "\n" + host_name() + "\n";
  const auto length = static_cast<ssize_t>(text.size());
  bool written = ftruncate(descriptor_, 0) == 0;
  for (ssize_t done = 0; written && done < length;) {
    const ssize_t part = pwrite(descriptor_, text.data() + done, static_cast<std::size_t>(length - done), done);
    written = part > 0 || (part < 0 && errno == EINTR);
    done += std::max<ssize_t>(part, 0);
  }
  if (!written) {
    throw InputError(
        fmt::format("the campaign cannot be locked ({} cannot be written: {}). Free some space or correct "
                    "its permissions.",
                    file_name, std::strerror(errno)));
  }
}

void CampaignLock::share() {
  if (!alone_) return;
  while (flock(descriptor_, LOCK_SH) != 0 && errno == EINTR) {
  }
  alone_ = false;
}

void CampaignLock::renew() const { static_cast<void>(futimens(descriptor_, nullptr) == 0); }

}  // namespace glassworks
