#include <algorithm>

#include "kernels/cuda/cluster/round/move_pair.cuh"
#include "kernels/cuda/cluster/round/row_moves.hpp"
#include "kernels/cuda/cluster/round/system_launch.cuh"

namespace glassworks { inline namespace cuda {
namespace {

constexpr std::uint32_t most_words = 6000;  ///< of a lattice: 97 KB of shared memory
constexpr unsigned most_move_threads = 256;

/// The place of a word in its row.
struct PlaceInRow {
  std::uint32_t row, word, sites;

  __device__ __forceinline__ PlaceInRow(const RowWords& words, std::uint32_t number) : word(number) {
    row = static_cast<std::uint32_t>(words.row.divide(word));
    sites = min(32U, words.length - 32U * word);
  }
  [[nodiscard]] __device__ __forceinline__ std::uint32_t mask() const { return ~0U >> (32U - sites); }
  /// The first site of the word.
  [[nodiscard]] __device__ __forceinline__ std::uint32_t site(const RowWords& words) const {
    return row * words.length + 32U * word;
  }
};

/// The words beside a word.
struct Neighbours {
  std::uint32_t right, left;        ///< in the row, around its ends
  std::uint32_t last, end_of_left;  ///< place of the last site in the word, and in the one to the left
  std::uint32_t own;
  std::uint32_t up[3] = {}, down[3] = {};  ///< along an axis a > 0 [a - 1]

  __device__ __forceinline__ Neighbours(const RowWords& words, std::uint32_t w, const PlaceInRow& at)
      : last(at.sites - 1), end_of_left(at.word > 0 ? 31 : (words.length - 1) % 32), own(w) {
    const std::uint32_t begin = w - at.word, end = begin + words.words_of_row;
    right = w + 1 < end ? w + 1 : begin;
    left = at.word > 0 ? w - 1 : end - 1;
    unsigned rest = at.row;
    std::uint32_t step = words.words_of_row;
#pragma unroll
    for (int a = 0; a < 3; ++a) {
      if (a + 1 >= words.dim) break;
      unsigned place = rest;
      rest = static_cast<unsigned>(words.axis[a].divide(place));  // place: along the axis
      const std::uint32_t length = words.axis[a].value;
      up[a] = place + 1 < length ? w + step : w - (length - 1) * step;
      down[a] = place > 0 ? w - step : w + (length - 1) * step;
      step *= length;
    }
  }

  /// For each site of the word, the bit of its neighbour along +axis.
  template <class Bits>
  [[nodiscard]] __device__ __forceinline__ std::uint32_t ahead(const Bits* bits, int axis) const {
    if (axis == 0) return bits[own] >> 1 | (bits[right] & 1U) << last;
    return bits[axis == 1 ? up[0] : axis == 2 ? up[1] : up[2]];
  }
};

/// One thread a word and axis of a task.
__global__ void __launch_bounds__(256) present_kernel(unsigned blocks, const __grid_constant__ ClusterBatch batch,
                                                      const __grid_constant__ RowWords words, std::uint32_t* present) {
  const ThreadPlace place(blocks);
  const std::uint32_t all = static_cast<std::uint32_t>(words.dim) * words.words;
  if (place.item >= all) return;
  const auto axis = static_cast<int>(place.item / words.words);
  const PlaceInRow at(words, place.item % words.words);
  std::uint32_t bits = 0;
  for (std::uint32_t i = 0; i < at.sites; ++i) {
    const float J = batch.coupling(static_cast<int>(place.system), axis, at.site(words) + i);
    bits |= (J != 0.0F ? 1U : 0U) << i;
  }
  present[static_cast<std::size_t>(place.system) * all + place.item] = bits;
}

/// What a block holds of a pair, in shared memory.
struct PairMemory {
  std::uint32_t *differs, *reached, *up;  ///< bits of the sites of a word [word]
  std::uint32_t* listed;                  ///< whether a word is on a list, as bits
  std::uint16_t* list[2];                 ///< words to be looked at in this turn, and in the next one

