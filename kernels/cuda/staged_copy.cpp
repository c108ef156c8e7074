#include "kernels/cuda/staged_copy.hpp"

#include <algorithm>
#include <cstring>

namespace glassworks { inline namespace cuda {

StagedCopy::~StagedCopy() {
  for (cudaEvent_t event : done_) {
    if (event != nullptr) (void)cudaEventDestroy(event);
  }
}

char* StagedCopy::next_half() {
  char* memory = memory_.reserve(2 * half_bytes);
  half_ ^= 1;
  if (done_[half_] == nullptr) {
    check_cuda(cudaEventCreateWithFlags(&done_[half_], cudaEventDisableTiming | cudaEventBlockingSync),
               "preparing a copy");
  } else {
    check_cuda(cudaEventSynchronize(done_[half_]), "copying to the device");
  }
  return memory + static_cast<std::size_t>(half_) * half_bytes;
}

void StagedCopy::send(void* d_to, std::size_t bytes, cudaStream_t stream) {
  const char* from = memory_.data() + static_cast<std::size_t>(half_) * half_bytes;
  check_cuda(cudaMemcpyAsync(d_to, from, bytes, cudaMemcpyHostToDevice, stream), "copying to the device");
  check_cuda(cudaEventRecord(done_[half_], stream), "copying to the device");
}

void StagedCopy::to_device(void* d_to, const void* from, std::size_t bytes, cudaStream_t stream) {
  for (std::size_t begin = 0; begin < bytes; begin += half_bytes) {
    const std::size_t n = std::min(bytes - begin, half_bytes);
    std::memcpy(next_half(), static_cast<const char*>(from) + begin, n);
    send(static_cast<char*>(d_to) + begin, n, stream);
  }
}

void StagedCopy::to_host(void* to, const void* d_from, std::size_t bytes, cudaStream_t stream) {
  char* pending = nullptr;  // the half that is on its way, and where it belongs
  std::size_t pending_begin = 0, pending_bytes = 0;
  int pending_half = 0;
  const auto take = [&] {
    if (pending == nullptr) return;
    check_cuda(cudaEventSynchronize(done_[pending_half]), "copying from the device");
    std::memcpy(static_cast<char*>(to) + pending_begin, pending, pending_bytes);
  };
  for (std::size_t begin = 0; begin < bytes; begin += half_bytes) {
    const std::size_t n = std::min(bytes - begin, half_bytes);
    char* half = next_half();
    check_cuda(cudaMemcpyAsync(half, static_cast<const char*>(d_from) + begin, n, cudaMemcpyDeviceToHost, stream),
               "copying from the device");
    check_cuda(cudaEventRecord(done_[half_], stream), "copying from the device");
    take();
    pending = half;
    pending_half = half_;
    pending_begin = begin;
    pending_bytes = n;
  }
  take();
}

}}  // namespace glassworks::cuda
