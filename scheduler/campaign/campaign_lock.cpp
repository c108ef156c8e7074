#include "scheduler/campaign/campaign_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "base/regular_file.hpp"
#include "engine/config/config.hpp"
#include "scheduler/campaign/process.hpp"

namespace glassworks { inline namespace scheduler {
namespace {

using namespace std::chrono_literals;

constexpr const char* file_name = "campaign.lock";

/// Lines of the file: identity of the machine; its name, for people; and of a process that works alone what it is, then
/// its pid and process_start.
struct Holder {
  std::string identity, host, what;
  std::optional<WorkerRow> alone;
};

constexpr off_t most_bytes = 4096;

std::string read_text(int descriptor) {
  std::string text(static_cast<std::size_t>(most_bytes), '\0');
  const ssize_t length = pread(descriptor, text.data(), text.size(), 0);
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(length, 0)));
  return text;
}

Holder read_holder(int descriptor) {
  std::istringstream lines(read_text(descriptor));
  Holder holder;
  std::getline(lines, holder.identity);
  if (lines.eof()) return {};  // half written
  std::getline(lines, holder.host);
  std::getline(lines, holder.what);
  WorkerRow process;
  if (lines >> process.pid >> process.process_start) holder.alone = process;
  return holder;
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

CampaignHolder for_display(int descriptor, const Holder& holder) {
  return {holder.host, holder.what, std::max(seconds_since_renewal(descriptor), 0.0)};
}

/// Whether a live process of this machine holds the campaign exclusively; entries of killed processes do not count.
bool works_alone_here(const Holder& holder) { return holder.alone && !is_foreign(holder) && is_running(*holder.alone); }

/// Whether the holder is at work: its heartbeat is recent, or its lock is still held. (The file system may not see
/// locks of other machines.)
bool is_at_work(int descriptor) {
  if (seconds_since_renewal(descriptor) <= CampaignLock::silence_seconds) return true;
  if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) return errno == EWOULDBLOCK;
  flock(descriptor, LOCK_UN);
  return false;
}

/// Whether Glassworks can have written this: nothing, the identity of a machine and lines of text, or a part of that. A
/// loss of power may leave zeros.
bool is_text_of_lock(std::string_view text) {
  if (text.find_first_not_of('\0') == std::string_view::npos) return true;
  const auto is_control = [](unsigned char c) { return (c < 0x20 && c != '\n') || c == 0x7F; };
  if (std::any_of(text.begin(), text.end(), is_control)) return false;
  std::string_view identity = text.substr(0, text.find('\n'));
  identity.remove_prefix(
      std::min(identity.find_first_not_of("0123456789abcdefghijklmnopqrstuvwxyz-"), identity.size()));
  constexpr std::string_view before_number = " pid:[";
  if (identity.size() <= before_number.size()) return before_number.starts_with(identity);
  if (!identity.starts_with(before_number)) return false;
  identity.remove_prefix(before_number.size());
  identity.remove_prefix(std::min(identity.find_first_not_of("0123456789"), identity.size()));
  return identity.empty() || identity == "]";
}

/// Why a file cannot be a lock that Glassworks wrote; empty if it can. Everything else is left as it is.
std::string fault_of_lock(int descriptor) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0) return std::strerror(errno);
  if (std::string reason = why_not_regular(status.st_mode); !reason.empty()) return reason;
  if (status.st_nlink > 1) return "it is a file with a second name";
  if (status.st_size > most_bytes || !is_text_of_lock(read_text(descriptor))) return "it holds something else";
  return {};
}

/// Opens the lock file of a campaign; refuses links (they may lead anywhere) and FIFOs (opening one would block).
/// Returns -1 with errno if there is no lock file. Throws InputError.
Descriptor open_lock(const std::filesystem::path& directory, int flags) {
  const std::filesystem::path file = directory / file_name;
  const int number = open(file.c_str(), flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0644);
  std::string fault;
  struct stat status {};
  const int error = errno;
  Descriptor lock(number);
  if (number >= 0) {
    fault = fault_of_lock(number);
  } else if (lstat(file.c_str(), &status) == 0) {
    fault = why_not_regular(status.st_mode);
  }
  if (!fault.empty()) {
    throw InputError(InputFault::unusable_file, (directory / file_name).string(),
                     fmt::format("the campaign in {} cannot be locked ({} is not its lock: {}). Move that away.",
                                 directory.string(), file_name, fault));
  }
  errno = error;
  return lock;
}

[[noreturn]] void throw_unlockable(const std::filesystem::path& directory, int error) {
  throw InputError(
      InputFault::unusable_file, directory.string(),
      fmt::format("the campaign directory {} cannot be locked ({}). Choose another campaign.directory or correct its "
                  "permissions.",
                  directory.string(), std::strerror(error)));
}

}  // namespace

std::string CampaignHolder::text() const {
  return fmt::format("{}{}{}, last heartbeat {:.0f} s ago", host, what.empty() ? "" : ", ", what, silent_seconds);
}

std::optional<CampaignHolder> holder_elsewhere(const std::filesystem::path& directory) {
  const Descriptor lock = open_lock(directory, O_RDONLY);
  if (lock.get() < 0) return std::nullopt;
  const Holder holder = read_holder(lock.get());
  if (!is_foreign(holder) || !is_at_work(lock.get())) return std::nullopt;
  return for_display(lock.get(), holder);
}

