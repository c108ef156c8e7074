#pragma once

#include <string>

namespace glassworks::faults {

/// A file of what was done below the watched directory, in order, for power_loss.py. A call is a line, numbers and
/// paths separated by tabs, and only calls that succeeded are there:
///
/// open FD MODE PATH         MODE: letters c (created if missing), t (emptied), - (neither)
/// close FD
/// write FD OFFSET LENGTH    followed by LENGTH bytes and a line feed
/// truncate FD LENGTH
/// sync FD                   fsync or fdatasync, of a file or a directory
/// rename FROM TO
/// unlink PATH
/// mkdir PATH
class CallRecord {
 public:
  /// An empty name: nothing is recorded.
  explicit CallRecord(const std::string& file);
  [[nodiscard]] bool on() const { return descriptor_ >= 0; }
  void add(std::string line);
  void add_write(int descriptor, long offset, const void* data, long length);

 private:
  int descriptor_ = -1;
};

/// Opens a file to which lines are appended, past the interposed functions; -1 for an empty name.
int open_log(const std::string& file);

/// Appends all of it, past the interposed functions.
void append(int descriptor, const std::string& bytes);

}  // namespace glassworks::faults
