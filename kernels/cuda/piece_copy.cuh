#pragma once

#include "kernels/cuda/shared_memory.cuh"

namespace glassworks { inline namespace cuda {

/// Copies contiguous pieces between device memory and shared memory while the threads work on: by the bulk copies of
/// compute capability 9.0; before it, reading by asynchronous copies of the first warp, writing by all threads.
/// Addresses and lengths of pieces are multiples of 16 bytes.
namespace piece_copy {

#if __CUDA_ARCH__ >= 900
constexpr bool in_bulk = true;
#else
constexpr bool in_bulk = false;
#endif

struct Piece {
  unsigned shared;  ///< address in shared memory
  float* global;
  unsigned bytes;
  bool exists = true;  ///< false: read as a repetition of another one, never written
};

/// Piece n of the Shape::pieces of a slab, which begins at the address `shared`.
///
/// spins  of a replica of `sites` sites in device memory
/// first  site of the replica with which the slab begins
template <class Shape>
[[nodiscard]] __device__ __forceinline__ Piece piece_of_slab(int n, unsigned shared, float* spins, int sites, int first,
                                                             bool exists) {
  const int group = n / Shape::pieces_of_group, part = n % Shape::pieces_of_group;
  const int width = Shape::width(group), before = Shape::first_component(group);
  constexpr int length = Shape::padding > 0 ? Shape::chunk_floats : Shape::chunks * Shape::chunk_floats;
  constexpr int stride = length + Shape::padding;  // of a component, as length
  return {shared + 4U * static_cast<unsigned>(before * Shape::component_stride + part * width * stride),
          spins + before * sites + width * (first + part * length), 4U * static_cast<unsigned>(width * length), exists};
}
/// Bytes of a slab without padding.
template <class Shape>
constexpr unsigned slab_bytes = 4U * Shape::components* Shape::chunks* Shape::chunk_floats;

/// Prepares a barrier (8 bytes of shared memory) on which the arrival of a fetch is awaited. By one thread.
__device__ __forceinline__ void prepare(unsigned barrier) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(barrier), "r"(in_bulk ? 1 : 32));
#if __CUDA_ARCH__ >= 900
  asm volatile("fence.proxy.async;" ::: "memory");
#endif
}

/// Prepares a barrier at which `count` threads arrive. By one thread.
__device__ __forceinline__ void prepare_for(unsigned barrier, unsigned count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(barrier), "r"(count));
}
__device__ __forceinline__ void arrive(unsigned barrier) {
  asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(barrier) : "memory");
}
/// Instead of a fetch, where nothing comes in. By the lanes of a warp.
__device__ __forceinline__ void arrive_without_fetch(unsigned barrier, int lane) {
  if (!in_bulk || lane == 0) arrive(barrier);
}

/// Starts reading `pieces` pieces, 32 at most, of `bytes` bytes together. By the lanes 0 .. 31 of a warp; whatever
/// writes to these places of shared memory and of device memory is done.
template <class PieceOf>
__device__ __forceinline__ void fetch(int lane, int pieces, unsigned bytes, const PieceOf& piece_of, unsigned barrier) {
#if __CUDA_ARCH__ >= 900
  if (lane == 0) {
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
  }
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncwarp();
  if (lane < pieces) {
    const Piece p = piece_of(lane);
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(p.shared),
        "l"(p.global), "r"(p.bytes), "r"(barrier)
        : "memory");
  }
#else
  for (int n = 0; n < pieces; ++n) {
    const Piece p = piece_of(n);
    for (unsigned i = 16 * static_cast<unsigned>(lane); i < p.bytes; i += 512) {
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(p.shared + i), "l"(p.global + i / 4) : "memory");
    }
  }
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(barrier) : "memory");
#endif
}

/// Whether the fetch number n = 0, 1, ... of a barrier has come in; parity = n mod 2. By every thread that reads.
[[nodiscard]] __device__ __forceinline__ bool has_arrived(unsigned barrier, unsigned parity) {
  unsigned done;
  asm volatile("{\n.reg .pred p;\nmbarrier.test_wait.parity.shared.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
               : "=r"(done)
               : "r"(barrier), "r"(parity)
               : "memory");
  return done != 0;
}

/// Waits for it.
__device__ __forceinline__ void await_fetch(unsigned barrier, unsigned parity) {
#if __CUDA_ARCH__ >= 900
  unsigned done;
  do {
    asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
                 : "=r"(done)
                 : "r"(barrier), "r"(parity)
                 : "memory");
  } while (done == 0);
#else
  while (!has_arrived(barrier, parity)) {
  }
#endif
}

/// Before the barrier that comes before a store: what this thread wrote to shared memory can be copied.
__device__ __forceinline__ void publish() {
#if __CUDA_ARCH__ >= 900
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
}

/// Starts writing pieces to device memory, 32 at most. By threads 0 .. threads - 1 of a block.
template <class PieceOf>
__device__ __forceinline__ void store(int thread, [[maybe_unused]] int threads, int pieces, const PieceOf& piece_of) {
#if __CUDA_ARCH__ >= 900
  if (thread < pieces) {
    const Piece p = piece_of(thread);
    if (p.exists) {
      asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(p.global), "r"(p.shared),
                   "r"(p.bytes)
                   : "memory");
    }
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
  }
#else
  for (int n = 0; n < pieces; ++n) {
    const Piece p = piece_of(n);
    if (!p.exists) continue;
    for (auto i = static_cast<unsigned>(thread); i < p.bytes / 4; i += static_cast<unsigned>(threads)) {
      p.global[i] = shared_memory::load(p.shared + 4 * i);
    }
  }
#endif
}

/// Waits until all that the calling threads started to store has been read. By whole warps.
__device__ __forceinline__ void await_reading() {
#if __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
#endif
  __syncwarp();
}

/// Asks the second-level cache for pieces, 32 at most. By the lanes 0 .. 31 of a warp.
template <class PieceOf>
__device__ __forceinline__ void prefetch(int lane, int pieces, const PieceOf& piece_of) {
#if __CUDA_ARCH__ >= 900
  __syncwarp();
  if (lane < pieces) {
    const Piece p = piece_of(lane);
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(p.global), "r"(p.bytes) : "memory");
  }
#endif
}

/// Waits until all that the calling threads started to store is in device memory. By whole warps.
__device__ __forceinline__ void await_store() {
#if __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
#endif
  __syncwarp();
}

}  // namespace piece_copy
}}  // namespace glassworks::cuda
