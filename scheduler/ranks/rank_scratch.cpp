#include "scheduler/ranks/rank_scratch.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/durable_file.hpp"

namespace glassworks { inline namespace scheduler {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view prefix = "glassworks-rank-";
constexpr const char* lock_name = "lock";

[[noreturn]] void fail_in_scratch(const fs::path& parent, int error) {
  throw FileError(FileFault::withheld,
                  fmt::format("A directory for states cannot be made in {} ({})", parent.string(),
                              std::generic_category().message(error)),
                  "Set TMPDIR to a directory that can be written, or use a campaign.directory that all machines share");
}

/// The lock of a directory if nobody holds it, else -1.
int try_lock(const fs::path& directory) {
  const int lock = open((directory / lock_name).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (lock < 0 || flock(lock, LOCK_EX | LOCK_NB) == 0) return lock;
  close(lock);
  return -1;
}

void remove_abandoned(const fs::path& parent) {
  std::error_code ignored;
  std::vector<fs::path> found;
  for (fs::directory_iterator entry(parent, ignored), end; !ignored && entry != end; entry.increment(ignored)) {
    if (entry->path().filename().string().starts_with(prefix)) found.push_back(entry->path());
  }
  for (const fs::path& directory : found) {
    const int lock = try_lock(directory);
    if (lock < 0) continue;
    fs::remove_all(directory, ignored);
    close(lock);
  }
}

}  // namespace

/// The directory gets its final name only after it is locked, so that no other process removes it as abandoned.
RankScratch::RankScratch(const fs::path& parent) {
  remove_abandoned(parent);
  std::string pattern = (parent / "glassworks-new-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) fail_in_scratch(parent, errno);
  const fs::path made = pattern;
  lock_ = open((made / lock_name).c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  directory_ = parent / (std::string(prefix) + pattern.substr(pattern.size() - 6));
  std::error_code error;
  if (lock_ < 0 || flock(lock_, LOCK_EX | LOCK_NB) != 0) error = {errno, std::generic_category()};
  if (!error) fs::create_directory(made / "checkpoints", error);
  if (!error) fs::rename(made, directory_, error);
  if (!error) return;
  std::error_code ignored;
  fs::remove_all(made, ignored);
  if (lock_ >= 0) close(lock_);
  fail_in_scratch(parent, error.value());
}

RankScratch::~RankScratch() {
  try {
    std::error_code ignored;
    fs::remove_all(directory_, ignored);
  } catch (const std::exception&) {  // memory is used up; the next rank on this machine removes it
  }
  close(lock_);
}

}}  // namespace glassworks::scheduler
