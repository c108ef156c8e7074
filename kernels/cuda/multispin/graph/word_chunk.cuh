#pragma once

#include "kernels/cuda/multispin/quad_sweep.cuh"

/// The update of the sites of a chunk (WordChunk) in all lanes of a pack, and the unsatisfied bonds of it.
namespace glassworks { inline namespace cuda { namespace multispin {

/// What kernels for words on graphs are compiled for.
template <int w, MultispinRule r, bool field>
struct GraphVariant {
  static constexpr int words = w;
  static constexpr MultispinRule rule = r;
  static constexpr bool in_field = field;
  using Site = Words<words>;
};

/// The code of a site with up to `room` bonds, as Variant is that of a quad: see passed, turn_passed and flips. Bonds
/// that are not there are satisfied; thresholds past the number of bonds let everything pass.
template <class V, int room>
struct RoomVariant {
  static constexpr int z = room;
  static constexpr int words = V::words;
  static constexpr bool diluted = false;
  static constexpr bool in_field = V::in_field;
  static constexpr int thresholds = deciding_thresholds(V::rule, room, false, in_field);
  static constexpr int spin_bits = in_field ? 2 : 1;
  static constexpr bool halves = V::rule == MultispinRule::metropolis && !in_field && room <= 8;
  static constexpr int count_bits = room <= 6 ? 3 : room == 8 ? 4 : 5;
  static constexpr int passed_words = halves ? Sums::half_word_count < room <= 8 ? room : 8 > : count_bits;
  using Site = Words<words>;
};

/// Spins, links and couplings of a pack as a warp sees them.
template <class V, class Place>
struct GraphView {
  typename V::Site* spins;  ///< [replica][place], in shared memory or in that of the device
  int sites;
  const std::uint32_t* site;  ///< [place]
  const Place* neighbour;     ///< [row][32]
  const typename V::Site* negative;
  const BitThreshold* thresholds;  ///< of the first replica [replica][threshold]
  int thresholds_of_slot;
  std::uint32_t turn[V::words];
};

/// A word of a block by its number.
[[nodiscard]] __device__ __forceinline__ std::uint32_t word_of(const RandomBlock& block, std::uint32_t number) {
  const std::uint32_t low = (number & 1U) != 0 ? block.word[1] : block.word[0];
  const std::uint32_t high = (number & 1U) != 0 ? block.word[3] : block.word[2];
  return (number & 2U) != 0 ? high : low;
}

template <int words>
[[nodiscard]] __device__ __forceinline__ Words<words> load_links(const Words<words>* from) {
  Words<words> s;
  if constexpr (words == 4) {
    const uint4 all = __ldg(reinterpret_cast<const uint4*>(from));
    s.word[0] = all.x;
    s.word[1] = all.y;
    s.word[2] = all.z;
    s.word[3] = all.w;
  } else if constexpr (words == 2) {
    const uint2 all = __ldg(reinterpret_cast<const uint2*>(from));
    s.word[0] = all.x;
    s.word[1] = all.y;
  } else {
    s.word[0] = __ldg(reinterpret_cast<const std::uint32_t*>(from));
  }
  return s;
}

/// Links k < n of a site: where they lead, and their couplings. degree: of the sites of the chunk
template <class V, class Place, int n>
struct SiteLinks {
  int to[n];
  typename V::Site negative[n];

  /// full: n links are there
  template <bool full>
  __device__ __forceinline__ void load(const GraphView<V, Place>& view, const WordChunk& chunk, int lane, int first) {
#pragma unroll
    for (int k = 0; k < n; ++k) {
      if (full || first + k < chunk.degree) {
        const std::int64_t link = chunk.link(first + k, lane);
        to[k] = static_cast<int>(__ldg(view.neighbour + link));
        negative[k] = load_links(view.negative + link);
      } else {  // the site itself, which satisfies the bond
        to[k] = chunk.first + lane;
        negative[k] = {};
      }
    }
  }
  /// Of the spin s: its unsatisfied bonds in each lane of word w.
  template <bool full>
  __device__ __forceinline__ void neighbours(const typename V::Site* spins, int degree, int first,
                                             const typename V::Site& s, typename V::Site (&next)[n]) const {
#pragma unroll
    for (int k = 0; k < n; ++k) next[k] = full || first + k < degree ? spins[to[k]] : s;
  }
  __device__ __forceinline__ void unsatisfied(const typename V::Site (&next)[n], const typename V::Site& s, int w,
                                              std::uint32_t (&x)[n]) const {
#pragma unroll
    for (int k = 0; k < n; ++k) x[k] = next[k].word[w] ^ s.word[w] ^ negative[k].word[w];
  }
};

/// What the random word of a site lets pass in a replica.
template <class R>
struct SiteChance {
  std::uint32_t random;
  std::uint32_t words[R::spin_bits][R::passed_words];

