#include <algorithm>
#include <cmath>

#include "kernels/cuda/cuda_error.hpp"
#include "kernels/cuda/multispin/graph/word_sweeps.hpp"
#include "kernels/cuda/multispin/sweep_job.hpp"

namespace glassworks { inline namespace cuda {

SweepDevice::SweepDevice() {
  int device = 0;
  check_cuda(cudaGetDevice(&device), "querying the device");
  const auto get = [device](int& to, cudaDeviceAttr what) {
    check_cuda(cudaDeviceGetAttribute(&to, what, device), "querying the device");
  };
  get(multiprocessors, cudaDevAttrMultiProcessorCount);
  get(block_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin);
  get(multiprocessor_bytes, cudaDevAttrMaxSharedMemoryPerMultiprocessor);
}

namespace {

/// Kernels that may be compiled, with their times for the update of a word, of one another, as measured on an H200. In
/// d = 4 two replicas together need more registers than there are where couplings are in shared memory.
struct Candidate {
  SweepForm form;
  double time, time_in_four_dimensions;
};
constexpr Candidate candidates[] = {
    {{4, 1, true}, 0.52, 0.52},  {{4, 2, true}, 0.47, 0.62}, {{4, 2, false}, 0.48, 0.48}, {{4, 1, false}, 0.60, 0.56},
    {{2, 2, false}, 0.57, 0.50}, {{1, 1, true}, 0.85, 0.85}, {{1, 1, false}, 0.95, 0.95}};

int rounded_up(int n, int to) { return (n + to - 1) / to * to; }

/// Threads of a block: as many groups of walkers as there are bundles of replicas, if so many are allowed.
void choose_threads(SweepShape& shape, const HalfLattice& g) {
  const int quads = g.quads, most_threads = most_sweep_threads;
  const int passes = (quads + most_threads - 1) / most_threads;
  shape.walkers = (quads + passes - 1) / passes;
  if (passes > 1 && g.plane <= most_threads && g.plane >= shape.walkers * 3 / 4)
    shape.walkers = g.plane;  // Quad::advance
  const int bundles = shape.places / shape.form.together;
  for (int n = 1; n * shape.walkers <= most_threads && n <= bundles; ++n) {
    if (bundles % n == 0) shape.groups = n;
  }
  shape.threads = rounded_up(shape.groups * shape.walkers, 32);
}

std::size_t bytes_of(const SweepShape& shape, const HalfLattice& g, const SweepKind& kind) {
  const auto words = static_cast<std::size_t>(shape.form.words), sites = 2 * static_cast<std::size_t>(g.places);
  const std::size_t couplings =
      shape.form.couplings_in_block ? sites * static_cast<std::size_t>(g.dim) * (kind.diluted ? 2 : 1) : 0;
  const std::size_t of_place = 4 * words * (sites + 33) + 8 * static_cast<std::size_t>(kind.thresholds());
  return 4 * words * couplings + static_cast<std::size_t>(shape.places) * of_place + 8;
}

/// Time of a step. of_word: of the update of a word where a multiprocessor is full
double time_of(const SweepShape& shape, const HalfLattice& g, const SweepDevice& device, double of_word, int replicas,
               int groups) {
  const double parts = (replicas + shape.places - 1) / shape.places;
  const double blocks = groups * (4.0 / shape.form.words) * parts, all = device.multiprocessors;
  const double at_once = std::min<double>(shape.blocks_per_multiprocessor, std::ceil(blocks / all));
  const double waves = std::ceil(blocks / (all * shape.blocks_per_multiprocessor));
  const double passes = (g.quads + shape.walkers - 1) / shape.walkers;
  const double idle = passes * shape.threads / shape.groups / g.quads;
  const double busy = std::sqrt(std::min(1.0, at_once * shape.threads / most_sweep_threads));
  return waves * at_once * shape.places * g.places * shape.form.words * of_word * idle / busy;
}

}  // namespace

std::string SweepShape::description() const {
  if (places == 0) return "multi-spin coding, spins in device memory";
  return "multi-spin coding, " + std::to_string(32 * form.words) + " realizations and " + std::to_string(places) +
         " replicas to a block of " + std::to_string(threads) + " threads, " +
         std::to_string(blocks_per_multiprocessor) + " blocks per multiprocessor";
}

SweepShape choose_shape(const SweepKind& kind, int replicas, int groups) {
  if (kind.lattice.is_graph()) return choose_graph_sweeps(kind, replicas, groups);
  const SweepDevice device;
  const HalfLattice g(kind.lattice);
  SweepShape best;
  double best_time = 0.0;
  for (const Candidate& c : candidates) {
    if (!has_sweeps(kind, c.form)) continue;
    for (int places = c.form.together; places <= rounded_up(replicas, c.form.together); places += c.form.together) {
      SweepShape shape;
      shape.form = c.form;
      shape.places = places;
      shape.bytes = bytes_of(shape, g, kind);
      if (shape.bytes > static_cast<std::size_t>(device.block_bytes)) break;
      choose_threads(shape, g);
      shape.blocks_per_multiprocessor =
          std::min({static_cast<int>(static_cast<std::size_t>(device.multiprocessor_bytes) / (shape.bytes + 1024)),
                    most_sweep_threads / shape.threads, 32});
      const double time =
          time_of(shape, g, device, kind.lattice.dim == 4 ? c.time_in_four_dimensions : c.time, replicas, groups);
      if (best.places == 0 || time < best_time) {
        best = shape;
        best_time = time;
      }
    }
  }
  return best;
}

}}  // namespace glassworks::cuda
