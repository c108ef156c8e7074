#pragma once

#include <cstddef>
#include <string>

#include "scheduler/campaign/stopwatch.hpp"

namespace glassworks { inline namespace tools {

/// Tells once, while work is at its beginning, about how long all of it takes, if that is more than a minute.
class TimeEstimate {
 public:
  /// So much of a piece of work is done ("descents of L = 8"); another name begins another piece. The first parts tell
  /// nothing before they have taken two seconds.
  void show(const std::string& work, std::size_t done, std::size_t total);

  /// What is said after so many seconds; empty if nothing is.
  [[nodiscard]] static std::string text(const std::string& work, double seconds, std::size_t done, std::size_t total);

 private:
  std::string work_;
  Stopwatch watch_;
  bool told_ = false;
};

}}  // namespace glassworks::tools
