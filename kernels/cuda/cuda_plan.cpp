#include "kernels/cuda/cuda_plan.hpp"

#include <cstdlib>

namespace glassworks {
namespace {

bool fits(const ResidentVariant& v, const Chain& chain) {
  const Protocol& p = chain.protocol;
  return chain.lattice.dim == 3 && chain.lattice.L == v.L && (p.tile == 0 || p.tile == v.L) && p.heatbath > 0;
}

/// Whether a kernel may be used; `wanted` is empty or the beginning of a name.
bool allowed(const std::string& name, const std::string& wanted) {
  return wanted.empty() || name.compare(0, wanted.size(), wanted) == 0;
}

}  // namespace

std::string CudaPlan::description() const {
  if (kind == Kind::plain) return "plain (one thread per site, spins in device memory)";
  if (kind == Kind::tile) return tile.description();
  return resident.variant->name() + ", " + std::to_string(resident.variant->threads) + " threads, " +
         std::to_string(resident.blocks_per_multiprocessor) + " blocks per multiprocessor, " +
         std::to_string(resident.item_capacity()) + " replicas at once";
}

CudaPlan choose_cuda_plan(const Chain& chain, bool with_fields) {
  const char* variable = std::getenv("GLASSWORKS_CUDA_KERNEL");
  const std::string wanted = variable == nullptr ? "" : variable;
  for (const ResidentVariant& v : resident_variants()) {
    if (!fits(v, chain) || !allowed(v.name(), wanted)) continue;
    const ResidentPlan plan = plan_resident(v, with_fields);
    if (plan.clusters > 0) return {CudaPlan::Kind::resident, plan, {}};
  }
  if (tile_kernel_fits(chain)) {
    const TilePlan plan = plan_tile(chain, with_fields);
    if (plan.blocks > 0 && allowed(plan.variant->name(), wanted)) return {CudaPlan::Kind::tile, {}, plan};
  }
  return {};
}

}  // namespace glassworks
