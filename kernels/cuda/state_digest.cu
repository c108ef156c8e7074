#include "kernels/cuda/cuda_error.hpp"
#include "kernels/cuda/state_digest.hpp"

namespace glassworks { inline namespace cuda {
namespace {

using Word = unsigned long long;

constexpr int lanes = 8;            // accumulators
constexpr std::size_t stripe = 64;  // bytes, 8 for each lane
constexpr int stripes_of_block = 16;
constexpr std::size_t block = stripes_of_block * stripe;
constexpr std::size_t secret_bytes = 192;

constexpr Word prime32_1 = 0x9E3779B1ULL, prime32_2 = 0x85EBCA77ULL, prime32_3 = 0xC2B2AE3DULL;
constexpr Word prime64_1 = 0x9E3779B185EBCA87ULL, prime64_2 = 0xC2B2AE3D27D4EB4FULL, prime64_3 = 0x165667B19E3779F9ULL,
               prime64_4 = 0x85EBCA77C2B2AE63ULL, prime64_5 = 0x27D4EB2F165667C5ULL;

/// The default secret, and the first values of the accumulators.
__constant__ Word secret[secret_bytes / 8] = {
    0xBE4BA423396CFEB8ULL, 0x1CAD21F72C81017CULL, 0xDB979083E96DD4DEULL, 0x1F67B3B7A4A44072ULL, 0x78E5C0CC4EE679CBULL,
    0x2172FFCC7DD05A82ULL, 0x8E2443F7744608B8ULL, 0x4C263A81E69035E0ULL, 0xCB00C391BB52283CULL, 0xA32E531B8B65D088ULL,
    0x4EF90DA297486471ULL, 0xD8ACDEA946EF1938ULL, 0x3F349CE33F76FAA8ULL, 0x1D4F0BC7C7BBDCF9ULL, 0x3159B4CD4BE0518AULL,
    0x647378D9C97E9FC8ULL, 0xC3EBD33483ACC5EAULL, 0xEB6313FAFFA081C5ULL, 0x49DAF0B751DD0D17ULL, 0x9E68D429265516D3ULL,
    0xFCA1477D58BE162BULL, 0xCE31D07AD1B8F88FULL, 0x280416958F3ACB45ULL, 0x7E404BBBCAFBD7AFULL};
__constant__ Word first_accumulators[lanes] = {prime32_3, prime64_1, prime64_2, prime64_3,
                                               prime64_4, prime32_2, prime64_5, prime32_1};

__device__ Word secret_at(std::size_t byte) {
  const std::size_t word = byte / 8;
  const unsigned shift = 8 * static_cast<unsigned>(byte % 8);
  return shift == 0 ? secret[word] : secret[word] >> shift | secret[word + 1] << (64 - shift);
}

/// The sequence of one task.
struct Sequence {
  const std::uint8_t* head;
  const std::uint8_t* body;
  std::size_t head_bytes, total;

  __device__ Sequence(const DigestedBytes& bytes, std::size_t task)
      : head(bytes.d_heads + task * bytes.head_bytes),
        body(bytes.d_bodies + task * bytes.body_bytes),
        head_bytes(bytes.head_bytes),
        total(bytes.head_bytes + bytes.body_bytes) {}

  /// Eight bytes from `at` on, little endian.
  [[nodiscard]] __device__ Word operator()(std::size_t at) const {
    if (at >= head_bytes) return of_body(body + (at - head_bytes));
    Word word = 0;
    for (int i = 7; i >= 0; --i) {
      const std::size_t byte = at + static_cast<std::size_t>(i);
      word = word << 8 | (byte < head_bytes ? head[byte] : body[byte - head_bytes]);
    }
    return word;
  }

