#include "kernels/cuda/multispin/graph/word_sweeps.cuh"
#include "kernels/cuda/multispin/launch_parts.cuh"

namespace glassworks { inline namespace cuda {
namespace {

using multispin::GraphVariant;

template <class V>
GraphSweepKernels kernels_of() {
  GraphSweepKernels kernels{multispin::graph_resident_kernel<V>, nullptr, nullptr};
  if constexpr (V::words == 4) {  // others have shared memory alone
    kernels.sweep = multispin::graph_sweep_kernel<V>;
    kernels.sums = multispin::graph_sums_kernel<V>;
  }
  return kernels;
}

template <MultispinRule rule, bool in_field>
GraphSweepKernels kernels_with(int words) {
#if GLASSWORKS_CUDA_ALL_SIZES
  constexpr bool every_form = true;
#else
  constexpr bool every_form = !in_field;
#endif
  if (words == 4) return kernels_of<GraphVariant<4, rule, in_field>>();
  if constexpr (every_form) {
    if (words == 2) return kernels_of<GraphVariant<2, rule, in_field>>();
    if (words == 1) return kernels_of<GraphVariant<1, rule, in_field>>();
  }
  return {};
}

unsigned blocks_of(std::int64_t warps) {
  constexpr std::int64_t of_block = multispin::memory_threads / 32;
  return static_cast<unsigned>((warps + of_block - 1) / of_block);
}

}  // namespace

/// In a field the rule is in the thresholds.
GraphSweepKernels graph_sweep_kernels(MultispinRule rule, bool in_field, int words) {
  if (in_field) return kernels_with<MultispinRule::heat_bath, true>(words);
  if (rule == MultispinRule::metropolis) return kernels_with<MultispinRule::metropolis, false>(words);
  return kernels_with<MultispinRule::heat_bath, false>(words);
}

void launch_graph_sweeps(const SweepKind& kind, const SweepShape& shape, MultispinBatch& b, const StepPart& part,
                         cudaStream_t stream) {
  const GraphSweepKernels kernels = graph_sweep_kernels(kind.rule, kind.in_field, shape.form.words);
  if (shape.places > 0) return multispin::launch_resident(kernels.resident, shape, b, part, stream);
  const std::int64_t replicas = std::int64_t{b.packs} * b.replicas();
  const std::int64_t parts = (b.replicas() + multispin::replicas_at_once - 1) / multispin::replicas_at_once;
  const unsigned blocks = blocks_of(b.graph.largest_colour * parts * b.packs);
  for (int sweep = part.begin; sweep < part.end; ++sweep) {
    for (int colour = 0; colour < b.graph.colours; ++colour) {
      launch_kernel("starting sweeps", kernels.sweep, dim3(blocks), multispin::memory_threads, 0, stream, b, part.step,
                    sweep, colour);
    }
  }
  if (!part.energies) return;
  multispin::clear_sums(b, b.d_unsatisfied, stream);
  if (b.d_down != nullptr) multispin::clear_sums(b, b.d_down, stream);
  constexpr int share = 64;
  static_assert(share <= multispin::most_counted_chunks && 32 * share <= multispin::most_counted_sites);
  launch_kernel("counting bonds", kernels.sums, dim3(blocks_of((b.graph.chunks + share - 1) / share * replicas)),
                multispin::memory_threads, 0, stream, b, share);
}

}}  // namespace glassworks::cuda
