#pragma once

#include <type_traits>

#include "kernels/core/addresses.hpp"
#include "kernels/cuda/multispin/lane_sums.cuh"
#include "kernels/cuda/multispin/multispin_batch.hpp"
#include "kernels/cuda/multispin/sweep_job.hpp"
#include "kernels/models/multispin.hpp"

/// The update of a quad of sites in all lanes of a pack, and the unsatisfied bonds of it.
namespace glassworks { inline namespace cuda { namespace multispin {

template <int words>
struct alignas(4 * words) Words {
  std::uint32_t word[words];
};

/// What a kernel of sweeps is compiled for. block: couplings are in shared memory; ends: bonds are absent past open
/// ends, and nowhere else if not `absent`
template <int d, int w, bool absent, MultispinRule r, int together, bool block, bool field = false, bool ends = false>
struct Variant {
  static constexpr int dim = d, z = 2 * d;
  static constexpr int words = w;
  static constexpr bool diluted = absent;
  static constexpr MultispinRule rule = r;
  static constexpr int replicas_together = together;  ///< for which couplings are loaded once
  static constexpr bool couplings_in_block = block;
  static constexpr bool in_field = field;
  static constexpr bool open_ends = ends;  ///< all lanes lack the same bonds: no words of absent bonds are read
  static_assert(!(diluted && open_ends));
  using Ends = std::conditional_t<open_ends, QuadEnds, NoEnds>;

  static constexpr int thresholds = deciding_thresholds(rule, z, diluted, in_field);
  static constexpr int spin_bits = in_field ? 2 : 1;  ///< spins +1 and -1 have thresholds of their own in a field
  static constexpr int of_parity = spin_bits * thresholds;
  static constexpr int thresholds_of_slot = (open_ends ? 2 : 1) * of_parity;  ///< of odd m behind those of even m
  static constexpr bool thresholds_by_site = open_ends || in_field;  ///< read at each site: they would fill registers
  /// Metropolis without dilution, where a spin flips if its satisfied bonds are at most half: a few adders do.
  static constexpr bool halves = rule == MultispinRule::metropolis && !diluted && !in_field;
  static constexpr int count_bits = (z == 8 ? 4 : 3) + (diluted ? 1 : 0);  ///< of m in steps
  static constexpr int passed_words = halves ? Sums::half_word_count<z> : count_bits;
  using Site = Words<words>;
};

/// Philox4x32-10 by wide products, whose halves the compiler takes as they are.
__device__ __forceinline__ RandomBlock philox_words(const PhiloxRoundKeys& keys, std::uint32_t c0, std::uint32_t c1,
                                                    std::uint32_t c2, std::uint32_t c3) {
#pragma unroll
  for (int i = 0; i < 10; ++i) {
    unsigned long long a, b;
    asm("mul.wide.u32 %0, %1, 0xD2511F53;" : "=l"(a) : "r"(c0));
    asm("mul.wide.u32 %0, %1, 0xCD9E8D57;" : "=l"(b) : "r"(c2));
    c0 = static_cast<std::uint32_t>(b >> 32) ^ c1 ^ keys.k0[i];
    c1 = static_cast<std::uint32_t>(b);
    c2 = static_cast<std::uint32_t>(a >> 32) ^ c3 ^ keys.k1[i];
    c3 = static_cast<std::uint32_t>(a);
  }
  return {{c0, c1, c2, c3}};
}

[[nodiscard]] __device__ __forceinline__ std::uint32_t turn_right(std::uint32_t x, std::uint32_t by) {
  return __funnelshift_r(x, x, by);
}

/// BitThreshold::passes, whose shift is an addition by the unit that multiplies: that of logic is busier.
[[nodiscard]] __device__ __forceinline__ std::uint32_t passes_of(const BitThreshold& t, std::uint32_t word) {
  std::uint32_t fewer;
  asm("mad.lo.u32 %0, %1, %2, %1;" : "=r"(fewer) : "r"(t.outside), "r"(gridDim.z));  // 1, unknown to the compiler
  return word < t.cut ? fewer : t.outside;
}

/// Neighbours of the sites of a quad, of one replica: each word along x serves two sites, and one along the last axis.
/// Sites of colour 1 are taken from the last one to the first, so that couplings that colour 0 has read last, which are
/// theirs too, come first.
template <class V, int colour, class Geometry>
struct Neighbours {
  typename V::Site column[6], others[4][V::z];  ///< others: those not along x, and not at the same place