  __device__ __forceinline__ PairMemory(std::uint32_t* memory, std::uint32_t words)
      : differs(memory), reached(memory + words), up(memory + 2 * words), listed(memory + 3 * words) {
    list[0] = reinterpret_cast<std::uint16_t*>(listed + (words + 31) / 32);
    list[1] = list[0] + words;
  }
  [[nodiscard]] static std::size_t bytes(std::uint32_t words) {
    return sizeof(std::uint32_t) * (3 * std::size_t{words} + (words + 31) / 32) + 2 * sizeof(std::uint16_t) * words;
  }
};

/// What the threads of a block tell each other.
struct PairTally {
  std::uint32_t differing;  ///< sites
  std::uint32_t listed[2];  ///< words on each list
  std::uint32_t seed_word, seed_bit;
};

/// A move of one pair by one block.
class PairMove {
 public:
  __device__ __forceinline__ PairMove(const RowWords& words, const MovePair& pair, const PairMemory& memory,
                                      PairTally& tally, const std::uint32_t* present)
      : words_(words), pair_(pair), m_(memory), tally_(tally), present_(present) {}

  /// Whether spins have moved.
  [[nodiscard]] __device__ __forceinline__ bool run() {
    find_differences();
    if (tally_.differing == 0) return false;
    if (threadIdx.x < 32) choose_site(uniform_below(pair_.word, tally_.differing));
    __syncthreads();
    std::uint32_t count = 1;
    for (unsigned turn = 0; count > 0; turn ^= 1U) {
      for (std::uint32_t i = threadIdx.x; i < count; i += blockDim.x) visit(m_.list[turn][i], turn ^ 1U);
      __syncthreads();
      count = tally_.listed[turn ^ 1U];
      if (threadIdx.x == 0) tally_.listed[turn] = 0;
      __syncthreads();
    }
    for (std::uint32_t w = threadIdx.x; w < words_.words; w += blockDim.x) swap(w);
    return true;
  }

  /// How much -E of the first copy has grown [energy scale]: that of the second one has shrunk by as much. Of the words
  /// of this thread.
  [[nodiscard]] __device__ __forceinline__ long long gain(const ClusterBatch& batch) const {
    const float multiplier = batch.common.energy_scale(pair_.task).multiplier();
    long long sum = 0;
    for (std::uint32_t w = threadIdx.x; w < words_.words; w += blockDim.x) {
      const PlaceInRow at(words_, w);
      const Neighbours next(words_, w, at);
      // Bonds with one end in the component, of which it has turned the sign.
      std::uint32_t edge[4] = {}, unequal[4] = {};
#pragma unroll
      for (int axis = 0; axis < 4; ++axis) {
        if (axis >= words_.dim) break;
        edge[axis] = (m_.reached[w] ^ next.ahead(m_.reached, axis)) & at.mask();
        unequal[axis] = m_.up[w] ^ next.ahead(m_.up, axis);
      }
      while ((edge[0] | edge[1] | edge[2] | edge[3]) != 0) {  // all couplings of a turn come in at the same time
        int place[4];
        float J[4];
#pragma unroll
        for (int axis = 0; axis < 4; ++axis) {
          place[axis] = (__ffs(static_cast<int>(edge[axis])) - 1) & 31;
          const std::uint32_t site = at.site(words_) + static_cast<std::uint32_t>(place[axis]);
          J[axis] = edge[axis] != 0 ? batch.coupling(pair_.task, axis, site) : 0.0F;
        }
#pragma unroll
        for (int axis = 0; axis < 4; ++axis) {
          const bool satisfies = ((unequal[axis] >> place[axis]) & 1U) == 0;
          sum -= 2LL * to_fixed_clamped(satisfies ? J[axis] : -J[axis], multiplier);
          edge[axis] &= edge[axis] - 1;
        }
      }
    }
    return sum;
  }

