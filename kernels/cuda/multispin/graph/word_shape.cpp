#include <algorithm>
#include <cmath>

#include "kernels/cuda/cuda_devices.hpp"
#include "kernels/cuda/multispin/graph/word_sweeps.hpp"

namespace glassworks { inline namespace cuda {
namespace {

/// Of a step; arbitrary unit. A word of 32 spins takes some logic; what a site takes once, random words above all, is
/// shared by the words, and the couplings that are loaded, by the replicas of a block.
double time_of(const SweepShape& shape, const WordGraphSize& graph, int multiprocessors, int replicas, int groups) {
  const double of_word = 25.0 + 45.0 / shape.form.words + 40.0 / shape.places;
  const double parts = (replicas + shape.places - 1) / shape.places;
  const double blocks = groups * (4.0 / shape.form.words) * parts;
  const double at_once = std::min<double>(shape.blocks_per_multiprocessor, std::ceil(blocks / multiprocessors));
  const double waves = std::ceil(blocks / (static_cast<double>(multiprocessors) * shape.blocks_per_multiprocessor));
  const double busy = std::sqrt(std::min(1.0, at_once * shape.threads / most_sweep_threads));
  return waves * at_once * shape.places * static_cast<double>(graph.sites) * shape.form.words * of_word / busy;
}

}  // namespace

SweepShape choose_graph_sweeps(const SweepKind& kind, int replicas, int groups) {
  const CudaDevice& device = current_cuda_device();
  const WordGraphSize& graph = kind.graph;
  SweepShape best;
  double best_time = 0.0;
  constexpr std::int64_t most_sites = 1 << 16;  // whose places have 16 bits
  if (kind.in_memory || graph.sites > most_sites) return best;
  for (const int words : {4, 2, 1}) {
    if (kind.words != 0 && words != kind.words) continue;
    if (graph_sweep_kernels(kind.rule, kind.in_field, words).resident == nullptr) continue;
    for (int places = 1; places <= replicas; ++places) {
      SweepShape shape;
      shape.form.words = words;
      shape.places = places;
      shape.bytes = GraphBlockBytes(graph, words, places, kind.in_field).total();
      if (shape.bytes > static_cast<std::size_t>(device.shared_memory_per_block_bytes)) break;
      const int warps = std::clamp(graph.largest_colour * places, 1, most_sweep_threads / 32);
      shape.threads = 32 * warps;
      shape.blocks_per_multiprocessor =
          std::min({static_cast<int>(static_cast<std::size_t>(device.shared_memory_bytes) / (shape.bytes + 1024)),
                    most_sweep_threads / shape.threads, 32});
      const double time = time_of(shape, graph, device.multiprocessors, replicas, groups);
      if (best.places == 0 || time < best_time) {
        best = shape;
        best_time = time;
      }
    }
  }
  return best;
}

}}  // namespace glassworks::cuda
