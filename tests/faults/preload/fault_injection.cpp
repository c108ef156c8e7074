// A library to be preloaded: the system calls that a program changes files with, made to fail, to be cut short, to be
// the last ones of their process, or recorded. fault_plan.hpp says how it is controlled.

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdarg>
#include <optional>
#include <string>

#include "tests/faults/preload/watched_files.hpp"

namespace {

using glassworks::faults::Side;
using glassworks::faults::Verdict;
using glassworks::faults::WatchedFiles;

/// The function that is called where nothing is preloaded.
template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

/// Makes a counted call on a watched path, unless it has to fail, and records it if it succeeds.
///
/// call    Result(bool halve): the call itself; halve: with half of the bytes
/// record  void(Result, CallRecord&)
template <class Call, class Record>
auto counted(Side side, const char* kind, const std::string& path, Call call, Record record) {
  WatchedFiles& files = WatchedFiles::instance();
  using Result = decltype(call(false));
  const Verdict verdict = files.begin(side, kind, path);
  if (verdict == Verdict::fail) return static_cast<Result>(-1);
  const Result result = call(verdict == Verdict::halve);
  if (result >= 0) record(result, files.record());
  files.end(side);
  return result;
}

int open_file(int (*real)(const char*, int, ...), const char* path, int flags, mode_t mode) {
  WatchedFiles& files = WatchedFiles::instance();
  const std::lock_guard lock(files.mutex());
  const auto watched = files.watched_path(path);
  const auto call = [&](bool = false) { return real(path, flags, mode); };
  if (!watched) return call();
  const auto opened = [&](int descriptor, auto& record) {
    files.opened(descriptor, *watched);
    const std::string letters = (flags & O_TRUNC) != 0 ? "ct" : (flags & O_CREAT) != 0 ? "c" : "-";
    record.add("open\t" + std::to_string(descriptor) + '\t' + letters + '\t' + *watched);
  };
  const bool changes = (flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)) != 0;
  return counted(changes ? Side::changes : Side::neither, "open", *watched, call, opened);
}

/// write (offset -1: where the file stands) and pwrite.
template <class Call>
ssize_t write_file(const char* kind, int descriptor, const void* data, size_t length, off_t offset, Call call) {
  WatchedFiles& files = WatchedFiles::instance();
  const std::lock_guard lock(files.mutex());
  const auto watched = files.watched_path(descriptor);
  if (!watched) return call(length);
  if (offset < 0) offset = ::lseek(descriptor, 0, SEEK_CUR);
  return counted(
      Side::changes, kind, *watched, [&](bool halve) { return call(halve ? (length + 1) / 2 : length); },
      [&](ssize_t written, auto& record) { record.add_write(descriptor, offset, data, written); });
}

template <class Call>
ssize_t read_file(const char* kind, int descriptor, Call call) {
  WatchedFiles& files = WatchedFiles::instance();
  const std::lock_guard lock(files.mutex());
  const auto watched = files.watched_path(descriptor);
  if (!watched) return call(false);
  return counted(Side::reads, kind, *watched, call, [](ssize_t, auto&) {});
}

/// A call on an open file that is recorded as `line`.
template <class Call>
int on_descriptor(const char* kind, int descriptor, const std::string& line, Call call) {
  WatchedFiles& files = WatchedFiles::instance();
  const std::lock_guard lock(files.mutex());
  const auto watched = files.watched_path(descriptor);
  if (!watched) return call(false);
  return counted(Side::changes, kind, *watched, call, [&](int, auto& record) { record.add(line); });
}

template <class Call>
int on_path(const char* kind, const char* path, Call call) {
  WatchedFiles& files = WatchedFiles::instance();
  const std::lock_guard lock(files.mutex());
  const auto watched = files.watched_path(path);
  if (!watched) return call(false);
  return counted(Side::changes, kind, *watched, call,
                 [&](int, auto& record) { record.add(std::string(kind) + '\t' + *watched); });
}

int truncate_file(int descriptor, off_t length) {
  static const auto real = next<int(int, off_t)>("ftruncate64");
  return on_descriptor("ftruncate", descriptor,
                       "truncate\t" + std::to_string(descriptor) + '\t' + std::to_string(length),
                       [&](bool) { return real(descriptor, length); });
}

