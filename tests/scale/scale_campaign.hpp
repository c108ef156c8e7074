#pragma once

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "db/database.hpp"
#include "engine/checkpoint/checkpoint_name.hpp"
#include "kernels/rounds/bin_layout.hpp"

namespace glassworks::testing {

/// A directory on the disk that holds the build, removed with everything in it.
class DiskDirectory {
 public:
  DiskDirectory() {
    std::string pattern = (std::filesystem::path(GLASSWORKS_SCALE_DIR) / "scale-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::system_error(errno, std::generic_category(), pattern);
    path_ = pattern;
  }
  DiskDirectory(const DiskDirectory&) = delete;
  DiskDirectory& operator=(const DiskDirectory&) = delete;
  ~DiskDirectory() { std::filesystem::remove_all(path_); }

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::uintmax_t bytes() const {
    std::uintmax_t sum = 0;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) sum += entry.file_size();
    return sum;
  }

 private:
  std::filesystem::path path_;
};

class Timer {
 public:
  /// Since the start or the last call [s].
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    return seconds;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// Time of this thread, or of all threads, in the program, and in the system for it [s]. Other load on the machine
/// hardly changes it.
struct CpuTime {
  double user = 0.0, system = 0.0;

  static CpuTime now() { return of(RUSAGE_THREAD); }
  static CpuTime of_all_threads() { return of(RUSAGE_SELF); }

 private:
  static CpuTime of(int whose) {
    rusage usage{};
    ::getrusage(whose, &usage);
    const auto seconds = [](const timeval& t) {
      return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    return {seconds(usage.ru_utime), seconds(usage.ru_stime)};
  }
};

inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

inline double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Median time in which the disk takes `bytes` more at the end of a file, synced [s].
inline double sync_seconds(const std::filesystem::path& directory, std::size_t bytes) {
  const std::filesystem::path file = directory / "sync";
  const int descriptor = ::open(file.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  if (descriptor < 0) throw std::system_error(errno, std::generic_category(), file.string());
  const std::vector<char> block(bytes, 'x');
  std::vector<double> seconds;
  for (int i = 0; i < 21; ++i) {
    Timer timer;
    if (::write(descriptor, block.data(), block.size()) != static_cast<ssize_t>(bytes) || ::fsync(descriptor) != 0) {
      throw std::system_error(errno, std::generic_category(), file.string());
    }
    seconds.push_back(timer.lap());
  }
  ::close(descriptor);
  std::filesystem::remove(file);
  return median(seconds);
}

/// Rounds of the size of a real one, L = 8 with 32 slots, two copies and five samples, filled with random numbers.
class SyntheticRounds {
 public:
  static constexpr int L = 8, slots = 32, copies = 2, samples = 5;

  [[nodiscard]] const BinLayout& layout() const { return layout_; }

  [[nodiscard]] SizeRow size() const {
    SizeRow row{.L = L, .temperatures = {}, .observables = {}};
    for (int slot = 0; slot < slots; ++slot) row.temperatures.push_back(0.1 + 0.015 * slot);
    for (int i = 0; i < layout_.size(); ++i) row.observables.push_back(layout_.name(i));
    row.samples = BinLayout(SpinModel{}, layout_.dim(), copies).sample_names();
    return row;
  }

  /// The next round of a realization, not decided about.
  [[nodiscard]] RoundCommit next(const RealizationRow& row) {
    RoundCommit commit;
    commit.key = row.key;
    commit.attempt = row.attempt;
    commit.round = row.rounds;
    commit.state_digest = fmt::format("{:032x}", random_());
    commit.checkpoint = checkpoint_name(row.key, row.rounds + 1, commit.state_digest);
    commit.round_trips = row.round_trips + 3;
    commit.seconds = 1.0;
    RoundRecord& record = commit.record;
    record.measurements = 100;
    const auto reals = [&](int n) {
      std::vector<double> values(static_cast<std::size_t>(n));
      for (double& x : values) x = std::generate_canonical<double, 53>(random_);
      return values;
    };
    record.mean = reals(slots * layout_.size());
    record.walk_mean = reals(slots * copies * walk_functions);
    record.exchange_attempts.assign(slots - 1, 1000);
    record.exchange_accepted.assign(slots - 1, 300 + row.rounds);
    record.walk_up.assign(slots, 90);
    record.walk_down.assign(slots, 110);
    record.round_trips.assign(slots * copies, 1);
    record.samples_per_slot = samples;
    for (const double x : reals(slots * samples * BinLayout(SpinModel{}, layout_.dim(), copies).sample_size())) {
      record.samples.push_back(static_cast<float>(x));
    }
    return commit;
  }

  /// Bytes of the arrays of a round.
  [[nodiscard]] static std::size_t bytes(const RoundRecord& r) {
    return 8 * (r.mean.size() + r.walk_mean.size() + r.exchange_attempts.size() + r.exchange_accepted.size()) +
           4 * (r.walk_up.size() + r.walk_down.size() + r.round_trips.size() + r.samples.size());
  }

 private:
  BinLayout layout_{SpinModel{}, 3, copies};
  std::mt19937_64 random_{1};
};

}  // namespace glassworks::testing
