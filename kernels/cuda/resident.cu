#include <algorithm>
#include <vector>

#include "kernels/cuda/cuda_error.hpp"
#include "kernels/cuda/resident.hpp"
#include "kernels/cuda/shared_memory_limit.hpp"

namespace glassworks { inline namespace cuda {

namespace {

/// Launch configuration of a variant; its attribute lives as long as this object.
class Launch {
 public:
  Launch(const ResidentVariant& v, int clusters, cudaStream_t stream) {
    config_.gridDim = dim3(static_cast<unsigned>(clusters * v.blocks));
    config_.blockDim = dim3(static_cast<unsigned>(v.threads));
    config_.dynamicSmemBytes = static_cast<std::size_t>(v.shared_bytes);
    config_.stream = stream;
    cluster_.id = cudaLaunchAttributeClusterDimension;
    cluster_.val.clusterDim = {static_cast<unsigned>(v.blocks), 1, 1};
    config_.attrs = &cluster_;
    config_.numAttrs = v.blocks > 1 ? 1 : 0;
  }
  [[nodiscard]] const cudaLaunchConfig_t* config() const { return &config_; }

 private:
  cudaLaunchConfig_t config_{};
  cudaLaunchAttribute cluster_{};
};

const void* kernel_of(const ResidentVariant& v, bool with_fields) {
  return with_fields ? v.kernel_with_fields : v.kernel;
}

struct Occupancy {
  int blocks_per_multiprocessor = 0, clusters = 0;
};

Occupancy occupancy(const ResidentVariant& v, bool with_fields, int multiprocessors) {
  const void* kernel = kernel_of(v, with_fields);
  const int bytes = v.shared_bytes;
  Occupancy o;
  cudaFuncAttributes compiled{};
  // A thread that requests more registers than exist would wait forever (setmaxnreg).
  if (cudaFuncGetAttributes(&compiled, kernel) != cudaSuccess || compiled.numRegs < v.registers_at_launch) {
    (void)cudaGetLastError();
    return {};
  }
  if (raise_shared_memory_limit(kernel, bytes) != cudaSuccess ||
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&o.blocks_per_multiprocessor, kernel, v.threads,
                                                    static_cast<std::size_t>(bytes)) != cudaSuccess) {
    (void)cudaGetLastError();
    return {};
  }
  o.clusters = o.blocks_per_multiprocessor * multiprocessors;
  if (v.blocks > 1) {
    if (v.blocks > 8) (void)cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    const Launch launch(v, 1, nullptr);
    if (cudaOccupancyMaxActiveClusters(&o.clusters, kernel, launch.config()) != cudaSuccess) {
      (void)cudaGetLastError();
      return {};
    }
  }
  return o;
}

}  // namespace

std::string ResidentVariant::name() const {
  return kernel_prefix(chain) + "resident L=" + std::to_string(L) + " blocks=" + std::to_string(blocks) +
         " depth=" + std::to_string(depth) + " registers=" + std::to_string(registers) +
         (duty_warp ? " duty warp" : "");
}

std::span<const ResidentVariant> resident_variants() {
  static const std::vector<ResidentVariant> all = compiled_resident_sizes();
  return all;
}

ResidentPlan plan_resident(const ResidentVariant& v, bool with_fields) {
  int device = 0, multiprocessors = 0, major = 0, minor = 0;
  check_cuda(cudaGetDevice(&device), "querying the device");
  check_cuda(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device), "querying the device");
  check_cuda(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), "querying the device");
  check_cuda(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device), "querying the device");
  ResidentPlan plan{&v, with_fields, 0, 0};
  if (v.registers_at_launch > 0 && (major != 9 || minor != 0)) return plan;
  if (v.blocks > 1 && major < 9) return plan;
  const Occupancy found = occupancy(v, with_fields, multiprocessors);
  plan.blocks_per_multiprocessor = found.blocks_per_multiprocessor;
  plan.clusters = found.clusters;
  return plan;
}

void launch_resident(const ResidentPlan& plan, const DeviceBatch& batch, std::uint64_t first_step, int steps,
                     cudaStream_t stream) {
  const ResidentVariant& v = *plan.variant;
  const int items = batch.tasks * batch.replicas(), groups = (items + v.items_per_block - 1) / v.items_per_block;
  // Long runs load couplings rarely; short ones keep every block busy when a step ends.
  const int run = std::clamp(groups / (3 * plan.clusters), 1, 8);
  const int most = std::max(1, (1 << 30) / groups);  // steps of a launch: tickets are counted in 32 bits
  for (int done = 0; done < steps; done += most) {
    ResidentWork work{first_step + static_cast<unsigned>(done), std::min(most, steps - done), items, run};
    const Launch launch(v, std::min(groups, plan.clusters), stream);
    DeviceBatch argument = batch;
    void* arguments[] = {&argument, &work};
    check_cuda(cudaMemsetAsync(batch.d_tickets, 0, sizeof(unsigned), stream), "clearing the counter of the work");
    check_cuda(cudaLaunchKernelExC(launch.config(), kernel_of(v, plan.with_fields), arguments),
               "starting the resident kernel");
  }
}

}}  // namespace glassworks::cuda