ssize_t write_at(int descriptor, const void* data, size_t length, off_t offset) {
  static const auto real = next<ssize_t(int, const void*, size_t, off_t)>("pwrite64");
  return write_file("pwrite", descriptor, data, length, offset,
                    [&](size_t bytes) { return real(descriptor, data, bytes, offset); });
}

ssize_t read_at(int descriptor, void* data, size_t length, off_t offset) {
  static const auto real = next<ssize_t(int, void*, size_t, off_t)>("pread64");
  return read_file("pread", descriptor, [&](bool) { return real(descriptor, data, length, offset); });
}

int open_with_mode(const char* path, int flags, mode_t mode) {
  static const auto real = next<int(const char*, int, ...)>("open64");
  return open_file(real, path, flags, mode);
}

/// The mode of open, which is given only if a file may be created.
mode_t mode_of(int flags, va_list arguments) { return (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0; }

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_with_mode(path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_with_mode(path, flags, mode);
}

int close(int descriptor) {
  static const auto real = next<int(int)>("close");
  WatchedFiles& files = WatchedFiles::instance();
  const std::lock_guard lock(files.mutex());
  if (files.watched_path(descriptor)) files.record().add("close\t" + std::to_string(descriptor));
  files.closed(descriptor);
  return real(descriptor);
}

ssize_t write(int descriptor, const void* data, size_t length) {
  static const auto real = next<ssize_t(int, const void*, size_t)>("write");
  return write_file("write", descriptor, data, length, -1, [&](size_t bytes) { return real(descriptor, data, bytes); });
}

ssize_t pwrite(int descriptor, const void* data, size_t length, off_t offset) {
  return write_at(descriptor, data, length, offset);
}

ssize_t pwrite64(int descriptor, const void* data, size_t length, off64_t offset) {
  return write_at(descriptor, data, length, offset);
}

ssize_t read(int descriptor, void* data, size_t length) {
  static const auto real = next<ssize_t(int, void*, size_t)>("read");
  return read_file("read", descriptor, [&](bool) { return real(descriptor, data, length); });
}

ssize_t pread(int descriptor, void* data, size_t length, off_t offset) {
  return read_at(descriptor, data, length, offset);
}

ssize_t pread64(int descriptor, void* data, size_t length, off64_t offset) {
  return read_at(descriptor, data, length, offset);
}

int fsync(int descriptor) {
  static const auto real = next<int(int)>("fsync");
  return on_descriptor("fsync", descriptor, "sync\t" + std::to_string(descriptor),
                       [&](bool) { return real(descriptor); });
}

int fdatasync(int descriptor) {
  static const auto real = next<int(int)>("fdatasync");
  return on_descriptor("fdatasync", descriptor, "sync\t" + std::to_string(descriptor),
                       [&](bool) { return real(descriptor); });
}

int ftruncate(int descriptor, off_t length) noexcept { return truncate_file(descriptor, length); }

int ftruncate64(int descriptor, off64_t length) noexcept { return truncate_file(descriptor, length); }

int unlink(const char* path) noexcept {
  static const auto real = next<int(const char*)>("unlink");
  return on_path("unlink", path, [&](bool) { return real(path); });
}

int remove(const char* path) noexcept {
  static const auto real = next<int(const char*)>("remove");
  return on_path("unlink", path, [&](bool) { return real(path); });
}

int mkdir(const char* path, mode_t mode) noexcept {
  static const auto real = next<int(const char*, mode_t)>("mkdir");
  return on_path("mkdir", path, [&](bool) { return real(path, mode); });
}

int rename(const char* from, const char* to) noexcept {
  static const auto real = next<int(const char*, const char*)>("rename");
  WatchedFiles& files = WatchedFiles::instance();
  const std::lock_guard lock(files.mutex());
  const auto source = files.watched_path(from), target = files.watched_path(to);
  if (!source || !target) return real(from, to);
  return counted(
      Side::changes, "rename", *target, [&](bool) { return real(from, to); },
      [&](int, auto& record) { record.add("rename\t" + *source + '\t' + *target); });
}

}  // extern "C"
