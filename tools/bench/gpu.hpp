#pragma once

#include <string>
#include <vector>

#include "engine/config/config.hpp"
#include "kernels/make_backend.hpp"
#include "tools/bench/timing.hpp"

namespace glassworks { inline namespace tools {

struct GpuBenchOptions {
  std::vector<int> sizes{8, 12, 16, 20, 24, 32, 48, 64};
  LatticeChoice lattice = LatticeChoice::hypercubic;
  double degree = 6.0;  ///< of graphs that are drawn by it
  int device = 0;
  bool all_devices = false;  ///< also the same batch on every device at once
  int copies = 2;
  int slots = 0;         ///< 0: by size, about what ladder.slots = auto gives
  int tile = -1;         ///< -1: 8 for vectors without a resident kernel (L >= 48), else the whole lattice
  int realizations = 0;  ///< 0: Backend::preferred_batch
  int overrelaxation = 10, heatbath = 1, sweeps_per_exchange = 1;  ///< n_M, n_B, n_T
  int components = 0;                                              ///< of the vectors of on (1: ising); 0: heisenberg
  std::string kernel;                                              ///< CudaChoices::kernel
  int repeats = 5;
  double seconds = 1.0;  ///< about, of a round

  [[nodiscard]] bool has_degree() const {
    return lattice == LatticeChoice::random_regular || lattice == LatticeChoice::erdos_renyi;
  }
};

/// Instructions of one update, as counted in a kernel that keeps the replica in shared memory: the share of the issue
/// limit is relative to them. Constants until the counters of the final kernels replace them.
constexpr double over_relaxation_instructions = 43.0, heat_bath_instructions = 150.0;

/// Whole rounds of one batch: n_M over-relaxation and n_B heat-bath sweeps n_T times before an exchange, even-odd,
/// n_A = 10; times in ps per spin update.
struct GpuResult {
  Chain chain;  ///< measurements: of a timed round
  int batch = 0;
  int first_measurement = 0;  ///< `device` is timed from its end to that of the last one
  std::string kernel;
  Spread device;               ///< between two measurements: without transfers
  Spread wall;                 ///< whole round with its transfers
  Spread sweeps;               ///< sweeps and exchanges alone
  Spread measurement_share;    ///< of `device`
  double limit = 0.0;          ///< issue limit of the mix; 0: not known
  int devices = 0;             ///< at once; 0: not measured
  Spread aggregate, speed_up;  ///< all devices together: ps per update; over one device

  [[nodiscard]] double share_of_limit() const { return limit / device.median; }
  [[nodiscard]] double replicas() const { return static_cast<double>(batch) * chain.replicas(); }
};

/// What four instructions of 32 lanes per clock and multiprocessor allow, in ps per update.
[[nodiscard]] double issue_limit(const CudaDevice& device, double instructions);

/// Throws InputError where no kernel of the chosen name can run one of the sizes.
void check_kernel(const GpuBenchOptions& options);

/// T = 0.1 to 0.6 geometric, Gaussian couplings.
[[nodiscard]] GpuResult bench_gpu(const GpuBenchOptions& options, int L);

/// Lines about the program, the device and the settings, and the head of the table.
[[nodiscard]] std::string gpu_header(const GpuBenchOptions& options);
[[nodiscard]] std::string gpu_table_line(const GpuResult& result);
/// Settings, provenance and all results; times in ps.
[[nodiscard]] std::string gpu_json(const GpuBenchOptions& options, const std::vector<GpuResult>& results);

}}  // namespace glassworks::tools
