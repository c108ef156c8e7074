#include "tools/glassworks/doctor_machine.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "base/text_file.hpp"
#include "tools/bench/timing.hpp"

namespace glassworks { inline namespace tools {
namespace {

/// "MemTotal:  123 kB" in bytes.
std::int64_t memory_in(const std::string& meminfo, const std::string& key) {
  return 1024 * std::strtoll(value_in(meminfo, key).c_str(), nullptr, 10);
}

std::int64_t system_value(int name) { return std::max<std::int64_t>(0, sysconf(name)); }

int usable_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
}

/// A file that is gone when this object is.
class ProbeFile {
 public:
  explicit ProbeFile(std::string name)
      : name_(std::move(name)), descriptor_(open(name_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600)) {
    check(descriptor_ >= 0);
  }
  ProbeFile(const ProbeFile&) = delete;
  ProbeFile& operator=(const ProbeFile&) = delete;
  ~ProbeFile() {
    if (descriptor_ >= 0) {
      close(descriptor_);
      unlink(name_.c_str());
    }
  }

  void write(const std::vector<char>& data) {
    for (std::size_t done = 0; done < data.size();) {
      const ssize_t n = ::write(descriptor_, data.data() + done, data.size() - done);
      check(n >= 0);
      done += static_cast<std::size_t>(n);
    }
  }
  void sync() { check(fsync(descriptor_) == 0); }

 private:
  static void check(bool good) {
    if (!good) throw std::system_error(errno, std::generic_category());
  }
  std::string name_;
  int descriptor_;
};

}  // namespace

Machine this_machine() {
  const std::string cpuinfo = system_text("/proc/cpuinfo"), meminfo = system_text("/proc/meminfo");
  Machine m;
  m.processor = value_in(cpuinfo, "model name");
  m.cpus = usable_cpus();
  m.online_cpus = static_cast<int>(system_value(_SC_NPROCESSORS_ONLN));
#if defined(_SC_LEVEL1_DCACHE_SIZE)
  m.first_level_cache = system_value(_SC_LEVEL1_DCACHE_SIZE);
  m.second_level_cache = system_value(_SC_LEVEL2_CACHE_SIZE);
  m.third_level_cache = system_value(_SC_LEVEL3_CACHE_SIZE);
#endif
  m.memory = memory_in(meminfo, "MemTotal");
  m.available_memory = memory_in(meminfo, "MemAvailable");
  m.load = std::strtod(system_text("/proc/loadavg").c_str(), nullptr);
  return m;
}

std::string human_bytes(std::int64_t bytes) {
  const char* const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  auto x = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; x >= 1024.0 && unit + 1 < std::size(units); ++unit) x /= 1024.0;
  return fmt::format("{:.{}f} {}", x, x < 9.95 && unit > 0 ? 1 : 0, units[unit]);
}

Disk probe_disk(const std::string& directory) {
  constexpr std::size_t large = 16U << 20, small = 4096;
  constexpr int syncs = 9;
  Disk disk;
  struct statvfs space {};
  if (statvfs(directory.c_str(), &space) == 0) {
    disk.free_bytes = static_cast<std::int64_t>(space.f_bavail) * static_cast<std::int64_t>(space.f_frsize);
  }
  try {
    ProbeFile file(fmt::format("{}/.glassworks-doctor.{}.tmp", directory, getpid()));
    const std::vector<char> block(large, 'g'), page(small, 'g');
    const double seconds = seconds_of([&] {
      file.write(block);
      file.sync();
    });
    disk.write_bytes_per_second = static_cast<double>(large) / seconds;
    for (int i = 0; i < syncs; ++i) {
      disk.sync_seconds.push_back(seconds_of([&] {
        file.write(page);
        file.sync();
      }));
    }
  } catch (const std::system_error& error) {
    disk.problem = fmt::format("The directory '{}' cannot be written ({}). Choose another one for the campaigns.",
                               directory, error.code().message());
  }
  return disk;
}

}}  // namespace glassworks::tools
