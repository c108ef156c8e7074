#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/cuda/cluster/device_labelling.hpp"
#include "kernels/cuda/cuda_error.hpp"

namespace glassworks { inline namespace tools { namespace bench {

/// Median and extremes of repeated runs [ms].
struct Times {
  double median = 0.0, least = 0.0, most = 0.0;
  std::vector<std::pair<std::string, double>> stages;  ///< median of each stage
};

/// Times of work on a device by its events: `work` starts it and marks its stages.
class DeviceTimer {
 public:
  DeviceTimer() {
    for (cudaEvent_t& event : events_) check_cuda(cudaEventCreate(&event), "creating an event");
  }
  DeviceTimer(const DeviceTimer&) = delete;
  DeviceTimer& operator=(const DeviceTimer&) = delete;
  ~DeviceTimer() {
    for (const cudaEvent_t event : events_) (void)cudaEventDestroy(event);
  }

  /// Stages: medians over `repeats` runs with marks, each synchronized with the host. Total: time of one run, over
  /// `repeats` sequences of `in_a_row` unmarked runs that the device executes without waiting for the host.
  [[nodiscard]] Times measure(int warm_up, int repeats, const std::function<void(const StageMark&)>& work,
                              int in_a_row = 1) {
    const StageMark no_mark = [](const char*) {};
    for (int run = 0; run < warm_up; ++run) work(no_mark);
    std::vector<std::pair<std::string, std::vector<double>>> stages;
    for (int run = 0; run < repeats; ++run) {
      std::vector<std::string> names;
      check_cuda(cudaEventRecord(events_[0]), "recording an event");
      work([&](const char* stage) {
        names.emplace_back(stage);
        check_cuda(cudaEventRecord(events_[names.size()]), "recording an event");
      });
      check_cuda(cudaEventSynchronize(events_[names.size()]), "waiting for the device");
      stages.resize(names.size());
      for (std::size_t i = 0; i < names.size(); ++i) {
        stages[i].first = names[i];
        stages[i].second.push_back(between(i, i + 1));
      }
    }
    std::vector<double> totals;
    for (int run = 0; run < repeats; ++run) {
      check_cuda(cudaEventRecord(events_[0]), "recording an event");
      for (int i = 0; i < in_a_row; ++i) work(no_mark);
      check_cuda(cudaEventRecord(events_[1]), "recording an event");
      check_cuda(cudaEventSynchronize(events_[1]), "waiting for the device");
      totals.push_back(between(0, 1) / in_a_row);
    }
    Times times{median(totals),
                *std::min_element(totals.begin(), totals.end()),
                *std::max_element(totals.begin(), totals.end()),
                {}};
    for (auto& [name, values] : stages) times.stages.emplace_back(name, median(values));
    return times;
  }

 private:
  [[nodiscard]] double between(std::size_t first, std::size_t last) const {
    float ms = 0.0F;
    check_cuda(cudaEventElapsedTime(&ms, events_[first], events_[last]), "reading an event");
    return static_cast<double>(ms);
  }
  [[nodiscard]] static double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
  }

  cudaEvent_t events_[16] = {};
};

}}}  // namespace glassworks::tools::bench
