#include "engine/durable_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <string_view>
#include <system_error>
#include <utility>

namespace glassworks {

namespace {

const char* suggestion(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return "Free some space or raise the limit, then run again";
    case EMFILE:
    case ENFILE:
      return "Raise the limit of open files, then run again";
    case EACCES:
    case EPERM:
    case EROFS:
      return "Check the permissions of the file and its directory";
    case ENOENT:
    case ENOTDIR:
    case EISDIR:
      return "Check the path";
    default:
      return "Check the disk, then run again";
  }
}

FileFault fault_of(int error) {
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      return FileFault::missing;
    case EIO:
    case EISDIR:
    case EINVAL:
    case ELOOP:
      return FileFault::damaged;
    default:
      return FileFault::withheld;
  }
}

[[noreturn]] void fail(std::string_view action, const std::filesystem::path& path, int error) {
  throw FileError(fault_of(error),
                  fmt::format("Cannot {} {} ({})", action, path.string(), std::generic_category().message(error)),
                  suggestion(error));
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  [[nodiscard]] int get() const { return number_; }

 private:
  int number_;
};

int open_retrying(const std::filesystem::path& path, int flags) {
  int descriptor;
  do descriptor = ::open(path.c_str(), flags | O_CLOEXEC, 0666);
  while (descriptor < 0 && errno == EINTR);
  return descriptor;
}

std::filesystem::path directory_of(const std::filesystem::path& file) {
  return file.has_parent_path() ? file.parent_path() : ".";
}

}  // namespace

DurableFile::DurableFile(std::filesystem::path target) : target_(std::move(target)), temporary_(target_) {
  static std::atomic<unsigned> counter{0};
  temporary_ += fmt::format(".{}-{}.tmp", ::getpid(), counter++);
  descriptor_ = open_retrying(temporary_, O_WRONLY | O_CREAT | O_TRUNC);
  if (descriptor_ < 0) fail("write", target_, errno);
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
      fail("write", target_, errno);
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
      fail("write", target_, errno);
    }
  }
}

void DurableFile::sync() {
  if (::fsync(descriptor_) != 0) fail("sync", target_, errno);
  if (::close(std::exchange(descriptor_, -1)) != 0) fail("write", target_, errno);
}

void DurableFile::rename() {
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail("write", target_, errno);
  temporary_.clear();
}

void DurableFile::publish() {
  sync();
  rename();
  sync_path(directory_of(target_));
}

std::vector<std::byte> read_file(const std::filesystem::path& file) {
  const Descriptor descriptor(open_retrying(file, O_RDONLY));
  struct stat status {};
  if (descriptor.get() < 0 || ::fstat(descriptor.get(), &status) != 0) fail("read", file, errno);
  if (!S_ISREG(status.st_mode)) fail("read", file, S_ISDIR(status.st_mode) ? EISDIR : EINVAL);
  std::vector<std::byte> bytes(static_cast<std::size_t>(status.st_size));
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t got = ::read(descriptor.get(), bytes.data() + done, bytes.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("read", file, errno);
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  bytes.resize(done);
  return bytes;
}

void sync_path(const std::filesystem::path& path) {
  const Descriptor descriptor(open_retrying(path, O_RDONLY));
  if (descriptor.get() < 0 || ::fsync(descriptor.get()) != 0) fail("sync", path, errno);
}

void rename_durably(const std::filesystem::path& from, const std::filesystem::path& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) fail("write", to, errno);
  sync_path(directory_of(to));
}

}  // namespace glassworks
