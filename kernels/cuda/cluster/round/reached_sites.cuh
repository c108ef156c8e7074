#pragma once

#include "kernels/cuda/cluster/round/grown_updates.hpp"

namespace glassworks { inline namespace cuda {

/// The sites that the clusters of an update have reached: in the order in which they were, and a bit for each site of
/// the lattice. Of one block, whose threads see what others have put here after __syncthreads.
class ReachedSites {
 public:
  /// shared: memory.room words, and mark_words where the marks are there. further: the list from `room` on, at its
  /// places [site]. Ends with all threads together.
  __device__ __forceinline__ ReachedSites(const GrowthMemory& memory, unsigned system, std::uint32_t* shared,
                                          std::uint32_t* further)
      : list_(shared),
        further_(further),
        room_(memory.room),
        shared_marks_(memory.d_marks == nullptr),
        marks_(shared_marks_ ? shared + memory.room
                             : memory.d_marks + static_cast<std::size_t>(system) * memory.mark_words) {
    if (shared_marks_) {
      for (std::uint32_t i = threadIdx.x; i < memory.mark_words; i += blockDim.x) marks_[i] = 0;
    }
    __syncthreads();
  }

  [[nodiscard]] __device__ __forceinline__ std::uint32_t at(std::uint32_t place) const {
    return place < room_ ? list_[place] : further_[place];
  }
  __device__ __forceinline__ void put(std::uint32_t place, std::uint32_t site) const {
    (place < room_ ? list_ : further_)[place] = site;
  }
  /// Marks in the memory of the device are read where atomic operations leave them, beyond the first-level cache.
  [[nodiscard]] __device__ __forceinline__ bool has(std::uint32_t site) const {
    const std::uint32_t* const word = marks_ + site / 32;
    const std::uint32_t bits = shared_marks_ ? *static_cast<const volatile std::uint32_t*>(word) : __ldcg(word);
    return ((bits >> (site % 32)) & 1U) != 0;
  }
  /// Marks a site; true for one thread only.
  [[nodiscard]] __device__ __forceinline__ bool take(std::uint32_t site) const {
    const std::uint32_t bit = 1U << (site % 32);
    return (atomicOr(marks_ + site / 32, bit) & bit) == 0;
  }
  /// Clears the marks of the first `count` sites on the list, which are all that are marked. Between two __syncthreads.
  __device__ __forceinline__ void clear(std::uint32_t count) const {
    for (std::uint32_t i = threadIdx.x; i < count; i += blockDim.x) {
      std::uint32_t* const word = marks_ + at(i) / 32;
      if (shared_marks_) {
        *word = 0;
      } else {
        __stcg(word, 0U);
      }
    }
  }

 private:
  std::uint32_t *list_, *further_;
  std::uint32_t room_;
  bool shared_marks_;
  std::uint32_t* marks_;
};

}}  // namespace glassworks::cuda
