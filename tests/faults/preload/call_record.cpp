#include "tests/faults/preload/call_record.hpp"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/faults/preload/fault_plan.hpp"

namespace glassworks::faults {

int open_log(const std::string& file) {
  if (file.empty()) return -1;
  const long descriptor =
      ::syscall(SYS_openat, AT_FDCWD, file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (descriptor < 0) refuse("the file " + file + " cannot be written");
  return static_cast<int>(descriptor);
}

void append(int descriptor, const std::string& bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const long written = ::syscall(SYS_write, descriptor, bytes.data() + done, bytes.size() - done);
    if (written < 0) refuse("a log cannot be written");
    done += static_cast<std::size_t>(written);
  }
}

CallRecord::CallRecord(const std::string& file) : descriptor_(open_log(file)) {}

void CallRecord::add(std::string line) {
  if (on()) append(descriptor_, line += '\n');
}

void CallRecord::add_write(int descriptor, long offset, const void* data, long length) {
  if (!on() || length < 0) return;
  std::string entry =
      "write\t" + std::to_string(descriptor) + '\t' + std::to_string(offset) + '\t' + std::to_string(length) + '\n';
  entry.append(static_cast<const char*>(data), static_cast<std::size_t>(length));
  append(descriptor_, entry += '\n');
}

}  // namespace glassworks::faults
