#pragma once

namespace glassworks {

/// One float of each copy, and its way from and to shared memory. Addresses are numbers in the shared window: pointers
/// would be formed anew in every sweep. The order of these accesses against barriers is kept, because all are volatile.
template <int copies>
struct Pack;
template <>
struct Pack<1> {
  float value;
  [[nodiscard]] __device__ __forceinline__ float get(int) const { return value; }
  __device__ __forceinline__ void put(int, float x) { value = x; }
  static __device__ __forceinline__ Pack load(unsigned address) {
    Pack p;
    asm volatile("ld.shared.f32 %0, [%1];" : "=f"(p.value) : "r"(address));
    return p;
  }
  static __device__ __forceinline__ Pack load_remote(unsigned address) {
    Pack p;
    asm volatile("ld.shared::cluster.f32 %0, [%1];" : "=f"(p.value) : "r"(address));
    return p;
  }
  __device__ __forceinline__ void store(unsigned address) const {
    asm volatile("st.shared.f32 [%0], %1;" ::"r"(address), "f"(value) : "memory");
  }
};
template <>
struct Pack<2> {
  float a, b;
  [[nodiscard]] __device__ __forceinline__ float get(int copy) const { return copy == 0 ? a : b; }
  __device__ __forceinline__ void put(int copy, float x) { (copy == 0 ? a : b) = x; }
  static __device__ __forceinline__ Pack load(unsigned address) {
    Pack p;
    asm volatile("ld.shared.v2.f32 {%0, %1}, [%2];" : "=f"(p.a), "=f"(p.b) : "r"(address));
    return p;
  }
  static __device__ __forceinline__ Pack load_remote(unsigned address) {
    Pack p;
    asm volatile("ld.shared::cluster.v2.f32 {%0, %1}, [%2];" : "=f"(p.a), "=f"(p.b) : "r"(address));
    return p;
  }
  __device__ __forceinline__ void store(unsigned address) const {
    asm volatile("st.shared.v2.f32 [%0], {%1, %2};" ::"r"(address), "f"(a), "f"(b) : "memory");
  }
};

}  // namespace glassworks
