#include "tools/bench/gpu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>

#include "engine/config/config.hpp"
#include "kernels/core/addresses.hpp"
#include "tools/bench/gpu_job.hpp"

namespace glassworks { inline namespace tools {
namespace {

constexpr double T_min = 0.1, T_max = 0.6;
constexpr int n_A = 10;

/// About what ladder.slots = auto gives, even, so that figures of different versions compare; fewer for the largest
/// sizes, which fill a device anyway.
int default_slots(const Lattice& lattice) {
  if (lattice.is_graph()) return 32;
  switch (lattice.L) {
    case 8:
      return 32;
    case 12:
      return 54;
    case 16:
      return 84;
    case 20:
      return 116;
    case 24:
      return 152;
    case 32:
      return 232;
    default:
      return lattice.L > 32 ? 64 : (automatic_slots(lattice, T_min, T_max) + 1) / 2 * 2;
  }
}

/// What the disorder is made of.
Config gpu_system(const GpuBenchOptions& options) {
  Config config;
  config.model.lattice = options.lattice;
  config.model.dim = 3;
  if (options.has_degree()) config.model.graph.degree = options.degree;
  return config;
}

Chain gpu_chain(const GpuBenchOptions& options, int L) {
  Chain chain;
  chain.lattice = gpu_system(options).model.lattice_of(L);
  const bool graph = chain.lattice.is_graph();
  const int components = options.components == 0 && graph ? 3 : options.components;
  if (components == 1) chain.model = {ModelKind::ising, 2, 1};
  if (components > 1) chain.model = {ModelKind::on, 2, components};
  if (options.components == 2 && !graph) chain.local = chiral_overlap;  // as new campaigns of XY glasses have it
  chain.copies = options.copies;
  const int usual_tile = L >= 48 && options.components != 1 && !graph ? 8 : 0;  // sweeps of vectors
  chain.protocol.tile = options.tile >= 0 ? options.tile : usual_tile;
  chain.protocol.overrelaxation = options.components == 1 ? 0 : options.overrelaxation;
  chain.protocol.heatbath = options.heatbath;
  chain.protocol.sweeps_per_exchange = options.sweeps_per_exchange;
  chain.protocol.exchanges_per_measurement = n_A;
  const int slots = options.slots > 0 ? options.slots : default_slots(chain.lattice);
  for (int k = 0; k < slots; ++k) {
    const double x = slots == 1 ? 0.0 : static_cast<double>(k) / (slots - 1);
    chain.beta.push_back(static_cast<float>(1.0 / (T_min * std::pow(T_max / T_min, x))));
  }
  chain.key = lattice_key(1, chain.lattice);
  return chain;
}

/// Lengths of the rounds that are timed. What comes before measurement `first` is left out.
struct Lengths {
  int first = 1, measurements = 2;  ///< n_A = 10
  int sparse_n_A = 1000;            ///< exchanges per measurement, so many that measurements cost almost nothing
};

Lengths choose_lengths(GpuJob& job, double seconds) {
  double per_measurement = seconds;
  for (int m = 1; m < 1000000; m *= 4) {
    const double time = job.time_round(m + 1, 1, n_A).between;
    per_measurement = time / m;
    if (time > 0.1 * seconds) break;
  }
  Lengths l;
  per_measurement = std::max(per_measurement, 1e-6 * seconds);
  l.measurements = std::max(4, static_cast<int>(seconds / per_measurement));
  l.first = l.measurements / 4;
  l.sparse_n_A = n_A * std::clamp(static_cast<int>(0.5 * seconds / per_measurement), 5, 100);
  return l;
}

/// ps per update: between two measurements of a round, and of the whole round.
struct Rates {
  double device = 0.0, wall = 0.0;
};

Rates time_rounds(GpuJob& job, const Lengths& l) {
  const double picoseconds = 1e12 / (n_A * job.updates_per_step());
  const RoundTimes times = job.time_round(l.measurements, l.first, n_A);
  return {picoseconds * times.between / (l.measurements - l.first), picoseconds * times.all / l.measurements};
}

double time_sparse_rounds(GpuJob& job, const Lengths& l) {
  return 1e12 * job.time_round(2, 1, l.sparse_n_A).between / (l.sparse_n_A * job.updates_per_step());
}

/// The same batch on every device at once, a thread each.
void bench_all_devices(const GpuBenchOptions& options, const Lengths& lengths, GpuResult& result) {
  result.devices = static_cast<int>(cuda_devices().size());
  std::deque<GpuJob> jobs;
  for (int device = 0; device < result.devices; ++device) {
    jobs.emplace_back(gpu_system(options), result.chain, device, options.kernel, result.batch);
  }
  std::vector<Rates> rates(jobs.size());
  at_once(jobs.size(), [&](std::size_t i) { rates[i] = time_rounds(jobs[i], {1, 2, 0}); });
  std::vector<double> aggregate, speed_up;
  for (int r = 0; r < options.repeats; ++r) {
    at_once(jobs.size(), [&](std::size_t i) { rates[i] = time_rounds(jobs[i], lengths); });
    double updates_per_ps = 0.0;
    for (const Rates& rate : rates) updates_per_ps += 1.0 / rate.device;
    aggregate.push_back(1.0 / updates_per_ps);
    speed_up.push_back(result.device.median * updates_per_ps);
  }
  result.aggregate = spread_of(aggregate);
  result.speed_up = spread_of(speed_up);
}

}  // namespace

double issue_limit(const CudaDevice& device, double instructions) {
  const double lanes_per_ns = 4.0 * 32.0 * device.multiprocessors * device.clock_GHz;
  return lanes_per_ns > 0.0 ? 1e3 * instructions / lanes_per_ns : 0.0;
}

void check_kernel(const GpuBenchOptions& options) {
  if (options.kernel.empty()) return;
  const auto backend = backend_of_device(options.device, options.kernel);
  for (const int L : options.sizes) {
    const std::string kernel = backend->kernel_description(gpu_chain(options, L));
    if (kernel.starts_with(options.kernel)) continue;
    throw InputError(
        InputFault::unsupported, "--kernel",
        fmt::format("--kernel '{}' cannot be measured for L = {} (no kernel of this name can run it on this device). "
                    "Choose another --kernel or --L; `glassworks doctor` shows what there is.",
                    options.kernel, L));
  }
}

GpuResult bench_gpu(const GpuBenchOptions& options, int L) {
  GpuResult result;
  result.chain = gpu_chain(options, L);
  {
    const auto backend = backend_of_device(options.device, options.kernel);
    result.kernel = backend->kernel_description(result.chain);
    result.batch =
        options.realizations > 0 ? options.realizations : std::max(1, backend->preferred_batch(result.chain));
  }
  const Protocol& p = result.chain.protocol;
  const bool counted = result.chain.model.kind == ModelKind::heisenberg;  // instructions of heisenberg
  result.limit =
      !counted ? 0.0
               : issue_limit(cuda_devices().at(static_cast<std::size_t>(options.device)),
                             (p.overrelaxation * over_relaxation_instructions + p.heatbath * heat_bath_instructions) /
                                 (p.overrelaxation + p.heatbath));
  Lengths lengths;
  {
    GpuJob job(gpu_system(options), result.chain, options.device, options.kernel, result.batch);
    job.time_round(2, 1, n_A);  // warm-up, and away from random spins
    lengths = choose_lengths(job, options.seconds);
    std::vector<double> device, wall, sweeps, share;
    for (int r = 0; r < options.repeats; ++r) {
      const Rates rates = time_rounds(job, lengths);
      const double sparse = time_sparse_rounds(job, lengths);
      // Time per step = s + M / n_A, from two values of n_A.
      const double measuring = (rates.device - sparse) / (1.0 - static_cast<double>(n_A) / lengths.sparse_n_A);
      device.push_back(rates.device);
      wall.push_back(rates.wall);
      sweeps.push_back(rates.device - measuring);
      share.push_back(measuring / rates.device);
    }
    result.device = spread_of(device);
    result.wall = spread_of(wall);
    result.sweeps = spread_of(sweeps);
    result.measurement_share = spread_of(share);
  }
  result.chain.measurements = lengths.measurements;
  result.first_measurement = lengths.first;
  if (options.all_devices) bench_all_devices(options, lengths, result);
  return result;
}

}}  // namespace glassworks::tools
