#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

/// A library to be preloaded that lets a real device fail under a running program, for tools/gpu_check.sh.
///
/// GLASSWORKS_DEVICE_FAULT=KIND:DEVICE:SECONDS, so many seconds after the start:
///   trap    a kernel that traps runs in the context that the program uses, whose every call fails from then on
///   memory  the free memory of the device is taken but for less than 32 MiB, which streams and code may need
/// A program that starts itself anew meets no second fault, unless GLASSWORKS_DEVICE_FAULTS says how many it meets.
/// Where there is no driver or no such device, nothing happens. Everything goes through the driver's own functions,
/// because the program has its runtime linked into it; their types are written out, so that no toolkit is needed.
namespace {

constexpr const char* kernel = ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry fault() { trap; }\n";

struct Fault {
  char kind[16];
  int device;
  double seconds;
};

template <class Function>
Function* driver_function(const char* name) {
  static void* driver = dlopen("libcuda.so.1", RTLD_NOW);
  return driver == nullptr ? nullptr : reinterpret_cast<Function*>(dlsym(driver, name));
}

/// Calls a function of the driver; true: it succeeded.
template <class... Arguments>
bool call(const char* name, Arguments... arguments) {
  auto* function = driver_function<int(Arguments...)>(name);
  return function != nullptr && function(arguments...) == 0;
}

void trap() {
  void *module = nullptr, *function = nullptr;
  if (!call("cuModuleLoadData", &module, static_cast<const void*>(kernel))) return;
  if (!call("cuModuleGetFunction", &function, module, "fault")) return;
  void** none = nullptr;
  void* stream = nullptr;
  (void)call("cuLaunchKernel", function, 1U, 1U, 1U, 1U, 1U, 1U, 0U, stream, none, none);
}

void take_memory() {
  using DevicePointer = unsigned long long;
  for (std::size_t bytes = std::size_t{1} << 38; bytes >= (std::size_t{1} << 25);) {
    DevicePointer taken = 0;
    if (!call("cuMemAlloc_v2", &taken, bytes)) bytes /= 2;
  }
}

void* wait_and_fail(void* argument) {
  const Fault fault = *static_cast<Fault*>(argument);
  usleep(static_cast<useconds_t>(1e6 * fault.seconds));
  int device = 0;
  void* context = nullptr;
  if (!call("cuInit", 0U) || !call("cuDeviceGet", &device, fault.device)) return nullptr;
  if (!call("cuDevicePrimaryCtxRetain", &context, device) || !call("cuCtxSetCurrent", context)) return nullptr;
  if (std::strcmp(fault.kind, "memory") == 0) {
    take_memory();
  } else {
    trap();
  }
  return nullptr;
}

__attribute__((constructor)) void prepare() {
  static Fault fault;
  const char* text = std::getenv("GLASSWORKS_DEVICE_FAULT");
  if (text == nullptr || std::sscanf(text, "%15[a-z]:%d:%lf", fault.kind, &fault.device, &fault.seconds) != 3) return;
  const char* const count = std::getenv("GLASSWORKS_DEVICE_FAULTS");
  const int left = count == nullptr ? 0 : std::atoi(count) - 1;
  if (left > 0) {
    setenv("GLASSWORKS_DEVICE_FAULTS", std::to_string(left).c_str(), 1);
  } else {
    unsetenv("GLASSWORKS_DEVICE_FAULT");
  }
  pthread_t thread;
  if (pthread_create(&thread, nullptr, wait_and_fail, &fault) == 0) pthread_detach(thread);
}

}  // namespace
