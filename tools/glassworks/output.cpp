#include "tools/glassworks/output.hpp"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace glassworks { inline namespace tools {
namespace {

std::atomic<int> lost{0};  ///< errno of the first write to the standard output that failed

void failed() {
  int none = 0;
  lost.compare_exchange_strong(none, errno != 0 ? errno : EIO);
}

void write_to(Channel channel, std::string_view text) {
  std::FILE* const file = channel == Channel::output ? stdout : stderr;
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), file) == text.size()) return;
  if (channel == Channel::output) failed();
  std::clearerr(file);
}

}  // namespace

void show(Channel channel, std::string_view text) { write_to(channel, visible_text(text)); }

void show_document(std::string_view text) {
  if (isatty(STDOUT_FILENO) == 1) return show(text);
  write_to(Channel::output, text);
}

void control_terminal(Channel channel, std::string_view sequence) { write_to(channel, sequence); }

bool flush_output() {
  errno = 0;
  if (std::fflush(stdout) != 0) failed();
  return lost == 0;
}

int finish_output(int status) {
  if (flush_output() || lost == EPIPE) return status;
  show(Channel::error,
       fmt::format("glassworks: the standard output cannot be written ({}). Part of the output is lost; "
                   "write to a file with free space, or keep the output open.\n",
                   std::strerror(lost)));
  return status != 0 ? status : 1;
}

}}  // namespace glassworks::tools
