#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace glassworks { inline namespace tools {

/// What the operating system says of this machine; 0 or empty where it says nothing.
struct Machine {
  std::string processor;  ///< model name
  int cpus = 0;           ///< that this process may use
  int online_cpus = 0;
  std::int64_t first_level_cache = 0, second_level_cache = 0, third_level_cache = 0;  ///< [bytes]
  std::int64_t memory = 0, available_memory = 0;                                      ///< [bytes]
  double load = 0.0;  ///< average number of runnable tasks over the last minute
};

[[nodiscard]] Machine this_machine();

/// Value of the first line "key : value" (or "key: value") of a text such as /proc/cpuinfo; empty if there is none.
[[nodiscard]] inline std::string value_in(const std::string& text, const std::string& key) {
  std::size_t line = 0;
  while (line < text.size()) {
    const std::size_t end = std::min(text.find('\n', line), text.size());
    const std::size_t colon = text.find(':', line);
    if (colon < end && text.compare(line, key.size(), key) == 0 &&
        text.find_first_not_of(" \t", line + key.size()) == colon) {
      const std::size_t begin = text.find_first_not_of(" \t", colon + 1);
      return begin < end ? text.substr(begin, end - begin) : "";
    }
    line = end + 1;
  }
  return "";
}

/// "1.5 GiB".
[[nodiscard]] std::string human_bytes(std::int64_t bytes);

/// What a directory offers for campaigns.
struct Disk {
  std::string problem;  ///< one sentence; empty if it can be written
  std::int64_t free_bytes = 0;
  double write_bytes_per_second = 0.0;  ///< one large file with a sync at its end
  std::vector<double> sync_seconds;     ///< of single small writes
};

/// Writes, syncs and removes a temporary file.
[[nodiscard]] Disk probe_disk(const std::string& directory);

}}  // namespace glassworks::tools