  /// What site i needs beside that of the sites before it. other: the other colour of the replica
  __device__ __forceinline__ void load(const Geometry& g, const typename V::Site* other, const Quad& q, int i) {
    const auto at = [&](int direction) { return other[q.neighbour<V::z>(i, colour, direction, g.plane)]; };
    const bool first = colour == 0 ? i == 0 : i == 3 || (g.L % 4 != 0 && i == 1 && q.count == 2);
    if (first || colour == 0) column[i + 2] = at(0);
    if (first) column[i + 1] = at(V::z - 2);
    if (first || colour == 1) column[i] = at(1);
    others[i][V::z - 1] = at(V::z - 1);
#pragma unroll
    for (int k = 2; k + 2 < V::z; ++k) others[i][k] = at(k);
  }
  /// In the order of HalfLattice::direction.
  __device__ __forceinline__ void of(int i, int w, std::uint32_t (&n)[V::z]) const {
    n[0] = column[i + 2].word[w];
    n[1] = column[i].word[w];
#pragma unroll
    for (int k = 2; k + 2 < V::z; ++k) n[k] = others[i][k].word[w];
    n[V::z - 2] = column[i + 1].word[w];
    n[V::z - 1] = others[i][V::z - 1].word[w];
  }
};

/// Place of a coupling of site i of a quad among those of a pack, [direction][place of the site of colour 0]: a site of
/// colour 1 reads those that its neighbours have towards it.
template <int z, int colour, class Geometry>
[[nodiscard]] __device__ __forceinline__ int coupling_place(const Geometry& g, const Quad& q, int i, int direction) {
  if (colour == 0) return direction * g.places + q.base + i * g.plane;
  const int back = direction < z - 2 ? direction ^ 1 : direction;
  return back * g.places + q.neighbour<z>(i, colour, direction, g.plane);
}

/// What the thresholds of a slot let pass, in lanes that are not turned; see flips.
template <class V>
__device__ __forceinline__ void passed(std::uint32_t random, const BitThreshold (&threshold)[V::thresholds],
                                       std::uint32_t (&words)[V::passed_words]) {
  std::uint32_t passes[V::thresholds];
#pragma unroll
  for (int k = 0; k < V::thresholds; ++k) passes[k] = passes_of(threshold[k], random);
  if constexpr (V::halves) {
    Sums::half_words<V::z>(passes, words);
  } else {
    const auto number = Sums::complement<V::count_bits>(passes);
#pragma unroll
    for (int k = 0; k < V::count_bits; ++k) words[k] = number.bit[k];
  }
}

/// Those words for the lanes of a word, which are turned by `by`. words: of spins +1 and -1 in a field; down: spins -1
template <class V>
__device__ __forceinline__ void turn_passed(const std::uint32_t (&words)[V::spin_bits][V::passed_words],
                                            std::uint32_t down, std::uint32_t by,
                                            std::uint32_t (&turned)[V::passed_words]) {
  [[maybe_unused]] std::uint32_t second = 0;  // lanes that are not turned
  if constexpr (V::in_field) second = __funnelshift_l(down, down, by);
#pragma unroll
  for (int k = 0; k < V::passed_words; ++k) {
    std::uint32_t word = words[0][k];
    if constexpr (V::in_field) word ^= (word ^ words[1][k]) & second;
    turned[k] = turn_right(word, by);
  }
}

/// Lanes in which a spin flips: (m in steps) + (thresholds passed) >= (number of thresholds). unsatisfied, absent:
/// bonds; the others: see turn_passed
template <class V>
[[nodiscard]] __device__ __forceinline__ std::uint32_t flips(
    const std::uint32_t (&unsatisfied)[V::z], const std::uint32_t (&absent)[V::z],
    const std::uint32_t (&words)[V::spin_bits][V::passed_words], std::uint32_t down, std::uint32_t by) {
  std::uint32_t turned[V::passed_words];
  turn_passed<V>(words, down, by, turned);
  if constexpr (V::halves) {
    return Sums::reaches_half(unsatisfied, turned);
  } else {
    typename Sums::Number<V::count_bits> number;
#pragma unroll
    for (int k = 0; k < V::count_bits; ++k) number.bit[k] = turned[k];
    if constexpr (V::diluted) {
      return Sums::reaches(Sums::weighted(Sums::count(unsatisfied), Sums::count(absent)), number);
    } else {
      return Sums::reaches(Sums::count(unsatisfied), number);
    }
  }
}

/// Spins and couplings of a pack as a thread sees them, in shared memory or in that of the device.
template <class V>
struct PackView {
  typename V::Site* spins;           ///< of the first replica of the thread [replica][colour][place]
  const typename V::Site* negative;  ///< [direction][place of the site of colour 0]
  const typename V::Site* absent;
  const BitThreshold*
      thresholds;  ///< of the first replica of the thread [replica][parity of m][bit of the spin][threshold]
  std::uint32_t turn[V::words];
};

/// A word of couplings, which nothing changes while they are read.
template <class V>
[[nodiscard]] __device__ __forceinline__ typename V::Site load_coupling(const typename V::Site* from) {
  if constexpr (V::couplings_in_block) {
    return *from;
  } else {
    typename V::Site s;
    if constexpr (V::words == 4) {
      const uint4 words = __ldg(reinterpret_cast<const uint4*>(from));
      s.word[0] = words.x;
      s.word[1] = words.y;
      s.word[2] = words.z;
      s.word[3] = words.w;
    } else if constexpr (V::words == 2) {
      const uint2 words = __ldg(reinterpret_cast<const uint2*>(from));
      s.word[0] = words.x;
      s.word[1] = words.y;
    } else {
      s.word[0] = __ldg(reinterpret_cast<const std::uint32_t*>(from));
    }
    return s;
  }
}

/// Counter words of the random words of a half-sweep, but for the replica.
struct HalfSweepCounter {
  std::uint32_t sweep, group, high;

