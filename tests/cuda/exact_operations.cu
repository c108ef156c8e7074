#include <curand_kernel.h>

#include "kernels/cuda/approximate_exp.cuh"
#include "kernels/cuda/curand_words.hpp"
#include "kernels/cuda/device_buffer.hpp"
#include "tests/cuda/exact_operations.hpp"

namespace glassworks::test {
namespace {

enum class Operation { reciprocal, sqrt, approximate_exp };

/// Whether the device's fast path is right for x.
template <Operation operation>
__device__ bool is_right(float x) {
  if constexpr (operation == Operation::reciprocal) {
    return __float_as_uint(exact::reciprocal(x)) == __float_as_uint(__frcp_rn(x));
  } else if constexpr (operation == Operation::sqrt) {
    return __float_as_uint(exact::sqrt(x)) == __float_as_uint(__fsqrt_rn(x));
  } else {
    const double difference = approximate_exp(x) - (1.0 + static_cast<double>(exact::expm1_negative(x)));
    return fabs(difference) < 1.9e-6;
  }
}

constexpr int threads = 256;

/// Every float with bits from `first` to `last`, both included. d_result: number of mismatches, and the smallest bits.
template <Operation operation>
__global__ void compare_kernel(std::uint32_t first, std::uint32_t last, unsigned long long* d_wrong,
                               unsigned* d_first_wrong) {
  const std::uint64_t stride = static_cast<std::uint64_t>(gridDim.x) * blockDim.x;
  unsigned wrong = 0;
  for (std::uint64_t u = first + blockIdx.x * static_cast<std::uint64_t>(blockDim.x) + threadIdx.x; u <= last;
       u += stride) {
    const float x = __uint_as_float(static_cast<std::uint32_t>(u));
    if (is_right<operation>(x)) continue;
    ++wrong;
    atomicMin(d_first_wrong, static_cast<unsigned>(u));
  }
  if (wrong != 0) atomicAdd(d_wrong, static_cast<unsigned long long>(wrong));
}

template <class T>
std::vector<T> copy_back(const T* d_data, std::size_t count) {
  std::vector<T> host(count);
  check_cuda(cudaMemcpy(host.data(), d_data, count * sizeof(T), cudaMemcpyDeviceToHost), "copying results back");
  return host;
}

template <Operation operation>
Exhaustive compare(std::uint32_t first, std::uint32_t last, Exhaustive before = {}) {
  DeviceBuffer<unsigned long long> wrong;
  DeviceBuffer<unsigned> first_wrong;
  check_cuda(cudaMemset(wrong.reserve(1), 0, sizeof(unsigned long long)), "clearing a counter");
  check_cuda(cudaMemset(first_wrong.reserve(1), 0xFF, sizeof(unsigned)), "clearing a counter");
  compare_kernel<operation><<<4096, threads>>>(first, last, wrong.data(), first_wrong.data());
  check_launch("comparing an operation");
  before.checked += static_cast<std::uint64_t>(last) - first + 1;
  before.wrong += copy_back(wrong.data(), 1).front();
  before.first_wrong = min(before.first_wrong, copy_back(first_wrong.data(), 1).front());
  return before;
}

__global__ void philox_kernel(PhiloxKey key, PhiloxRoundKeys round_keys, const PhiloxWords* d_counters,
                              PhiloxOnDevice* d_results, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const std::uint32_t* c = reinterpret_cast<const std::uint32_t*>(&d_counters[i]);
  auto* out = reinterpret_cast<std::uint32_t*>(&d_results[i]);
  const uint4 library = curand_Philox4x32_10(make_uint4(c[0], c[1], c[2], c[3]), make_uint2(key.k0, key.k1));
  std::uint32_t a[4] = {c[0], c[1], c[2], c[3]}, b[4] = {c[0], c[1], c[2], c[3]}, g[4] = {c[0], c[1], c[2], c[3]};
  philox4x32_10(a, key);
  philox4x32_10(b, round_keys);
  philox4x32_10(g, CurandKey(round_keys));
  const std::uint32_t l[4] = {library.x, library.y, library.z, library.w};
  for (int w = 0; w < 4; ++w) {
    out[w] = l[w];
    out[4 + w] = a[w];
    out[8 + w] = b[w];
    out[12 + w] = g[w];
  }
}

__global__ void formulas_kernel(FormulaValues* d_values, std::uint32_t count) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) d_values[i] = evaluate_formulas(i);
}

}  // namespace

Exhaustive check_reciprocal_on_device() { return compare<Operation::reciprocal>(0x00800000U, 0x7E000000U); }

Exhaustive check_sqrt_on_device() {
  return compare<Operation::sqrt>(0x0D800000U, 0x7F7FFFFFU, compare<Operation::sqrt>(0U, 0U));
}

Exhaustive check_approximate_exp_on_device() { return compare<Operation::approximate_exp>(0x80000000U, 0xFF800000U); }

std::vector<PhiloxOnDevice> philox_on_device(PhiloxKey key, const std::vector<PhiloxWords>& counters) {
  DeviceBuffer<PhiloxWords> d_counters;
  DeviceBuffer<PhiloxOnDevice> d_results;
  const auto count = static_cast<int>(counters.size());
  check_cuda(cudaMemcpy(d_counters.reserve(counters.size()), counters.data(), counters.size() * sizeof(PhiloxWords),
                        cudaMemcpyHostToDevice),
             "copying counters");
  philox_kernel<<<(count + threads - 1) / threads, threads>>>(key, PhiloxRoundKeys(key), d_counters.data(),
                                                              d_results.reserve(counters.size()), count);
  check_launch("computing random numbers");
  return copy_back(d_results.data(), counters.size());
}

std::vector<FormulaValues> formulas_on_device(std::uint32_t count) {
  DeviceBuffer<FormulaValues> d_values;
  formulas_kernel<<<(count + threads - 1) / threads, threads>>>(d_values.reserve(count), count);
  check_launch("evaluating formulas");
  return copy_back(d_values.data(), count);
}

}  // namespace glassworks::test
