#include "tools/glassworks/bench_gpu_job.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>

#include "engine/config.hpp"
#include "tools/glassworks/bench_statistics.hpp"

namespace glassworks {
void at_once(std::size_t n, const std::function<void(std::size_t)>& work) {
  std::vector<std::exception_ptr> failed(n);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < n; ++i) {
      threads.emplace_back([&, i] {
        try {
          work(i);
        } catch (...) {
          failed[i] = std::current_exception();
        }
      });
    }
  }
  for (const std::exception_ptr& f : failed) {
    if (f) std::rethrow_exception(f);
  }
}

std::unique_ptr<Backend> backend_of_device(int device) {
  BackendOptions options;
  options.kind = BackendKind::cuda;
  options.device = device;
  return make_backend(options);
}

GpuJob::GpuJob(const Chain& chain, int device, int batch) : chain_(chain), backend_(backend_of_device(device)) {
  const auto n = static_cast<std::size_t>(batch);
  disorder_.resize(n);
  states_.resize(n);
  records_.resize(n);
  std::atomic<std::size_t> next{0};
  at_once(std::max(1U, std::thread::hardware_concurrency()), [&](std::size_t) {
    for (std::size_t r = next++; r < n; r = next++) {
      disorder_[r] = make_disorder(Config{}, chain_.lattice, static_cast<std::uint32_t>(r));
      states_[r] = initial_state(chain_, static_cast<std::uint32_t>(r));
    }
  });
  for (std::size_t r = 0; r < n; ++r) {
    tasks_.push_back({static_cast<std::uint32_t>(r), &disorder_[r], &states_[r], &records_[r]});
  }
}

double GpuJob::seconds_of_round(int measurements, int exchanges_per_measurement) {
  Chain chain = chain_;
  chain.measurements = measurements;
  chain.protocol.exchanges_per_measurement = exchanges_per_measurement;
  RoundControl control;
  return seconds_of([&] { backend_->run_round(chain, tasks_, control); });
}

double GpuJob::updates_per_step() const {
  const Protocol& p = chain_.protocol;
  return static_cast<double>(tasks_.size()) * chain_.replicas() * static_cast<double>(chain_.lattice.sites()) *
         p.sweeps_per_exchange * (p.overrelaxation + p.heatbath);
}

}  // namespace glassworks