  __device__ __forceinline__ SiteChance(std::uint32_t word, const BitThreshold* thresholds) : random(word) {
#pragma unroll
    for (int b = 0; b < R::spin_bits; ++b) {
      BitThreshold threshold[R::thresholds];
#pragma unroll
      for (int k = 0; k < R::thresholds; ++k) threshold[k] = thresholds[b * R::thresholds + k];
      passed<R>(word, threshold, words[b]);
    }
  }
};

/// One sweep of the site of a thread in some replicas; first_place: of the first one. room: at least the number of its
/// bonds; full: as many. Couplings are loaded once.
template <class V, int room, bool full, class Place>
__device__ __forceinline__ void update_site(const GraphView<V, Place>& view, const WordChunk& chunk, int lane,
                                            const PhiloxRoundKeys& keys, const HalfSweepCounter& counter,
                                            int first_place, int first, int end) {
  using R = RoomVariant<V, room>;
  using Site = typename V::Site;
  constexpr int at_once = room <= 8 ? room : 8;  // more of them do not fit into registers
  const int place = chunk.first + lane;
  const std::uint32_t site = __ldg(view.site + place);
  SiteLinks<V, Place, at_once> links;
  if constexpr (room <= 8) links.template load<full>(view, chunk, lane, 0);
#pragma unroll 1
  for (int r = first; r < end; ++r) {
    Site* const spins = view.spins + std::int64_t{r} * view.sites;
    const RandomBlock block = philox_words(keys, site / 4, counter.sweep, counter.group,
                                           counter.high | static_cast<std::uint32_t>(first_place + r) << 16);
    const SiteChance<R> chance(word_of(block, site % 4),
                               view.thresholds + r * view.thresholds_of_slot + chunk.thresholds);
    Site s = spins[place], next[at_once];
    if constexpr (room <= 8) {
      links.template neighbours<full>(spins, chunk.degree, 0, s, next);
#pragma unroll
      for (int w = 0; w < V::words; ++w) {
        std::uint32_t x[room], none[room] = {};
        links.unsatisfied(next, s, w, x);
        s.word[w] ^= flips<R>(x, none, chance.words, s.word[w], chance.random * view.turn[w]);
      }
    } else {
      typename Sums::Number<R::count_bits> m[V::words];
#pragma unroll 1
      for (int k = 0; k < room; k += at_once) {
        links.template load<false>(view, chunk, lane, k);
        links.template neighbours<false>(spins, chunk.degree, k, s, next);
#pragma unroll
        for (int w = 0; w < V::words; ++w) {
          std::uint32_t x[at_once];
          links.unsatisfied(next, s, w, x);
          m[w].add(Sums::count(x));
        }
      }
#pragma unroll
      for (int w = 0; w < V::words; ++w) {
        typename Sums::Number<R::count_bits> turned;
        turn_passed<R>(chance.words, s.word[w], chance.random * view.turn[w], turned.bit);
        s.word[w] ^= Sums::reaches(m[w], turned);
      }
    }
    spins[place] = s;
  }
}

/// One sweep of the sites of a chunk by a warp in replicas first .. end - 1 of a view.
template <class V, class Place>
__device__ __forceinline__ void sweep_chunk(const GraphView<V, Place>& view, const WordChunk& chunk,
                                            const PhiloxRoundKeys& keys, const HalfSweepCounter& counter,
                                            int first_place, int first, int end) {
  const auto lane = static_cast<int>(threadIdx.x & 31U);
  if (lane >= chunk.count) return;
  const auto update = [&]<int room, bool full>() {
    update_site<V, room, full>(view, chunk, lane, keys, counter, first_place, first, end);
  };
  if (chunk.degree == 6) return update.template operator()<6, true>();
  if (chunk.degree == 4) return update.template operator()<4, true>();
  switch (chunk.room) {
    case 4:
      return update.template operator()<4, false>();
    case 6:
      return update.template operator()<6, false>();
    case 8:
      return update.template operator()<8, false>();
    default:
      return update.template operator()<16, false>();
  }
}

/// Sums of bits over the threads of a warp and what they count, in each lane. All threads of the warp take part.
template <int words>
class LaneCounter {
 public:
  static constexpr int most = (1 << 14) - 1;  ///< in a thread

