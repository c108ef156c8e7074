// A library to be preloaded: the system gives so many threads and then no more, as under a limit of processes, which
// does not bind root. GLASSWORKS_THREADS: how many; without it there is no limit.

#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*body)(void*),
                              void* argument) {
  using Create = int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto real = reinterpret_cast<Create*>(::dlsym(RTLD_NEXT, "pthread_create"));
  static const char* const limit = std::getenv("GLASSWORKS_THREADS");
  static std::atomic<int> started{0};
  if (limit != nullptr && started++ >= std::atoi(limit)) return EAGAIN;
  return real(thread, attributes, body, argument);
}
