#include "kernels/cuda/multispin/graph/word_sweeps.hpp"
#include "kernels/cuda/multispin/launch_parts.cuh"

namespace glassworks { inline namespace cuda {

SweepKernels sweep_kernels_for(const SweepKind& kind, const SweepForm& form) {
  const int dim = kind.lattice.dim;
  return dim == 2   ? sweep_kernels<2>(kind, form)
         : dim == 3 ? sweep_kernels<3>(kind, form)
                    : sweep_kernels<4>(kind, form);
}

void prepare_sweeps(const SweepKind& kind, const SweepShape& shape) {
  if (kind.lattice.is_graph()) {
    if (shape.places == 0) return;
    return allow_shared_memory(graph_sweep_kernels(kind.rule, kind.in_field, shape.form.words).resident, shape.bytes);
  }
  if (shape.places == 0) return;
  const SweepKernels kernels = sweep_kernels_for(kind, shape.form);
  if (shape.blocks_of_ladder == 0) return allow_shared_memory(kernels.resident, shape.bytes);
  allow_shared_memory(kernels.ladder, shape.bytes);
}

void launch_ladders(const SweepKind& kind, const SweepShape& shape, const MultispinBatch& batch, std::uint64_t step,
                    int steps, cudaStream_t stream) {
  const auto blocks_of_ladder = static_cast<unsigned>(shape.blocks_of_ladder);
  const auto ladders = static_cast<unsigned>(batch.packs * batch.common.copies);
  cudaLaunchAttribute attributes[2]{};
  attributes[0].id = cudaLaunchAttributeClusterDimension;
  attributes[0].val.clusterDim.x = blocks_of_ladder;
  attributes[0].val.clusterDim.y = attributes[0].val.clusterDim.z = 1;
  attributes[1].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attributes[1].val.programmaticStreamSerializationAllowed = 1;
  launch_with(attributes, overlaps_kernels() ? 2 : 0, "starting sweeps", sweep_kernels_for(kind, shape.form).ladder,
              dim3(ladders * blocks_of_ladder), static_cast<unsigned>(shape.threads), shape.bytes, stream, batch, shape,
              step, steps);
}

void launch_sweeps(const SweepKind& kind, const SweepShape& shape, MultispinBatch& batch, const StepPart& part,
                   cudaStream_t stream) {
  if (kind.lattice.is_graph()) return launch_graph_sweeps(kind, shape, batch, part, stream);
  const SweepKernels kernels = sweep_kernels_for(kind, shape.form);
  if (shape.places > 0) return multispin::launch_resident(kernels.resident, shape, batch, part, stream);
  const std::int64_t replicas = std::int64_t{batch.packs} * batch.replicas();
  const auto blocks = static_cast<unsigned>((replicas * batch.lattice.quads + 255) / 256);
  for (int half = 2 * part.begin; half < 2 * part.end; ++half) {
    launch_kernel("starting sweeps", kernels.half_sweep, dim3(blocks), 256, 0, stream, batch, part.step, half);
  }
  if (!part.energies) return;
  multispin::clear_sums(batch, batch.d_unsatisfied, stream);
  const int of_warp = bond_quads(batch.lattice.dim);
  const auto chunks = static_cast<unsigned>((batch.lattice.quads + of_warp - 1) / of_warp);
  launch_kernel("counting bonds", kernels.bonds, dim3(static_cast<unsigned>(replicas), chunks), 32, 0, stream, batch);
  if (kernels.down == nullptr) return;
  multispin::clear_sums(batch, batch.d_down, stream);
  const auto parts = static_cast<unsigned>((2 * batch.lattice.places + most_down_sites - 1) / most_down_sites);
  launch_kernel("counting spins", kernels.down, dim3(static_cast<unsigned>(replicas), parts), 32, 0, stream, batch);
}

}}  // namespace glassworks::cuda