  __device__ HalfSweepCounter(std::uint64_t number, std::uint32_t group_of_pack)
      : sweep(static_cast<std::uint32_t>(number)),
        group(group_of_pack),
        high(counter_word3(Stream::multispin, 0, number)) {}
};

/// The thresholds of a slot, of one parity of m.
template <class V>
__device__ __forceinline__ void load_thresholds(const BitThreshold* from,
                                                BitThreshold (&to)[V::spin_bits][V::thresholds]) {
#pragma unroll
  for (int k = 0; k < V::of_parity; ++k) to[k / V::thresholds][k % V::thresholds] = from[k];
}

/// One half-sweep of a quad in `replicas` replicas, a multiple of V::replicas_together. first_place: of the first one
template <class V, int colour, class Geometry>
__device__ __forceinline__ void sweep_quad(const Geometry& g, const PackView<V>& view, const Quad& q,
                                           const typename V::Ends& ends, const PhiloxRoundKeys& keys,
                                           const HalfSweepCounter& counter, int first_place, int replicas) {
  using Site = typename V::Site;
  constexpr int together = V::replicas_together;
#pragma unroll 1
  for (int first = 0; first < replicas; first += together) {
    Neighbours<V, colour, Geometry> neighbours[together];
    RandomBlock random[together];
    BitThreshold threshold[together][V::spin_bits][V::thresholds];
    Site* spins[together];
#pragma unroll
    for (int r = 0; r < together; ++r) {
      spins[r] = view.spins + (first + r) * 2 * g.places;
      if constexpr (!V::thresholds_by_site) {
        load_thresholds<V>(view.thresholds + (first + r) * V::thresholds_of_slot, threshold[r]);
      }
      random[r] = philox_words(keys, q.block, counter.sweep, counter.group,
                               counter.high | static_cast<std::uint32_t>(first_place + first + r) << 16);
    }
#pragma unroll
    for (int n = 0; n < 4; ++n) {
      const int i = colour == 0 ? n : 3 - n;
      if (g.L % 4 != 0 && i >= 2 && q.count == 2) continue;
      Site J[V::z], absent[V::z];
#pragma unroll
      for (int k = 0; k < V::z; ++k) {
        const int place = coupling_place<V::z, colour>(g, q, i, k);
        J[k] = load_coupling<V>(view.negative + place);
        if constexpr (V::diluted) absent[k] = load_coupling<V>(view.absent + place);
      }
      const EndsOfSite<V::z> of_site(ends, q.count, i, colour);
      const int at = colour * g.places + q.base + i * g.plane;
#pragma unroll
      for (int r = 0; r < together; ++r) {
        if constexpr (V::thresholds_by_site) {
          const int parity = static_cast<int>(of_site.odd & V::of_parity);
          load_thresholds<V>(view.thresholds + (first + r) * V::thresholds_of_slot + parity, threshold[r]);
        }
        neighbours[r].load(g, spins[r] + (1 - colour) * g.places, q, i);
        Site s = spins[r][at];
        std::uint32_t words[V::spin_bits][V::passed_words];
#pragma unroll
        for (int b = 0; b < V::spin_bits; ++b) passed<V>(random[r].word[i], threshold[r][b], words[b]);
#pragma unroll
        for (int w = 0; w < V::words; ++w) {
          std::uint32_t unsatisfied[V::z], gone[V::z] = {};
          neighbours[r].of(i, w, unsatisfied);
#pragma unroll
          for (int k = 0; k < V::z; ++k) {
            unsatisfied[k] = Sums::parity(unsatisfied[k], s.word[w], J[k].word[w]);
            if constexpr (V::diluted) {
              gone[k] = absent[k].word[w];
              unsatisfied[k] &= ~gone[k];
            }
            if constexpr (V::open_ends) {
              unsatisfied[k] = (unsatisfied[k] & ~of_site.absent[k]) | of_site.unsatisfied[k];
            }
          }
          s.word[w] ^= flips<V>(unsatisfied, gone, words, s.word[w], random[r].word[i] * view.turn[w]);
        }
        spins[r][at] = s;
      }
    }
  }
}

/// Unsatisfied bonds of some quads in each lane, as bits. Spins: what gives the words of a place, [colour][place]
template <int dim, int words, int bits>
struct BondCounter {
  static constexpr int of_site = dim == 4 ? 4 : 3, of_quad = of_site + 2;  ///< bits
  static_assert(bits >= of_quad);
  typename Sums::Number<bits> number[words];