 private:
  /// Fills the arrays and counts the sites that differ. Ends with all threads together.
  __device__ __forceinline__ void find_differences() {
    if (threadIdx.x == 0) tally_ = {};
    __syncthreads();
    std::uint32_t count = 0;
    for (std::uint32_t w = threadIdx.x; w < words_.words; w += blockDim.x) {
      const PlaceInRow at(words_, w);
      const std::uint32_t site = at.site(words_);
      std::uint32_t bits = 0, up = 0;
      for_groups(at.sites, [&](auto group, std::uint32_t first) {
        // Bytes are 0 or 1, and equal at absent sites, which have other ones.
        const std::uint32_t a = load(group, pair_.a + site + first), b = load(group, pair_.b + site + first);
        bits |= bits_of(group, a ^ b) << first;
        up |= bits_of(group, a & 0x01010101U) << first;
      });
      m_.differs[w] = bits;
      m_.reached[w] = 0;
      m_.up[w] = up;
      if (w % 32 == 0) m_.listed[w / 32] = 0;
      count += static_cast<std::uint32_t>(__popc(bits));
    }
    count = __reduce_add_sync(~0U, count);
    if (threadIdx.x % 32 == 0) atomicAdd(&tally_.differing, count);
    __syncthreads();
  }

  /// Sites of a word by fours or, where rows are no multiple of four, by twos: visit(an unsigned number of as many
  /// bytes, first site).
  template <class Visit>
  __device__ __forceinline__ void for_groups(std::uint32_t sites, const Visit& visit) const {
    if (words_.length % 4 == 0) {
      for (std::uint32_t i = 0; i < sites; i += 4) visit(std::uint32_t{}, i);
    } else {
      for (std::uint32_t i = 0; i < sites; i += 2) visit(std::uint16_t{}, i);
    }
  }
  template <class Group>
  [[nodiscard]] static __device__ __forceinline__ std::uint32_t load(Group, const std::uint8_t* from) {
    return *reinterpret_cast<const Group*>(from);
  }
  /// Bytes 0 or 1 as bits.
  template <class Group>
  [[nodiscard]] static __device__ __forceinline__ std::uint32_t bits_of(Group, std::uint32_t bytes) {
    bytes |= bytes >> 7;
    bytes |= bytes >> 14;
    return bytes & (sizeof(Group) == 4 ? 15U : 3U);
  }

  /// The component begins with site number `rank` among those that differ, in ascending order. By one warp.
  __device__ __forceinline__ void choose_site(std::uint32_t rank) {
    const std::uint32_t lane = threadIdx.x;
    for (std::uint32_t first = 0;; first += 32) {  // there is one
      const std::uint32_t bits = first + lane < words_.words ? m_.differs[first + lane] : 0;
      const auto count = static_cast<std::uint32_t>(__popc(bits));
      std::uint32_t up_to = count;
#pragma unroll
      for (unsigned d = 1; d < 32; d *= 2) {
        const std::uint32_t lower = __shfl_up_sync(~0U, up_to, d);
        if (lane >= d) up_to += lower;
      }
      const std::uint32_t all = __shfl_sync(~0U, up_to, 31);
      if (rank >= all) {
        rank -= all;
        continue;
      }
      if (rank < up_to && rank >= up_to - count) {
        std::uint32_t left = bits;
        for (std::uint32_t k = up_to - count; k < rank; ++k) left &= left - 1;
        tally_.seed_word = first + lane;
        tally_.seed_bit = left & (0U - left);
        m_.list[0][0] = static_cast<std::uint16_t>(first + lane);
      }
      return;
    }
  }

  /// Bonds of the sites of a word along an axis that a component may cross.
  [[nodiscard]] __device__ __forceinline__ std::uint32_t present(int axis, std::uint32_t word) const {
    return present_ == nullptr ? ~0U : present_[static_cast<std::uint32_t>(axis) * words_.words + word];
  }

