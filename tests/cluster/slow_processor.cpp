// A library to be preloaded: `glassworks run` has a processor that is busy with other work. After a fifth of a second,
// for its start, it computes for 4 ms and then waits for 200 ms, again and again, if the file that GLASSWORKS_SLOW
// names is there when it starts. So a run lasts and leaves the processors to others.

#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>

namespace {

void wait_a_while(int /*signal*/) {
  const int error = errno;
  const timespec time{0, 200'000'000};
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
  const itimerval every = {{0, 4'000}, {0, 200'000}};  // time of the processor
  ::setitimer(ITIMER_PROF, &every, nullptr);
}

}  // namespace
