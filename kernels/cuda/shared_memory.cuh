#pragma once

namespace glassworks { inline namespace cuda {

/// Shared memory by addresses in its window: pointers would be formed anew in every sweep. The order of these accesses
/// against barriers is kept, because all are volatile.
namespace shared_memory {

[[nodiscard]] __device__ __forceinline__ unsigned address(const void* pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}
/// The same place in another block of the cluster.
[[nodiscard]] __device__ __forceinline__ unsigned in_block(unsigned address, int rank) {
  unsigned result;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(result) : "r"(address), "r"(rank));
  return result;
}
[[nodiscard]] __device__ __forceinline__ float load(unsigned address) {
  float x;
  asm volatile("ld.shared.f32 %0, [%1];" : "=f"(x) : "r"(address));
  return x;
}
/// Two floats that follow each other; address: a multiple of 8.
__device__ __forceinline__ void load(unsigned address, float& x, float& y) {
  asm volatile("ld.shared.v2.f32 {%0, %1}, [%2];" : "=f"(x), "=f"(y) : "r"(address));
}
/// address: of the cluster.
__device__ __forceinline__ void load_in_cluster(unsigned address, float& x, float& y) {
  asm volatile("ld.shared::cluster.v2.f32 {%0, %1}, [%2];" : "=f"(x), "=f"(y) : "r"(address));
}
/// address: of the cluster.
[[nodiscard]] __device__ __forceinline__ float load_in_cluster(unsigned address) {
  float x;
  asm volatile("ld.shared::cluster.f32 %0, [%1];" : "=f"(x) : "r"(address));
  return x;
}
__device__ __forceinline__ void store(unsigned address, float x) {
  asm volatile("st.shared.f32 [%0], %1;" ::"r"(address), "f"(x) : "memory");
}
__device__ __forceinline__ void store(unsigned address, float x, float y) {
  asm volatile("st.shared.v2.f32 [%0], {%1, %2};" ::"r"(address), "f"(x), "f"(y) : "memory");
}

}  // namespace shared_memory

/// Number of this block in its cluster; clusters are blocks that follow each other.
template <class Shape>
[[nodiscard]] __device__ __forceinline__ int rank_in_cluster() {
  return Shape::blocks > 1 ? static_cast<int>(blockIdx.x) % Shape::blocks : 0;
}
/// Writes a word into the shared memory of all blocks of the cluster. It is there after a fence and a meeting.
template <class Shape>
__device__ __forceinline__ void write_to_cluster(unsigned address, unsigned word) {
  if constexpr (Shape::blocks > 1) {
#pragma unroll 1
    for (int other = 0; other < Shape::blocks; ++other) {
      asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(shared_memory::in_block(address, other)), "r"(word)
                   : "memory");
    }
  } else {
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(address), "r"(word) : "memory");
  }
}
}}  // namespace glassworks::cuda
