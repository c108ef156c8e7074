#include "tools/glassworks/new_start.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <linux/close_range.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <numeric>
#include <set>
#include <span>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "kernels/rounds/round_control.hpp"
#include "kernels/series/series_measurer.hpp"

namespace glassworks { inline namespace tools {

struct DeviceWatch::Failures {
  std::mutex mutex;
  std::set<int> devices;     ///< of the run, without those that failed before one was lost
  std::optional<int> lost;   ///< the first of them
  std::string lost_backend;  ///< its description

  void note(int device, const std::string& backend, bool is_lost) {
    const std::lock_guard lock(mutex);
    if (lost) return;
    devices.erase(device);
    if (!is_lost) return;
    lost = device;
    lost_backend = backend;
  }
};

/// The device of a backend.
struct DeviceWatch::WatchedDevice {
  int number;
  std::string description;  ///< of the backend
  std::shared_ptr<Failures> failures;

  /// Calls, and notes a failure that is the fault of the device.
  template <class Call>
  auto noting(const Call& call) const {
    try {
      return call();
    } catch (const DeviceLost&) {
      failures->note(number, description, true);
      throw;
    } catch (const std::bad_alloc&) {  // the memory of the host
      throw;
    } catch (const std::exception&) {
      failures->note(number, description, false);
      throw;
    }
  }
};

class DeviceWatch::WatchedBatch final : public HeldBatch, public SeriesMeasurer {
 public:
  WatchedBatch(std::unique_ptr<HeldBatch> batch, const WatchedDevice& device)
      : batch_(std::move(batch)), device_(device) {}

  RoundOutcome run_round(std::span<RoundRecord> records, RoundControl& control) override {
    return device_.noting([&] { return batch_->run_round(records, control); });
  }
  void set_conditions(const Conditions& conditions, RoundLength length) override {
    device_.noting([&] { batch_->set_conditions(conditions, length); });
  }
  [[nodiscard]] ChainState state(std::size_t task) const override {
    return device_.noting([&] { return batch_->state(task); });
  }
  [[nodiscard]] const ChainState* state_in_memory(std::size_t task) const override {
    return batch_->state_in_memory(task);
  }
  [[nodiscard]] std::vector<StateDigest> digests() const override {
    return device_.noting([&] { return batch_->digests(); });
  }
  [[nodiscard]] SeriesMeasurer* series_measurer() override {
    return batch_->series_measurer() == nullptr ? nullptr : this;
  }
  [[nodiscard]] bool measure(std::size_t first, const SeriesLayout& layout,
                             std::span<const std::vector<KeptSpins>> kept, int threads,
                             std::span<double> rows) override {
    return device_.noting([&] { return batch_->series_measurer()->measure(first, layout, kept, threads, rows); });
  }

 private:
  std::unique_ptr<HeldBatch> batch_;
  const WatchedDevice& device_;
};

class DeviceWatch::WatchedBackend final : public Backend {
 public:
  WatchedBackend(std::unique_ptr<Backend> backend, int device, std::shared_ptr<Failures> failures)
      : backend_(std::move(backend)), device_{device, backend_->description(), std::move(failures)} {}

  RoundOutcome run_round(const Chain& chain, std::span<const RoundTask> batch, RoundControl& control) override {
    return device_.noting([&] { return backend_->run_round(chain, batch, control); });
  }
  [[nodiscard]] std::unique_ptr<HeldBatch> hold(const Chain& chain, std::vector<HeldTask> tasks) override {
    return device_.noting(
        [&] { return std::make_unique<WatchedBatch>(backend_->hold(chain, std::move(tasks)), device_); });
  }
  [[nodiscard]] std::string refusal(const Chain& chain) const override { return backend_->refusal(chain); }
  [[nodiscard]] std::string description() const override { return backend_->description(); }
  [[nodiscard]] int preferred_batch(const Chain& chain) const override {
    return device_.noting([&] { return backend_->preferred_batch(chain); });
  }
  [[nodiscard]] int batch_width(const Chain& chain) const override {
    return device_.noting([&] { return backend_->batch_width(chain); });
  }
  [[nodiscard]] MemoryNeed round_need(const Chain& chain, double disorder) const override {
    return backend_->round_need(chain, disorder);
  }
  [[nodiscard]] std::string kernel_description(const Chain& chain) const override {
    return backend_->kernel_description(chain);
  }

 private:
  std::unique_ptr<Backend> backend_;
  WatchedDevice device_;
};

DeviceWatch::DeviceWatch() : failures_(std::make_shared<Failures>()) {}

std::vector<WorkerBackend> DeviceWatch::watched(std::vector<WorkerBackend> backends) {
  const std::lock_guard lock(failures_->mutex);
  for (WorkerBackend& worker : backends) {
    if (worker.is_processor) continue;
    failures_->devices.insert(worker.device);
    worker.backend = std::make_unique<WatchedBackend>(std::move(worker.backend), worker.device, failures_);
  }
  return backends;
}

bool DeviceWatch::is_consequence(const std::string& backend) const {
  const std::lock_guard lock(failures_->mutex);
  return failures_->lost && failures_->lost_backend != backend;
}

std::vector<int> DeviceWatch::others() const {
  const std::lock_guard lock(failures_->mutex);
  if (!failures_->lost) return {};
  return {failures_->devices.begin(), failures_->devices.end()};
}

std::optional<int> DeviceWatch::lost() const {
  const std::lock_guard lock(failures_->mutex);
  return failures_->lost;
}

NewStart plan_new_start(const std::vector<std::string>& others, const std::string& lost, const std::string& left_out) {
  if (left_out == second_chances_used) return {others, left_out};
  if (!others.empty()) return {others, left_out.empty() ? lost : left_out + "," + lost};
  NewStart start{{}, second_chances_used};
  std::istringstream list(left_out);
  for (std::string device; std::getline(list, device, ',');) start.devices.push_back(device);
  return start;
}

Arguments arguments_of_new_start(const Arguments& arguments, std::size_t devices, std::optional<double> seconds_left) {
  Arguments result;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument.starts_with("--backend.devices=") || argument.starts_with("--time-limit=")) continue;
    if (argument == "--time-limit" || argument == "--backend.devices") {
      ++i;  // its value
      continue;
    }
    result.push_back(argument);
  }
  std::vector<std::size_t> all(devices);
  std::iota(all.begin(), all.end(), std::size_t{0});
  result.push_back(fmt::format("--backend.devices={}", fmt::join(all, ",")));
  if (seconds_left) result.push_back(fmt::format("--time-limit={:.3f}", std::max(*seconds_left, 0.001)));
  return result;
}

void restart_process(const std::string& verb, const Arguments& arguments, const NewStart& start) {
  std::vector<std::string> words{"glassworks", verb};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  std::fflush(nullptr);
  setenv("CUDA_VISIBLE_DEVICES", fmt::format("{}", fmt::join(start.devices, ",")).c_str(), 1);
  setenv(left_out_variable, start.left_out.c_str(), 1);
  // A driver that keeps files open would keep what this process has on the devices.
  (void)close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
  execv("/proc/self/exe", pointers.data());
  throw std::runtime_error(
      fmt::format("the run cannot restart with the remaining devices ({}). Run the same command again with "
                  "another backend.devices; all committed rounds are safe.",
                  std::strerror(errno)));
}

}}  // namespace glassworks::tools
