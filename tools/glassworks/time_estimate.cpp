#include "tools/glassworks/time_estimate.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "base/text.hpp"
#include "tools/glassworks/output.hpp"
#include "tools/glassworks/terminal.hpp"

namespace glassworks { inline namespace tools {

std::string TimeEstimate::text(const std::string& work, double seconds, std::size_t done, std::size_t total) {
  constexpr double trial = 2.0, long_time = 60.0;
  if (seconds < trial || done == 0 || done >= total) return {};
  const double left = seconds * static_cast<double>(total - done) / static_cast<double>(done);
  if (seconds + left <= long_time) return {};
  return fmt::format("Note: {}: {} of {} took {}; about {} left.", work, done, total, duration_text(seconds),
                     duration_text(left));
}

void TimeEstimate::show(const std::string& work, std::size_t done, std::size_t total) {
  if (work != work_) {
    work_ = work;
    watch_ = {};
    told_ = false;
  }
  if (told_) return;
  const std::string note = text(work_, watch_.total(), done, total);
  if (note.empty()) return;
  told_ = true;
  if (isatty(STDERR_FILENO) == 1) clear_line(Channel::error);
  print(Channel::error, "{}\n", note);
}

}}  // namespace glassworks::tools