  /// Carries the component into a word and through it, and lists the words that it can enter from there. Other threads
  /// change other words meanwhile: whatever is read of them, the component that is reached in the end is the same.
  __device__ __forceinline__ void visit(std::uint32_t w, unsigned list) {
    const volatile std::uint32_t* const reached = m_.reached;
    atomicAnd(m_.listed + w / 32, ~(1U << (w % 32)));
    const std::uint32_t allowed = m_.differs[w], before = reached[w];
    const PlaceInRow at(words_, w);
    const Neighbours next(words_, w, at);
    std::uint32_t in = before | (w == tally_.seed_word ? tally_.seed_bit : 0);
#pragma unroll
    for (int axis = 1; axis < 4; ++axis) {
      if (axis >= words_.dim) break;
      const std::uint32_t down = next.down[axis - 1];
      in |= (reached[next.up[axis - 1]] & present(axis, w)) | (reached[down] & present(axis, down));
    }
    const std::uint32_t along = present(0, w), from_left = present(0, next.left) >> next.end_of_left & 1U;
    const bool closed = words_.words_of_row == 1;  // the row is its own neighbour
    if (!closed) {
      in |= (reached[next.left] >> next.end_of_left) & from_left;
      in |= (reached[next.right] & (along >> next.last) & 1U) << next.last;
    }
    in = filled(in & allowed, allowed, along);
    if (closed) {
      const std::uint32_t around = ((in >> next.last) & from_left) | (in & from_left) << next.last;
      if ((around & allowed & ~in) != 0) in = filled(in | (around & allowed), allowed, along);
    }
    if (in == before) return;
    m_.reached[w] = in;
#pragma unroll
    for (int axis = 1; axis < 4; ++axis) {
      if (axis >= words_.dim) break;
      enter(next.up[axis - 1], in, list);
      enter(next.down[axis - 1], in, list);
    }
    if (closed) return;
    enter(next.right, in >> next.last & 1U, list);
    enter(next.left, (in & 1U) << next.end_of_left, list);
  }

  /// Runs of sites that differ and are joined, from those of `in` on.
  [[nodiscard]] __device__ __forceinline__ std::uint32_t filled(std::uint32_t in, std::uint32_t allowed,
                                                                std::uint32_t along) const {
    if (present_ == nullptr) {
      // A sum carries each site of `in` through the ones above it.
      const std::uint32_t up = allowed & (~(allowed + in) | in), reverse = __brev(allowed), from = __brev(up);
      return __brev(reverse & (~(reverse + from) | from));
    }
    std::uint32_t up = allowed & (along << 1), down = allowed & along;
#pragma unroll
    for (unsigned d = 1; d < 32; d *= 2) {
      in |= (up & (in << d)) | (down & (in >> d));
      up &= up << d;
      down &= down >> d;
    }
    return in;
  }

  /// Lists a word that sites beside `in` of it may join.
  __device__ __forceinline__ void enter(std::uint32_t w, std::uint32_t in, unsigned list) {
    const volatile std::uint32_t* const reached = m_.reached;
    if ((in & m_.differs[w] & ~reached[w]) == 0) return;
    const std::uint32_t bit = 1U << (w % 32);
    if ((atomicOr(m_.listed + w / 32, bit) & bit) != 0) return;
    m_.list[list][atomicAdd(tally_.listed + list, 1U)] = static_cast<std::uint16_t>(w);
  }

  __device__ __forceinline__ void swap(std::uint32_t w) const {
    const std::uint32_t bits = m_.reached[w];
    if (bits == 0) return;
    const PlaceInRow at(words_, w);
    const std::uint32_t site = at.site(words_);
    for_groups(at.sites, [&](auto group, std::uint32_t first) {
      using Group = decltype(group);
      const std::uint32_t x = bits >> first & (sizeof group == 4 ? 15U : 3U);
      if (x == 0) return;
      const auto flips = static_cast<Group>((x & 1U) | (x & 2U) << 7 | (x & 4U) << 14 | (x & 8U) << 21);
      for (std::uint8_t* const copy : {pair_.a, pair_.b}) *reinterpret_cast<Group*>(copy + site + first) ^= flips;
    });
  }