CampaignLock::CampaignLock(const std::filesystem::path& directory, const MessageSink& say, CampaignUse use,
                           const std::string& what, Stop stop)
    : stop_(std::move(stop)) {
  lock_ = open_lock(directory, O_CREAT | O_RDWR);
  if (lock_.get() < 0) throw_unlockable(directory, errno);
  const auto begin = std::chrono::steady_clock::now();
  while (!take(directory, say, use, what)) {
    const auto waited = std::chrono::steady_clock::now() - begin;
    // An exclusive holder may be about to write the name of this machine.
    if (waited > 2s && is_foreign(read_holder(lock_.get()))) refuse(directory);
    // A process that is about to exit may still hold a shared lock.
    if (use == CampaignUse::alone && waited > 500ms && try_lock(LOCK_SH)) {
      throw InputError(
          InputFault::in_use, directory.string(),
          fmt::format("the campaign in {} is in use by other processes of this machine ({} needs it alone). Wait "
                      "until they have ended, or stop them.",
                      directory.string(), what));
    }
    if (waited > 60s) {
      throw InputError(
          InputFault::in_use, directory.string(),
          fmt::format("the campaign in {} is held by a process that has been opening it for a minute ({} is locked). "
                      "Wait for it, or end it.",
                      directory.string(), file_name));
    }
    pause(20ms);
  }
}

/// Sleeps for one step of a wait; throws WaitStopped on a stop request.
void CampaignLock::pause(std::chrono::milliseconds time) const {
  if (stop_ && stop_()) throw WaitStopped();
  std::this_thread::sleep_for(time);
}

/// One attempt; false where another process has the campaign, and that may change in a moment.
bool CampaignLock::take(const std::filesystem::path& directory, const MessageSink& say, CampaignUse use,
                        const std::string& what) {
  alone_ = try_lock(LOCK_EX);
  if (alone_) {
    wait_for_other_machine(directory, say);
    take_for_this_machine(use, what);
    return true;
  }
  const Holder holder = read_holder(lock_.get());
  if (is_foreign(holder)) return false;
  if (works_alone_here(holder)) {
    throw InputError(
        InputFault::in_use, directory.string(),
        fmt::format("the campaign in {} is in use by {} (process {} on {}; it works on it alone). Wait until that has "
                    "ended, or stop it.",
                    directory.string(), holder.what, holder.alone->pid, holder.host));
  }
  return use == CampaignUse::with_others && try_lock(LOCK_SH);
}

CampaignLock::CampaignLock(CampaignLock&& other) noexcept = default;

CampaignLock::~CampaignLock() {
  if (lock_.get() < 0) return;
  // The last process of a machine empties the file. After a kill it stays, and other machines wait for a minute.
  if (flock(lock_.get(), LOCK_EX | LOCK_NB) == 0) static_cast<void>(ftruncate(lock_.get(), 0) == 0);
}

bool CampaignLock::try_lock(int operation) const {
  if (flock(lock_.get(), operation | LOCK_NB) == 0) return true;
  if (errno == EWOULDBLOCK || errno == EINTR) return false;
  throw InputError(
      InputFault::unusable_file, file_name,
      fmt::format("the campaign cannot be locked ({}: {}). Put campaign.directory on a file system with locks.",
                  file_name, std::strerror(errno)));
}

void CampaignLock::refuse(const std::filesystem::path& directory) const {
  throw InputError(
      InputFault::in_use, directory.string(),
      fmt::format(
          "the campaign in {} is in use by another machine ({}; runs that are started one by one must be on one "
          "machine). Stop it there.",
          directory.string(), for_display(lock_.get(), read_holder(lock_.get())).text()));
}

/// Called with the lock held. The machine named in the file has then ended its processes, unless the file system keeps
/// locks local; so waits long enough to see a heartbeat. After a reboot this machine counts as another one, too.
void CampaignLock::wait_for_other_machine(const std::filesystem::path& directory, const MessageSink& say) const {
  const Holder holder = read_holder(lock_.get());
  if (!is_foreign(holder)) return;
  const auto renewal = last_renewal(lock_.get());
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(silence_seconds);
  const double silence = seconds_since_renewal(lock_.get());
  if (silence < silence_seconds && say) {
    say(
        fmt::format("The campaign was last used by another machine or before a restart ({}): waiting up to {} s for a "
                    "heartbeat.",
                    holder.host, silence_seconds - static_cast<int>(std::max(silence, 0.0))));
  }
  while (seconds_since_renewal(lock_.get()) <= silence_seconds && std::chrono::steady_clock::now() < end) {
    pause(200ms);
    if (last_renewal(lock_.get()) != renewal) refuse(directory);
  }
}

void CampaignLock::take_for_this_machine(CampaignUse use, const std::string& what) {
  std::string text = machine_identity() + "\n" + host_name() + "\n";
  if (use == CampaignUse::alone) {
    const WorkerRow process = this_process("", 0);
    text += fmt::format("{}\n{} {}\n", what, process.pid, process.process_start);
  }
  const auto length = static_cast<ssize_t>(text.size());
  bool written = ftruncate(lock_.get(), 0) == 0;
  for (ssize_t done = 0; written && done < length;) {
    const ssize_t part = pwrite(lock_.get(), text.data() + done, static_cast<std::size_t>(length - done), done);
    written = part > 0 || (part < 0 && errno == EINTR);
    done += std::max<ssize_t>(part, 0);
  }
  if (!written) {
    throw InputError(InputFault::unusable_file, file_name,
                     fmt::format("the campaign cannot be locked ({} cannot be written: {}). Free some space or correct "
                                 "its permissions.",
                                 file_name, std::strerror(errno)));
  }
}

void CampaignLock::share() {
  if (!alone_) return;
  while (flock(lock_.get(), LOCK_SH) != 0 && errno == EINTR) {
  }
  alone_ = false;
}

void CampaignLock::renew() const { static_cast<void>(futimens(lock_.get(), nullptr) == 0); }

}}  // namespace glassworks::scheduler