 private:
  static __device__ Word of_body(const std::uint8_t* from) {
    const auto address = reinterpret_cast<std::uintptr_t>(from);
    const auto* words = reinterpret_cast<const unsigned*>(address & ~std::uintptr_t{3});
    const unsigned shift = 8 * static_cast<unsigned>(address & 3U);
    const unsigned first = words[0], second = words[1], third = shift == 0 ? 0 : words[2];
    return __funnelshift_r(first, second, shift) | Word{__funnelshift_r(second, third, shift)} << 32;
  }
};

/// What a lane takes from a stripe: its product, and what its neighbour has read. By all lanes together.
__device__ Word accumulated(Word data, Word key) {
  const Word mixed = data ^ key;
  return (mixed & 0xFFFFFFFFULL) * (mixed >> 32) + __shfl_xor_sync(~0U, data, 1);
}

/// Grid: eight threads for each block of 1024 bytes, tasks in y. Cost: 1 B read for each byte.
__global__ void __launch_bounds__(256)
    sum_blocks(const __grid_constant__ DigestedBytes bytes, std::size_t blocks, Word* d_sums) {
  const Sequence sequence(bytes, blockIdx.y);
  const std::size_t thread = std::size_t{blockIdx.x} * 256 + threadIdx.x, lane = thread % lanes;
  const std::size_t number = min(thread / lanes, blocks - 1);  // all threads of a warp meet in the shuffles
  Word sum = 0;
  for (std::size_t i = 0; i < stripes_of_block; ++i) {
    sum += accumulated(sequence(number * block + i * stripe + 8 * lane), secret[i + lane]);
  }
  if (thread / lanes < blocks) d_sums[(blockIdx.y * blocks + number) * lanes + lane] = sum;
}

__device__ Word folded_product(Word a, Word b) { return (a * b) ^ __umul64hi(a, b); }

__device__ Word merged(const Word* accumulators, std::size_t secret_byte, Word start) {
  Word sum = start;
  for (std::size_t i = 0; i < lanes / 2; ++i) {
    sum += folded_product(accumulators[2 * i] ^ secret_at(secret_byte + 16 * i),
                          accumulators[2 * i + 1] ^ secret_at(secret_byte + 16 * i + 8));
  }
  sum = (sum ^ sum >> 37) * 0x165667919E3779F9ULL;
  return sum ^ sum >> 32;
}

/// Blocks of 1024 bytes whose sums are brought to shared memory together, while the chain goes through those before.
constexpr std::size_t chunk = 256;
constexpr unsigned chain_threads = 256;

/// Grid: a block for each task. Its first warp goes through the chain, lanes 8 .. 31 do the same as 0 .. 7; the others
/// bring what it needs.
__global__ void __launch_bounds__(chain_threads)
    chain_blocks(const __grid_constant__ DigestedBytes bytes, std::size_t blocks, const Word* d_sums,
                 std::uint8_t* d_digests) {
  __shared__ Word staged[2][chunk * lanes];
  const Sequence sequence(bytes, blockIdx.x);
  const unsigned lane = threadIdx.x % lanes;
  const bool in_chain = threadIdx.x < 32;
  const Word* sums = d_sums + blockIdx.x * blocks * lanes;
  const auto bring = [&](std::size_t first, unsigned thread, unsigned threads) {
    const std::size_t words = min(chunk, blocks - first) * lanes;
    for (std::size_t i = thread; i < words; i += threads) staged[first / chunk % 2][i] = sums[first * lanes + i];
  };
  const Word scramble = secret[(secret_bytes - stripe) / 8 + lane];
  Word accumulator = first_accumulators[lane];
  if (blocks > 0) bring(0, threadIdx.x, chain_threads);
  for (std::size_t first = 0; first < blocks; first += chunk) {
    __syncthreads();
    if (!in_chain) {
      if (first + chunk < blocks) bring(first + chunk, threadIdx.x - 32, chain_threads - 32);
      continue;
    }
    const Word* of_chunk = staged[first / chunk % 2] + lane;
    const std::size_t count = min(chunk, blocks - first);
#pragma unroll 8
    for (std::size_t n = 0; n < count; ++n) {
      accumulator += of_chunk[n * lanes];
      accumulator = (accumulator ^ accumulator >> 47 ^ scramble) * prime32_1;
    }
  }
  if (!in_chain) return;
  const std::size_t rest = (sequence.total - 1 - blocks * block) / stripe;
  for (std::size_t i = 0; i < rest; ++i) {
    accumulator += accumulated(sequence(blocks * block + i * stripe + 8 * lane), secret[i + lane]);
  }
  constexpr std::size_t secret_of_last = secret_bytes - stripe - 7, secret_of_merge = 11;
  accumulator += accumulated(sequence(sequence.total - stripe + 8 * lane), secret_at(secret_of_last + 8 * lane));
  Word all[lanes];
  for (int i = 0; i < lanes; ++i) all[i] = __shfl_sync(~0U, accumulator, i);
  if (threadIdx.x != 0) return;
  const Word total = sequence.total;
  const Word high = merged(all, secret_bytes - stripe - secret_of_merge, ~(total * prime64_2));
  const Word low = merged(all, secret_of_merge, total * prime64_1);
  for (unsigned i = 0; i < 8; ++i) {
    d_digests[16 * blockIdx.x + i] = static_cast<std::uint8_t>(high >> (56 - 8 * i));
    d_digests[16 * blockIdx.x + 8 + i] = static_cast<std::uint8_t>(low >> (56 - 8 * i));
  }
}

std::size_t whole_blocks(std::size_t total) { return (total - 1) / block; }

}  // namespace

std::size_t digest_scratch(std::size_t total) { return whole_blocks(total) * lanes; }

void launch_digests(const DigestedBytes& bytes, int tasks, unsigned long long* d_scratch, std::uint8_t* d_digests,
                    cudaStream_t stream) {
  const std::size_t blocks = whole_blocks(bytes.total());
  constexpr int most_in_y = 65535;
  for (int first = 0; first < tasks; first += most_in_y) {
    const auto part = static_cast<unsigned>(min(tasks - first, most_in_y));
    const auto skipped = static_cast<std::size_t>(first);
    DigestedBytes of_part = bytes;
    of_part.d_heads += skipped * bytes.head_bytes;
    of_part.d_bodies += skipped * bytes.body_bytes;
    Word* d_sums = d_scratch + skipped * digest_scratch(bytes.total());
    if (blocks > 0) {
      const auto grid = static_cast<unsigned>((blocks * lanes + 255) / 256);
      sum_blocks<<<dim3(grid, part), 256, 0, stream>>>(of_part, blocks, d_sums);
    }
    chain_blocks<<<part, chain_threads, 0, stream>>>(of_part, blocks, d_sums, d_digests + 16 * skipped);
  }
  check_cuda(cudaGetLastError(), "making digests");
}

}}  // namespace glassworks::cuda
