#include "base/regular_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace glassworks { inline namespace base {

namespace {

int open_at_retrying(int directory, const char* name, int flags) {
  int descriptor;
  do descriptor = ::openat(directory, name, flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  while (descriptor < 0 && errno == EINTR);
  return descriptor;
}

void require_regular(const struct stat& status, const std::string& name) {
  const std::string reason = why_not_regular(status.st_mode);
  if (reason.empty()) return;
  throw FileError(FileFault::damaged, fmt::format("Cannot read {} ({})", name, reason), "Use a regular file");
}

}  // namespace

Descriptor::Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

/// Looks before it opens: to open a device may have an effect.
RegularFile::RegularFile(const std::filesystem::path& file, Links links, std::string name) : name_(std::move(name)) {
  Descriptor directory;
  int at = AT_FDCWD;
  std::string path = file.string();
  if (links == Links::refused) {
    const std::filesystem::path parent = file.has_parent_path() ? file.parent_path() : ".";
    directory = Descriptor(open_at_retrying(AT_FDCWD, parent.c_str(), O_RDONLY | O_DIRECTORY));
    if (directory.get() < 0) fail_file("read", name_, errno);
    at = directory.get();
    path = file.filename().string();
  }
  struct stat status {};
  if (::fstatat(at, path.c_str(), &status, links == Links::refused ? AT_SYMLINK_NOFOLLOW : 0) != 0) {
    fail_file("read", name_, errno);
  }
  require_regular(status, name_);
  descriptor_ = Descriptor(open_at_retrying(at, path.c_str(), O_RDONLY | (links == Links::refused ? O_NOFOLLOW : 0)));
  if (descriptor_.get() < 0 || ::fstat(descriptor_.get(), &status) != 0) fail_file("read", name_, errno);
  require_regular(status, name_);
  size_ = static_cast<std::uintmax_t>(status.st_size);
}

std::span<std::byte> RegularFile::read_some(std::span<std::byte> buffer) {
  for (;;) {
    const ssize_t got = ::read(descriptor_.get(), buffer.data(), buffer.size());
    if (got >= 0) return buffer.first(static_cast<std::size_t>(got));
    if (errno != EINTR) fail_file("read", name_, errno);
  }
}

/// The size that stat reports may be wrong (0 in /proc), so the read loop checks the limit itself.
std::vector<std::byte> RegularFile::read_all(std::uintmax_t max_bytes) {
  if (size_ > max_bytes) refuse_size(max_bytes);
  std::vector<std::byte> bytes(static_cast<std::size_t>(size_) + 1);
  std::size_t done = 0;
  for (;;) {
    const std::size_t got = read_some(std::span(bytes).subspan(done)).size();
    done += got;
    if (done > max_bytes) refuse_size(max_bytes);
    if (got == 0) break;
    if (done == bytes.size()) bytes.resize(done + std::max<std::size_t>(done / 2, 4096));
  }
  bytes.resize(done);
  return bytes;
}

void RegularFile::refuse_size(std::uintmax_t max_bytes) const {
  throw FileError(FileFault::damaged,
                  fmt::format("Cannot read {} (it is larger than the limit of {} bytes)", name_, max_bytes),
                  "Check that it is the right file");
}

std::string why_not_regular(unsigned mode) {
  if (S_ISREG(mode)) return {};
  if (S_ISDIR(mode)) return "it is a directory";
  if (S_ISLNK(mode)) return "it is a symbolic link, which is not followed here";
  if (S_ISFIFO(mode)) return "it is a FIFO, not a regular file";
  if (S_ISSOCK(mode)) return "it is a socket, not a regular file";
  return "it is a device, not a regular file";
}

}}  // namespace glassworks::base
