#include "tools/bench/gpu_job.hpp"

#include <chrono>
#include <exception>
#include <future>

#include "base/threads.hpp"

namespace glassworks { inline namespace tools {
void at_once(std::size_t n, const std::function<void(std::size_t)>& work) {
  std::vector<std::exception_ptr> failed(n);
  {
    std::vector<Thread> threads;
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

std::unique_ptr<Backend> backend_of_device(int device, const std::string& kernel) {
  BackendOptions options;
  options.kind = BackendKind::cuda;
  options.device = device;
  options.cuda.kernel = kernel;
  return make_backend(options);
}

GpuJob::GpuJob(const Config& system, const Chain& chain, int device, const std::string& kernel, int batch)
    : chain_(chain), backend_(backend_of_device(device, kernel)), tasks_(static_cast<std::size_t>(batch)) {
  parallel_for(tasks_.size(), hardware_threads(), [&](std::size_t r) {
    tasks_.begin(r, chain_, make_disorder(system, chain_.lattice, static_cast<std::uint32_t>(r)));
  });
}

RoundTimes GpuJob::time_round(int measurements, int from, int exchanges_per_measurement) {
  using Clock = std::chrono::steady_clock;
  constexpr auto look_interval = std::chrono::microseconds(20);
  Chain chain = chain_;
  chain.measurements = measurements;
  chain.protocol.exchanges_per_measurement = exchanges_per_measurement;
  RoundControl control;
  const auto reached = [&, of_one = exchanges_per_measurement * updates_per_step()](int measurement) {
    return static_cast<double>(control.updates.load()) > (measurement - 0.5) * of_one;
  };
  const auto begin = Clock::now();
  const auto seconds = [begin] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
  std::packaged_task<RoundOutcome()> task([&] { return backend_->run_round(chain, tasks_.tasks(), control); });
  std::future<RoundOutcome> round = task.get_future();
  const Thread runner([&] { task(); });
  const auto await = [&](int measurement) {
    while (!reached(measurement) && round.wait_for(look_interval) == std::future_status::timeout) {
    }
    return seconds();
  };
  const double first = await(from), last = await(measurements);
  round.get();
  return {seconds(), last - first};
}

double GpuJob::updates_per_step() const {
  const Protocol& p = chain_.protocol;
  return static_cast<double>(tasks_.size()) * chain_.replicas() * static_cast<double>(chain_.lattice.sites()) *
         p.sweeps_per_exchange * (p.overrelaxation + p.heatbath);
}

}}  // namespace glassworks::tools
