#include "base/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <optional>
#include <span>
#include <system_error>
#include <thread>

#include "base/durable_file.hpp"
#include "base/input_error.hpp"
#include "base/paths.hpp"
#include "base/regular_file.hpp"

namespace glassworks { inline namespace base {
namespace fs = std::filesystem;
namespace {

using Kind = OutputPlace::Kind;

std::string error_text(int error) { return std::generic_category().message(error); }

OutputPlace& mark_unusable(OutputPlace& place, std::string why, std::string remedy) {
  place.kind = Kind::unusable;
  place.why = std::move(why);
  place.remedy = std::move(remedy);
  return place;
}

fs::path folder_of(const fs::path& file) { return file.has_parent_path() ? file.parent_path() : "."; }

/// The number of a descriptor of this process that a name such as /proc/self/fd/3 stands for.
std::optional<int> own_descriptor(const fs::path& file) {
  std::error_code error;
  const fs::path folder = fs::canonical(folder_of(file), error);
  if (error || folder != fs::canonical("/proc/self/fd", error)) return std::nullopt;
  const std::string name = file.filename().string();
  int number = -1;
  const auto [end, failure] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (failure != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return number;
}

/// Sets the kind of a place from the mode of the file that exists there.
///
/// denied  why it cannot be written, if the system says so
OutputPlace& classify(OutputPlace& place, unsigned mode, const std::string& denied) {
  if (S_ISDIR(mode)) return mark_unusable(place, "it is a directory", "Name a file in it.");
  if (S_ISBLK(mode)) return mark_unusable(place, "it is a block device", "Name a file.");
  if (S_ISREG(mode) && place.descriptor < 0) {
    place.kind = Kind::regular;
    return place;
  }
  if (S_ISSOCK(mode) && place.descriptor < 0) return mark_unusable(place, "it is a socket", "Name a file.");
  place.kind = Kind::stream;
  return denied.empty() ? place : mark_unusable(place, denied, "Name a file.");
}

/// Follows links one by one, so that a descriptor of this process is found before the file behind it.
OutputPlace& follow(OutputPlace& place) {
  constexpr int most_links = 40;  // of the system
  for (int links = 0;; ++links) {
    if (const std::optional<int> number = own_descriptor(place.file)) {
      struct stat status {};
      if (::fstat(*number, &status) != 0) {
        return mark_unusable(place, fmt::format("the descriptor {} is not open", *number), "Name a file.");
      }
      place.descriptor = *number;
      const bool read_only = (::fcntl(*number, F_GETFL) & O_ACCMODE) == O_RDONLY;
      return classify(place, status.st_mode, read_only ? "it is not open for writing" : "");
    }
    struct stat status {};
    if (::lstat(place.file.c_str(), &status) != 0) {
      if (errno == ENOENT) return place;
      return mark_unusable(place, error_text(errno), "Choose another name.");
    }
    if (!S_ISLNK(status.st_mode)) {
      return classify(place, status.st_mode, ::access(place.file.c_str(), W_OK) == 0 ? "" : error_text(errno));
    }
    if (links == most_links) return mark_unusable(place, error_text(ELOOP), "Choose another name.");
    std::error_code error;
    const fs::path target = fs::read_symlink(place.file, error);
    if (error) return mark_unusable(place, error.message(), "Choose another name.");
    place.file = place.file.parent_path() / target;
  }
}

/// Blocks SIGPIPE in this thread, where it would end the program, and discards one that became pending.
class WithoutPipeSignal {
 public:
  WithoutPipeSignal() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  WithoutPipeSignal(const WithoutPipeSignal&) = delete;
  WithoutPipeSignal& operator=(const WithoutPipeSignal&) = delete;
  ~WithoutPipeSignal() {
    const timespec at_once{};
    if (!was_pending_) sigtimedwait(&pipe_, nullptr, &at_once);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t pipe_, before_;
  bool was_pending_ = false;
};

/// Opening a FIFO without a reader, or a device that is absent, fails with ENXIO; waits for the reader of a FIFO.
Descriptor open_stream(const fs::path& file, const std::string& name) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end = Clock::now() + std::chrono::seconds(fifo_reader_timeout);
  for (;;) {
    Descriptor stream(::open(file.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    struct stat status {};
    if (stream.get() >= 0 && ::fstat(stream.get(), &status) == 0 && !S_ISFIFO(status.st_mode) &&
        !S_ISCHR(status.st_mode)) {
      throw FileError(FileFault::withheld, fmt::format("Cannot write {} (another file has taken its place)", name),
                      "Run the command again");
    }
    if (stream.get() >= 0) return stream;
    const int error = errno;
    if (error == ENXIO && ::stat(file.c_str(), &status) == 0 && S_ISFIFO(status.st_mode)) {
      if (Clock::now() < end) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        continue;
      }
      throw FileError(
          FileFault::withheld,
          fmt::format("Cannot write {} (no reader opened this FIFO within {} s)", name, fifo_reader_timeout),
          "Start its reader first");
    }
    if (error != EINTR) fail_file("write", name, error);
  }
}

void write_stream(const OutputPlace& place, std::string_view text, const std::string& name) {
  const Descriptor stream =
      place.descriptor < 0 ? open_stream(place.file, name) : Descriptor(::fcntl(place.descriptor, F_DUPFD_CLOEXEC, 3));
  if (stream.get() < 0) fail_file("write", name, errno);
  std::fflush(nullptr);  // what was printed before stands before it
  const WithoutPipeSignal held;
  while (!text.empty()) {
    const ssize_t written = ::write(stream.get(), text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      pollfd ready{stream.get(), POLLOUT, 0};
      ::poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      fail_file("write", name, errno);
    }
  }
}

[[noreturn]] void refuse_existing(const fs::path& file) {
  throw InputError(
      InputFault::unusable_file, file.string(),
      fmt::format("{} exists already (nothing is overwritten unless asked). Choose another name.", file.string()));
}

}  // namespace

OutputPlace output_place(const fs::path& file) {
  OutputPlace place;
  place.file = file;
  if (!file.has_filename()) return mark_unusable(place, "it does not end in a file name", "Name a file.");
  follow(place);
  const bool is_link = place.file != file;
  if (is_link && (place.kind == Kind::regular || place.kind == Kind::free)) {
    place.kind = Kind::link;
    place.file = file;
  }
  if (place.kind == Kind::stream || place.kind == Kind::unusable) return place;
  const fs::path folder = absolute_path(folder_of(place.file)).lexically_normal();
  if (std::error_code error; !fs::is_directory(folder, error)) {
    return mark_unusable(place, fmt::format("there is no directory '{}'", folder.string()),
                         "Make it, or choose another one.");
  }
  if (::access(folder.c_str(), W_OK | X_OK) != 0) {
    return mark_unusable(place, fmt::format("{}: {}", folder.string(), error_text(errno)), "Choose another directory.");
  }
  return place;
}

void write_output(const fs::path& file, std::string_view text, Existing existing) {
  const OutputPlace place = output_place(file);
  if (place.kind == Kind::unusable) {
    throw InputError(InputFault::unusable_file, file.string(),
                     fmt::format("{} cannot be written ({}). {}", file.string(), place.why, place.remedy));
  }
  if (existing == Existing::refuse && !place.is_harmless()) refuse_existing(file);
  if (place.kind == Kind::stream) return write_stream(place, text, file.string());
  DurableFile out(place.file);
  out.append(std::as_bytes(std::span(text)));
  if (place.kind == Kind::free) {
    if (!out.publish_new()) refuse_existing(file);  // it has come meanwhile
    return;
  }
  if (place.kind == Kind::regular) out.copy_target_permissions();
  out.publish();
}

}}  // namespace glassworks::base