  const RowWords& words_;
  const MovePair& pair_;
  const PairMemory& m_;
  PairTally& tally_;
  const std::uint32_t* present_;
};

/// One block a pair. gains: whether energy_sum of the step gets the change of -E of both copies. Traffic: a byte of
/// each site, those that move twice.
__global__ void __launch_bounds__(most_move_threads)
    row_move_kernel(const __grid_constant__ ClusterBatch batch, const __grid_constant__ RowWords words,
                    const std::uint32_t* present, const __grid_constant__ UpdateNumber number, bool gains) {
  extern __shared__ std::uint32_t shared[];
  __shared__ PairTally tally;
  const MovePair pair(batch, blockIdx.x, number);
  const std::size_t of_task = static_cast<std::size_t>(words.dim) * words.words;
  const PairMemory memory(shared, words.words);
  PairMove move(words, pair, memory, tally,
                present == nullptr ? nullptr : present + static_cast<std::size_t>(pair.task) * of_task);
  if (!move.run() || !gains) return;
  const long long gain = warp_sum(move.gain(batch));
  if (threadIdx.x % 32 != 0 || gain == 0) return;
  const int replicas = batch.common.replicas();
  const auto add = [&](unsigned system, long long x) {
    const int replica = static_cast<int>(system) % replicas;
    add_atomically(reinterpret_cast<long long*>(batch.common.energy_sum(number.step, pair.task, replica)), x);
  };
  add(pair.first, gain);
  add(pair.second, -gain);
}

RowWords words_of(const Lattice& lattice) {
  RowWords words;
  words.dim = lattice.dim;
  words.length = static_cast<std::uint32_t>(lattice.length(0));
  words.words_of_row = (words.length + 31) / 32;
  words.words = static_cast<std::uint32_t>(lattice.sites() / lattice.length(0)) * words.words_of_row;
  words.row = SmallDivisor(static_cast<int>(words.words_of_row));
  for (int axis = 1; axis < lattice.dim; ++axis) words.axis[axis - 1] = SmallDivisor(lattice.length(axis));
  return words;
}

}  // namespace

bool RowMoves::fit(const Lattice& lattice) {
  if (!lattice.is_hypercubic() || lattice.dim < 2 || lattice.length(0) % 2 != 0) return false;
  return static_cast<double>(lattice.sites()) / lattice.length(0) * ((lattice.length(0) + 31) / 32) <= most_words;
}

double RowMoves::bytes(const Lattice& lattice) {
  return fit(lattice) ? 4.0 * lattice.dim * words_of(lattice).words : 0;
}

void RowMoves::begin(const ClusterBatch& b, bool some_absent, cudaStream_t stream) {
  words_ = words_of(b.common.lattice);
  constexpr std::size_t always_allowed = 48 * 1024;
  const std::size_t bytes = PairMemory::bytes(words_.words);
  if (bytes > always_allowed) allow_shared_memory(row_move_kernel, bytes);
  some_absent_ = some_absent;
  if (!some_absent) return;
  const std::uint32_t all = static_cast<std::uint32_t>(words_.dim) * words_.words;
  std::uint32_t* const d_present = present_.reserve(static_cast<std::size_t>(b.common.tasks) * all);
  const SystemLaunch launch(all);
  launch("finding bonds", present_kernel, b.common.tasks, stream, b, words_, d_present);
}

void RowMoves::move(const ClusterBatch& b, const UpdateNumber& number, bool gains, cudaStream_t stream) const {
  const unsigned threads = words_.words <= 512 ? 32 : words_.words <= 2048 ? 128 : most_move_threads;
  launch_kernel("moving clusters between copies", row_move_kernel, dim3(static_cast<unsigned>(b.swapping_pairs())),
                threads, PairMemory::bytes(words_.words), stream, b, words_, some_absent_ ? present_.data() : nullptr,
                number, gains);
}

}}  // namespace glassworks::cuda