  /// largest: what the numbers cannot exceed, the same in all threads
  template <int bits>
  __device__ __forceinline__ void add(const typename Sums::Number<bits> (&number)[words], int largest) {
    if (in_few_ + largest > 63) settle();
    in_few_ += largest;
    total_ += largest;
#pragma unroll
    for (int w = 0; w < words; ++w) few_[w].add(number[w]);
  }
  /// Adds them to total[lane].
  __device__ __forceinline__ void add_to(int* total) {
    settle();
#pragma unroll
    for (int w = 0; w < words; ++w) {
      int sum = 0;
#pragma unroll
      for (int k = 0; k < 14; ++k) {
        if (1 << k <= total_) sum += sum_of_lane(many_[w].bit[k]) << k;
      }
      atomicAdd(total + 32 * w + static_cast<int>(threadIdx.x & 31U), sum);
    }
  }

 private:
  __device__ __forceinline__ void settle() {
#pragma unroll
    for (int w = 0; w < words; ++w) {
      many_[w].add(few_[w]);
      few_[w] = {};
    }
    in_few_ = 0;
  }

  typename Sums::Number<6> few_[words];
  typename Sums::Number<14> many_[words];
  int in_few_ = 0, total_ = 0;
};

/// Chunks whose bonds a warp may count: no thread has more than 16 of each.
constexpr int most_counted_chunks = LaneCounter<1>::most / most_multispin_bonds;

/// Adds the bonds of a chunk whose later ends are not in it. load(place): words there; negative: null for products
template <int words, class Place, class Load>
__device__ __forceinline__ void count_bonds_of(LaneCounter<words>& counter, const WordChunk& chunk,
                                               const Place* neighbour, const Words<words>* negative, const Load& load) {
  using Site = Words<words>;
  const auto lane = static_cast<int>(threadIdx.x & 31U);
  const int place = chunk.first + lane;
  const bool is_there = lane < chunk.count;
  Site s{};
  if (is_there) s = load(place);
#pragma unroll 1
  for (int first = 0; first < chunk.later; first += 4) {
    std::uint32_t x[words][4];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      Site product{};
      if (is_there && first + k < chunk.later) {
        const std::int64_t link = chunk.link(first + k, lane);
        const auto to = static_cast<int>(__ldg(neighbour + link));
        if (to > place) {
          product = load(to);
          Site J{};
          if (negative != nullptr) J = load_links(negative + link);
#pragma unroll
          for (int w = 0; w < words; ++w) product.word[w] ^= s.word[w] ^ J.word[w];
        }
      }
#pragma unroll
      for (int w = 0; w < words; ++w) x[w][k] = product.word[w];
    }
    typename Sums::Number<3> number[words];
#pragma unroll
    for (int w = 0; w < words; ++w) number[w] = Sums::count(x[w]);
    counter.add(number, min(4, chunk.later - first));
  }
}

/// Adds the bits of places begin .. end - 1, at most most_counted_sites. at(n): words of the n-th of them
constexpr int most_counted_sites = 32 * (LaneCounter<1>::most / 4 * 4);
template <int words, class At>
__device__ __forceinline__ void count_bits_of(LaneCounter<words>& counter, int begin, int end, const At& at) {
#pragma unroll 1
  for (int n = begin; n < end; n += 4 * 32) {
    std::uint32_t x[words][4];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const int i = n + 32 * k + static_cast<int>(threadIdx.x & 31U);
      Words<words> s{};
      if (i < end) s = at(i);
#pragma unroll
      for (int w = 0; w < words; ++w) x[w][k] = s.word[w];
    }
    typename Sums::Number<3> number[words];
#pragma unroll
    for (int w = 0; w < words; ++w) number[w] = Sums::count(x[w]);
    counter.add(number, 4);
  }
}

}}}  // namespace glassworks::cuda::multispin
