#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace glassworks { inline namespace cuda {

/// Byte sequences on the device, one for each task, all of one length: a head, and the body that follows it.
struct DigestedBytes {
  const std::uint8_t* d_heads = nullptr;  ///< [task][head_bytes]
  std::size_t head_bytes = 0;
  const std::uint8_t* d_bodies = nullptr;  ///< [task][body_bytes]; the memory begins and ends at multiples of 4 bytes
  std::size_t body_bytes = 0;

  [[nodiscard]] std::size_t total() const { return head_bytes + body_bytes; }
};

/// XXH3-128 treats sequences of up to 240 bytes in other ways.
inline constexpr std::size_t shortest_digested = 241;

/// Numbers of 64 bits that launch_digests needs for one task.
[[nodiscard]] std::size_t digest_scratch(std::size_t total);

/// XXH3-128 (seed 0) of each sequence, in the canonical order of its bytes. The sums over blocks of 1024 bytes, nearly
/// all of the work, are made in parallel; the chain through the blocks by one warp for each task, 20 ns a block.
///
/// d_scratch  [task][digest_scratch(bytes.total())]
/// d_digests  [task][16]
///
/// Source: the specification of XXH3, https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md
void launch_digests(const DigestedBytes& bytes, int tasks, unsigned long long* d_scratch, std::uint8_t* d_digests,
                    cudaStream_t stream);

}}  // namespace glassworks::cuda
