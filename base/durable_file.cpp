#include "base/durable_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <utility>

#include "base/regular_file.hpp"

namespace glassworks { inline namespace base {

namespace {

int open_retrying(const std::filesystem::path& path, int flags, unsigned permissions = 0) {
  int descriptor;
  do descriptor = ::open(path.c_str(), flags | O_CLOEXEC, permissions);
  while (descriptor < 0 && errno == EINTR);
  return descriptor;
}

std::filesystem::path directory_of(const std::filesystem::path& file) {
  return file.has_parent_path() ? file.parent_path() : ".";
}

/// Renames a file. Replaces a regular file or a link, but never a device, which belongs to the system.
void replace(const std::filesystem::path& from, const std::filesystem::path& to) {
  struct stat status {};
  if (::lstat(to.c_str(), &status) == 0 && (S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode))) {
    throw FileError(FileFault::withheld, fmt::format("Cannot write {} (it is a device)", to.string()),
                    "Choose another name");
  }
  if (::rename(from.c_str(), to.c_str()) != 0) fail_file("write", to.string(), errno);
}

}  // namespace

DurableFile::DurableFile(std::filesystem::path target, unsigned permissions)
    : target_(std::move(target)), temporary_(target_) {
  static std::atomic<unsigned> counter{0};
  const std::string ending = fmt::format(".{}-{}.tmp", ::getpid(), counter++);
  temporary_.replace_filename(target_.filename().string().substr(0, NAME_MAX - ending.size()) + ending);
  // O_EXCL and O_NOFOLLOW: an earlier process with the same PID may have left a file of this name, or someone a link.
  const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW;
  descriptor_ = open_retrying(temporary_, flags, permissions);
  if (descriptor_ < 0 && errno == EEXIST && ::unlink(temporary_.c_str()) == 0) {
    descriptor_ = open_retrying(temporary_, flags, permissions);
  }
  if (descriptor_ < 0) fail_file("write", target_.string(), errno);
}

DurableFile::DurableFile(DurableFile&& other) noexcept
    : target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

DurableFile::~DurableFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void DurableFile::append(std::span<const std::byte> data) {
  while (!data.empty()) {
    const ssize_t written = ::write(descriptor_, data.data(), data.size());
    if (written >= 0) {
      data = data.subspan(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      fail_file("write", target_.string(), errno);
    }
  }
}

void DurableFile::overwrite(std::size_t offset, std::span<const std::byte> data) {
  while (!data.empty()) {
    const ssize_t written = ::pwrite(descriptor_, data.data(), data.size(), static_cast<off_t>(offset));
    if (written >= 0) {
      data = data.subspan(static_cast<std::size_t>(written));
      offset += static_cast<std::size_t>(written);
    } else if (errno != EINTR) {
      fail_file("write", target_.string(), errno);
    }
  }
}

void DurableFile::sync() {
  if (::fsync(descriptor_) != 0) fail_file("sync", target_.string(), errno);
  if (::close(std::exchange(descriptor_, -1)) != 0) fail_file("write", target_.string(), errno);
}

void DurableFile::rename() {
  replace(temporary_, target_);
  temporary_.clear();
}

void DurableFile::publish() {
  sync();
  rename();
  sync_path(directory_of(target_));
}

bool DurableFile::publish_new() {
  sync();
  if (::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, target_.c_str(), RENAME_NOREPLACE) != 0) {
    if (errno == EEXIST) return false;
    struct stat status {};
    if (errno != EINVAL && errno != ENOSYS) fail_file("write", target_.string(), errno);
    if (::lstat(target_.c_str(), &status) == 0) return false;  // a file system without such renames
    rename();
  }
  temporary_.clear();
  sync_path(directory_of(target_));
  return true;
}

void DurableFile::copy_target_permissions() {
  struct stat status {};
  if (::stat(target_.c_str(), &status) == 0) static_cast<void>(::fchmod(descriptor_, status.st_mode & 07777) == 0);
}

std::vector<std::byte> read_file(const std::filesystem::path& file, std::uintmax_t max_bytes) {
  return RegularFile(file, Links::refused).read_all(max_bytes);
}

void sync_path(const std::filesystem::path& path) {
  const Descriptor descriptor(open_retrying(path, O_RDONLY | O_NONBLOCK | O_NOCTTY));
  if (descriptor.get() < 0 || ::fsync(descriptor.get()) != 0) fail_file("sync", path.string(), errno);
}

void rename_durably(const std::filesystem::path& from, const std::filesystem::path& to) {
  replace(from, to);
  sync_path(directory_of(to));
}

}}  // namespace glassworks::base
