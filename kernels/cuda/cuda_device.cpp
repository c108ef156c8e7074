#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdio>

#include "kernels/cuda/cuda_devices.hpp"
#include "kernels/cuda/cuda_error.hpp"

namespace glassworks { inline namespace cuda {
namespace {

struct Found {
  std::vector<CudaDevice> devices;
  std::string reason;
};

/// "GPU-01234567-89ab-cdef-0123-456789abcdef"
std::string uuid_text(const cudaUUID_t& uuid) {
  std::string text = "GPU";
  for (int i = 0; i < 16; ++i) {
    if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    char byte[3];
    (void)std::snprintf(byte, sizeof byte, "%02x", static_cast<unsigned char>(uuid.bytes[i]));
    text += byte;
  }
  return text;
}

const Found& found() {
  static const Found result = [] {
    Found f;
    int count = 0;
    const cudaError_t status = cudaGetDeviceCount(&count);
    if (status != cudaSuccess) {
      (void)cudaGetLastError();
      f.reason = cudaGetErrorString(status);
      return f;
    }
    f.reason = "there is none";
    for (int i = 0; i < count; ++i) {
      cudaDeviceProp p{};
      int clock_kHz = 0;
      if (cudaGetDeviceProperties(&p, i) != cudaSuccess) continue;
      if (p.major < 8) {
        f.reason = std::string(p.name) + " is older than compute capability 8.0";
        continue;
      }
      (void)cudaDeviceGetAttribute(&clock_kHz, cudaDevAttrClockRate, i);
      f.devices.push_back(
          {i, p.name, p.major, p.minor, p.multiProcessorCount, static_cast<std::int64_t>(p.totalGlobalMem),
           static_cast<std::int64_t>(p.sharedMemPerBlockOptin), static_cast<std::int64_t>(p.sharedMemPerMultiprocessor),
           static_cast<std::int64_t>(p.l2CacheSize), clock_kHz * 1e-6, uuid_text(p.uuid)});
    }
    (void)cudaGetLastError();
    return f;
  }();
  return result;
}

}  // namespace

const std::vector<CudaDevice>& cuda_devices() { return found().devices; }

const CudaDevice& current_cuda_device() {
  int ordinal = 0;
  check_cuda(cudaGetDevice(&ordinal), "querying the device");
  const auto device = std::ranges::find(cuda_devices(), ordinal, &CudaDevice::ordinal);
  if (device == cuda_devices().end()) check_cuda(cudaErrorInvalidDevice, "querying the device");
  return *device;
}

std::string cuda_unavailable_reason() {
  return cuda_devices().empty() ? "no usable CUDA device was found: " + found().reason : "";
}

}}  // namespace glassworks::cuda
