#include <algorithm>
#include <vector>

#include "kernels/cuda/cuda_error.hpp"
#include "kernels/cuda/ladder.hpp"
#include "kernels/cuda/shared_memory_limit.hpp"

namespace glassworks { inline namespace cuda {

namespace {

const void* kernel_of(const LadderPlan& plan) {
  return plan.with_fields ? plan.variant->kernel_with_fields : plan.variant->kernel;
}

int device_attribute(cudaDeviceAttr attribute) {
  int device = 0, value = 0;
  check_cuda(cudaGetDevice(&device), "querying the device");
  check_cuda(cudaDeviceGetAttribute(&value, attribute, device), "querying the device");
  return value;
}

}  // namespace

std::string LadderVariant::name() const {
  return kernel_prefix(chain) + "ladder L=" + std::to_string(L) + " depth=" + std::to_string(depth);
}

std::span<const LadderVariant> ladder_variants() {
  static const std::vector<LadderVariant> all = compiled_ladder_sizes();
  return all;
}

int LadderPlan::groups(int blocks) const {
  const int most = most_groups > 0 ? most_groups : bundles();
  return std::min({bundles(), variant->most_threads / variant->group / blocks, most});
}

int LadderPlan::blocks_for(int ladders) const {
  // A warp's time for a sweep where it is alone, in units of what each warp beside it adds: a rough model, which only
  // has to rank few large blocks against many small ones.
  constexpr double alone = 6.0;
  int best = 1;
  double least = 0.0;
  for (int blocks = 1; blocks <= most_blocks; ++blocks) {
    const int places = blocks * multiprocessors, turns = (ladders + places - 1) / places, n = groups(blocks);
    const double warps = static_cast<double>(n) * blocks * variant->group / 32.0;
    const double time = turns * ((bundles() + n - 1) / n) * (alone + warps);
    if (blocks == 1 || time < least) {
      best = blocks;
      least = time;
    }
  }
  return best;
}

std::string LadderPlan::description() const {
  const int n = groups(most_blocks);
  return variant->name() + ", " + std::to_string(n * variant->group) + " threads, " + std::to_string(most_blocks) +
         " blocks per multiprocessor, " + std::to_string(ladder_capacity()) + " ladders of " + std::to_string(slots) +
         " at once";
}

LadderPlan plan_ladder(const LadderVariant& v, int slots, bool with_fields, int most_groups) {
  LadderPlan plan{&v, with_fields, slots, device_attribute(cudaDevAttrMultiProcessorCount), most_groups, 0};
  if (slots > v.most_slots) return plan;
  const int bytes = plan.bundles() * v.bundle_bytes;
  cudaFuncAttributes attributes{};
  if (cudaFuncGetAttributes(&attributes, kernel_of(plan)) != cudaSuccess ||
      raise_shared_memory_limit(kernel_of(plan), bytes) != cudaSuccess) {
    (void)cudaGetLastError();  // more shared memory than the device has
    return plan;
  }
  const int of_block =
      bytes + static_cast<int>(attributes.sharedSizeBytes) + device_attribute(cudaDevAttrReservedSharedMemoryPerBlock);
  const int fitting = device_attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor) / of_block;
  plan.most_blocks = std::min(fitting, v.most_threads / v.group / std::min(plan.bundles(), 4));
  return plan;
}

void launch_ladder(const LadderPlan& plan, const DeviceBatch& batch, std::uint64_t first_step, int steps,
                   cudaStream_t stream) {
  const int ladders = batch.tasks * batch.copies, groups = plan.groups(plan.blocks_for(ladders));
  const auto bytes = static_cast<std::size_t>(plan.bundles() * plan.variant->bundle_bytes);
  const int most = (1 << 30) / plan.bundles();  // steps of a launch: places of the queue are counted in 32 bits
  for (int done = 0; done < steps; done += most) {
    LadderWork work{first_step + static_cast<unsigned>(done), std::min(most, steps - done)};
    DeviceBatch argument = batch;
    void* arguments[] = {&argument, &work};
    const dim3 grid(static_cast<unsigned>(batch.tasks), static_cast<unsigned>(batch.copies));
    const dim3 block(static_cast<unsigned>(groups * plan.variant->group));
    check_cuda(cudaLaunchKernel(kernel_of(plan), grid, block, arguments, bytes, stream), "starting the ladder kernel");
  }
}

}}  // namespace glassworks::cuda