  /// The bonds of the four sites of colour 0 of a quad. load(colour, place): words there; couplings: null for none
  template <class Geometry, class Ends, class Site, class Load>
  __device__ __forceinline__ void add(const Geometry& g, const Quad& q, const Ends& ends, const Load& load,
                                      const Site* negative, const Site* absent) {
    constexpr int z = 2 * dim;
    typename Sums::Number<of_site> one[words];
    typename Sums::Number<of_site + 1> two[2][words];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      if (g.L % 4 != 0 && i >= 2 && q.count == 2) continue;
      const int at = q.base + i * g.plane;
      Site n[z];
#pragma unroll
      for (int k = 0; k < z; ++k) n[k] = load(1, q.template neighbour<z>(i, 0, k, g.plane));
      const Site s = load(0, at);
#pragma unroll
      for (int w = 0; w < words; ++w) {
        std::uint32_t x[z];
#pragma unroll
        for (int k = 0; k < z; ++k) {
          const std::uint32_t J = negative != nullptr ? negative[k * g.places + at].word[w] : 0U;
          x[k] = Sums::parity(n[k].word[w], s.word[w], J);
          if (absent != nullptr) x[k] &= ~absent[k * g.places + at].word[w];
          x[k] &= ~ends.template absent<z>(q.count, i, 0, k);
        }
        if (i % 2 == 0) {
          one[w] = Sums::count(x);
        } else {
          two[i / 2][w] = Sums::total(one[w], Sums::count(x));
        }
      }
    }
#pragma unroll
    for (int w = 0; w < words; ++w) {
      if constexpr (bits == of_quad) {  // of one quad
        number[w] = Sums::total(two[0][w], two[1][w]);
      } else {
        number[w].add(Sums::total(two[0][w], two[1][w]));
      }
    }
  }
  /// Adds the sums over each `threads` threads of a warp to their total[lane].
  template <int threads = 32>
  __device__ __forceinline__ void add_to(int* total) const {
    sum_lanes<words, threads>(number, [total](int lane, int sum) { atomicAdd(total + lane, sum); });
  }
};

/// Adds the spins -1 of sites first to end - 1 of a replica, by a warp, to total[lane]: at most most_down_sites of
/// them.
template <int words>
__device__ __forceinline__ void count_down(const Words<words>* spins, int first, int end, int* total) {
  typename Sums::Number<down_bits> count[words];
#pragma unroll 1
  for (int i = first + static_cast<int>(threadIdx.x & 31U); i < end; i += 4 * 32) {
    Words<words> site[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      site[k] = {};
      if (i + 32 * k < end) site[k] = spins[i + 32 * k];
    }
#pragma unroll
    for (int w = 0; w < words; ++w) {
      const std::uint32_t word[4] = {site[0].word[w], site[1].word[w], site[2].word[w], site[3].word[w]};
      count[w].add(Sums::count(word));
    }
  }
  sum_lanes<words>(count, [total](int lane, int sum) { atomicAdd(total + lane, sum); });
}

/// Most quads whose bonds fit into a number of `bits` bits.
template <int dim, int bits>
constexpr int most_quads = ((1 << bits) - 1) / (8 * dim);

}}}  // namespace glassworks::cuda::multispin
