#include <algorithm>
#include <cmath>

#include "kernels/cuda/cuda_devices.hpp"
#include "kernels/cuda/multispin/graph/word_sweeps.hpp"
#include "kernels/cuda/multispin/sweep_job.hpp"

namespace glassworks { inline namespace cuda {

namespace {

/// Kernels that may be compiled, with their times for the update of a word, of one another, as measured on an H200. In
/// d = 4 two replicas together need more registers than there are where couplings are in shared memory.
struct Candidate {
  SweepForm form;
  double time, time_in_four_dimensions;
};
constexpr Candidate candidates[] = {
    {{4, 1, true}, 0.52, 0.52}, {{4, 2, true}, 0.47, 0.62},  {{4, 2, false}, 0.48, 0.48}, {{4, 1, false}, 0.60, 0.56},
    {{2, 2, true}, 0.55, 0.60}, {{2, 2, false}, 0.57, 0.50}, {{2, 1, true}, 0.60, 0.60},  {{2, 1, false}, 0.68, 0.68},
    {{1, 1, true}, 0.85, 0.85}, {{1, 1, false}, 0.95, 0.95}};

/// Clock cycles of a step beside its sweeps, in the same measure: of a launch, and of steps that follow each other.
constexpr double beside_launch = 36000.0, beside_ladder = 8000.0, beside_cluster = 18000.0;

/// Quads of a lattice whose sweeps take less time than a launch.
constexpr int small_quads = 40;

int rounded_up(int n, int to) { return (n + to - 1) / to * to; }
int share_of(int n, int parts) { return (n + parts - 1) / parts; }

int most_threads_of(const SweepShape& shape) {
  return shape.blocks_of_ladder > 0 && shape.form.words * shape.form.together <= 2 ? most_narrow_threads
                                                                                   : most_sweep_threads;
}

/// Bundles of replicas that a group of walkers takes one after the other.
int turns_of(const SweepShape& shape) { return share_of(shape.places / shape.form.together, shape.groups); }

/// Threads of a block: as many groups of walkers as shorten its sweeps, if so many are allowed.
void choose_threads(SweepShape& shape, const HalfLattice& g) {
  const int most = most_threads_of(shape), passes = share_of(g.quads, most);
  shape.walkers = share_of(g.quads, passes);
  if (passes > 1 && g.plane <= most && g.plane >= shape.walkers * 3 / 4) shape.walkers = g.plane;  // Quad::advance
  const int bundles = shape.places / shape.form.together;
  for (int n = 1; n * shape.walkers <= most && n <= bundles; ++n) {
    if (share_of(bundles, n) < turns_of(shape)) shape.groups = n;
  }
  shape.threads = rounded_up(shape.groups * shape.walkers, 32);
  // A warp for each word of each pair: exchanges wait for memory.
  const int exchanging = 32 * share_of(shape.places, 2) * shape.form.words;
  if (shape.blocks_of_ladder > 0) shape.threads = std::max(shape.threads, std::min(exchanging, most_sweep_threads));
}

/// Quads that a thread counts before the warp adds up, which takes as long as counting one and a half.
void choose_counted(SweepShape& shape, const HalfLattice& g) {
  const int warps = shape.threads / 32, most = 255 / (8 * g.dim);  // in eight bits
  double best = 0.0;
  for (int chunks = share_of(g.quads, 32 * most); chunks <= share_of(g.quads, 32); ++chunks) {
    const int counted = share_of(g.quads, 32 * chunks);
    const double time = share_of(shape.places * chunks, warps) * (counted + 1.5);
    if (best > 0.0 && time >= best) continue;
    best = time;
    shape.counted = counted;
  }
}

std::size_t bytes_of(const SweepShape& shape, const HalfLattice& g, const SweepKind& kind) {
  const auto words = static_cast<std::size_t>(shape.form.words), sites = 2 * static_cast<std::size_t>(g.places);
  const std::size_t couplings =
      shape.form.couplings_in_block ? sites * static_cast<std::size_t>(g.dim) * (kind.diluted ? 2 : 1) : 0;
  const std::size_t walkers = shape.blocks_of_ladder > 0 ? 2 * 32 * words * sizeof(std::uint16_t) : 0;
  const std::size_t counts = kind.in_field ? 64 : 32;  // of a word, and the lanes that it exchanges
  const std::size_t thresholds = sizeof(BitThreshold) * static_cast<std::size_t>(kind.thresholds_of_slot());
  const std::size_t of_place = 4 * words * (sites + counts + 1) + thresholds + walkers;
  return 4 * words * couplings + static_cast<std::size_t>(shape.places) * of_place + 8;
}

/// Time of a step. of_word: of the update of a word where a multiprocessor is full
double time_of(const SweepShape& shape, const HalfLattice& g, const CudaDevice& device, double of_word,
               const SweepLoad& load) {
  const int ladder_blocks = shape.blocks_of_ladder;
  const double parts =
      ladder_blocks > 0 ? load.copies * ladder_blocks : share_of(load.copies * load.slots, shape.places);
  const double blocks = load.groups * (4.0 / shape.form.words) * parts, all = device.multiprocessors;
  const double at_once = std::min<double>(shape.blocks_per_multiprocessor, std::ceil(blocks / all));
  const double waves = std::ceil(blocks / (all * shape.blocks_per_multiprocessor));
  const double passes = share_of(g.quads, shape.walkers);
  const int bundles = shape.places / shape.form.together;
  const int sweeping = rounded_up(shape.groups * shape.walkers, 32);
  const double idle = passes * sweeping * turns_of(shape) / (static_cast<double>(g.quads) * bundles);
  const double busy = std::sqrt(std::min(1.0, at_once * sweeping / most_sweep_threads));
  const double sweep = at_once * shape.places * 2.0 * g.places * shape.form.words * of_word * idle / busy;
  return waves * (load.sweeps * sweep + (ladder_blocks == 0   ? beside_launch
                                         : ladder_blocks == 1 ? beside_ladder
                                                              : beside_cluster));
}

/// The rest of a shape whose form, places and blocks_of_ladder are known; false: it does not fit.
bool complete(SweepShape& shape, const HalfLattice& g, const SweepKind& kind, const CudaDevice& device) {
  shape.bytes = bytes_of(shape, g, kind);
  if (shape.bytes > static_cast<std::size_t>(device.shared_memory_per_block_bytes)) return false;
  choose_threads(shape, g);
  choose_counted(shape, g);
  shape.blocks_per_multiprocessor =
      std::min({static_cast<int>(static_cast<std::size_t>(device.shared_memory_bytes) / (shape.bytes + 1024)),
                std::max(1, most_threads_of(shape) / shape.threads), 32});
  return true;
}

}  // namespace

std::string SweepShape::description() const {
  if (places == 0) return "multi-spin coding, spins in device memory";
  return "multi-spin coding, " + std::to_string(32 * form.words) + " realizations and " + std::to_string(places) +
         " replicas to a block of " + std::to_string(threads) + " threads, " +
         std::to_string(blocks_per_multiprocessor) + " blocks per multiprocessor" +
         (blocks_of_ladder == 0   ? ""
          : blocks_of_ladder == 1 ? ", ladders in one block"
                                  : ", ladders in two blocks");
}

SweepShape choose_shape(const SweepKind& kind, const SweepLoad& load) {
  const int replicas = load.copies * load.slots;
  if (kind.lattice.is_graph()) return choose_graph_sweeps(kind, replicas, load.groups);
  const CudaDevice& device = current_cuda_device();
  const HalfLattice g(kind.lattice);
  SweepShape best;
  double best_time = 0.0;
  // Kernels of any size are bound by registers: a ladder is worth its launches saved on small lattices alone.
  const bool ladders =
      load.ladders && (!(kind.in_field || kind.open_ends) || g.quads <= small_quads || kind.blocks_of_ladder > 0);
  const auto offer = [&](const SweepShape& shape, const Candidate& c) {
    const double of_word = kind.lattice.dim == 4 ? c.time_in_four_dimensions : c.time;
    const double time = time_of(shape, g, device, of_word, load);
    if (best.places > 0 && time >= best_time) return;
    best = shape;
    best_time = time;
  };
  for (const Candidate& c : candidates) {
    if (kind.words != 0 && c.form.words != kind.words) continue;
    const SweepKernels kernels = sweep_kernels_for(kind, c.form);
    for (int blocks = 1; ladders && kernels.ladder != nullptr && blocks <= (device.has_clusters() ? 2 : 1); ++blocks) {
      if (kind.blocks_of_ladder >= 0 && blocks != kind.blocks_of_ladder) continue;
      SweepShape shape;
      shape.form = c.form;
      shape.blocks_of_ladder = blocks;
      shape.places = rounded_up(share_of(load.slots, blocks), c.form.together);
      if ((blocks - 1) * shape.places >= load.slots || !complete(shape, g, kind, device)) continue;
      if (blocks > 1 && 2 * g.places > most_sites_at_edge * shape.threads) continue;
      offer(shape, c);
    }
    if (kernels.resident == nullptr || kind.blocks_of_ladder > 0) continue;
    for (int places = c.form.together; places <= rounded_up(replicas, c.form.together); places += c.form.together) {
      SweepShape shape;
      shape.form = c.form;
      shape.places = places;
      if (!complete(shape, g, kind, device)) break;
      offer(shape, c);
    }
  }
  return best;
}

}}  // namespace glassworks::cuda
