#include <algorithm>
#include <vector>

#include "kernels/cuda/cuda_error.hpp"
#include "kernels/cuda/shared_memory_limit.hpp"
#include "kernels/cuda/tile.hpp"

namespace glassworks { inline namespace cuda {

namespace {

const std::vector<TileVariant>& tile_variants() {
  static const std::vector<TileVariant> all = compiled_tile_sizes();
  return all;
}

const TileVariant* variant_for(const VectorChain& chain, int T) {
  for (const TileVariant& v : tile_variants()) {
    if (v.chain == chain && v.T == T) return &v;
  }
  return nullptr;
}

int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  check_cuda(cudaDeviceGetAttribute(&value, which, device), "querying the device");
  return value;
}

}  // namespace

std::string TileVariant::name() const { return kernel_prefix(chain) + "tile T=" + std::to_string(T); }

std::string TilePlan::description() const {
  return variant->name() + ", " + std::to_string(variant->threads) + " threads, " +
         std::to_string(blocks_per_multiprocessor) + " blocks per multiprocessor, " + std::to_string(item_capacity()) +
         " tiles at once";
}

bool tile_kernel_fits(const Chain& chain) {
  const int T = chain.protocol.tile, L = chain.lattice.L;
  return chain.lattice.dim == 3 && T > 0 && T != L && L % (2 * T) == 0 && chain.protocol.heatbath > 0 &&
         variant_for(vector_chain(chain.model), T) != nullptr;
}

TilePlan plan_tile(const Chain& chain, bool with_fields) {
  const TileVariant& v = *variant_for(vector_chain(chain.model), chain.protocol.tile);
  const void* kernel = v.kernels[with_fields ? 1 : 0][chain.protocol.tile_repeats > 1 ? 1 : 0];
  TilePlan plan{&v, kernel, 0, 0};
  int device = 0;
  check_cuda(cudaGetDevice(&device), "querying the device");
  if (raise_shared_memory_limit(kernel, v.shared_bytes) != cudaSuccess ||
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&plan.blocks_per_multiprocessor, kernel, v.threads,
                                                    static_cast<std::size_t>(v.shared_bytes)) != cudaSuccess) {
    (void)cudaGetLastError();
    return plan;
  }
  // The first-level cache gets what these blocks leave of the memory that it shares with them; 256: for static
  // variables.
  const int shared = plan.blocks_per_multiprocessor *
                     (v.shared_bytes + 256 + attribute(cudaDevAttrReservedSharedMemoryPerBlock, device));
  const int all = attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor, device);
  check_cuda(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                  std::min(100, static_cast<int>((100LL * shared + all - 1) / all))),
             "preparing the tile kernel");
  plan.blocks = plan.blocks_per_multiprocessor * attribute(cudaDevAttrMultiProcessorCount, device);
  return plan;
}

TileSchedule schedule_tiles(const TilePlan& plan, const Lattice& lattice, int tasks, int replicas) {
  const int items = plan.variant->items_per_block;
  const std::int64_t edge = lattice.L / plan.variant->T, groups = tasks * (edge * edge * edge / 2);
  const double least = static_cast<double>(groups) * replicas / plan.item_capacity();
  TileSchedule best{groups, 1, 0.0};
  for (int runs = 1; runs <= std::min(replicas, 256); ++runs) {
    const std::int64_t turns = (groups * runs + plan.blocks - 1) / plan.blocks;
    const int length = (replicas + runs - 1) / runs, replica_turns = (length + items - 1) / items;
    constexpr double couplings = 0.5;  // loading them takes about half as long as a tile
    const double use = least / (static_cast<double>(turns) * (replica_turns + couplings));
    if (use > best.use) best = {groups, runs, use};
  }
  return best;
}

void launch_tile_sweeps(const TilePlan& plan, const DeviceBatch& batch, std::uint64_t step, cudaStream_t stream) {
  const TileVariant& v = *plan.variant;
  const TileSchedule schedule = schedule_tiles(plan, batch.lattice, batch.tasks, batch.replicas());
  TileWork work{step, 0, 0, schedule.runs};
  DeviceBatch argument = batch;
  void* arguments[] = {&argument, &work};
  for (work.t = 0; work.t < batch.protocol.sweeps_per_exchange; ++work.t) {
    for (work.colour = 0; work.colour < 2; ++work.colour) {
      check_cuda(cudaLaunchKernel(plan.kernel, dim3(static_cast<unsigned>(schedule.groups * schedule.runs)),
                                  dim3(static_cast<unsigned>(v.threads)), arguments,
                                  static_cast<std::size_t>(v.shared_bytes), stream),
                 "starting the tile kernel");
    }
  }
}

}}  // namespace glassworks::cuda
