// A library to be preloaded: `glassworks run` has a processor that is busy with other work. After a fifth of a second,
// for its start, it waits a hundred times as long as it computes, in steps of some milliseconds, if the file that
// GLASSWORKS_SLOW names is there when it starts. So a run lasts and leaves the processors to others.

#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>

namespace {

long computed = 0;  // when the last wait began [ns]

long time_of_processor() {
  timespec time = {};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return 1'000'000'000L * time.tv_sec + time.tv_nsec;
}

void wait_a_while(int /*signal*/) {
  const int error = errno;
  const long now = time_of_processor();
  const timespec time{0, std::min(100 * (now - computed), 999'999'999L)};
  computed = now;
  ::nanosleep(&time, nullptr);
  errno = error;
}

__attribute__((constructor)) void begin(int count, char** arguments) {
  const char* const file = std::getenv("GLASSWORKS_SLOW");
  if (file == nullptr || ::access(file, F_OK) != 0 || count < 2 || std::strcmp(arguments[1], "run") != 0) return;
  if (std::strcmp(::basename(arguments[0]), "glassworks") != 0) return;
  struct sigaction action = {};
  action.sa_handler = wait_a_while;
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGPROF, &action, nullptr);
  const itimerval every = {{0, 4'000}, {0, 200'000}};  // [us] of the processor
  computed = 196'000'000;
  ::setitimer(ITIMER_PROF, &every, nullptr);
}

}  // namespace
