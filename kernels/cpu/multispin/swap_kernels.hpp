#pragma once

#include "kernels/core/bit_sums.hpp"
#include "kernels/cpu/multispin/multispin_table.hpp"

namespace glassworks { inline namespace cpu {

/// Isoenergetic moves (isoenergetic_move) of all lanes at once. A cluster grows over the lattice in both directions by
/// turns until no lane gains a site: ten to thirty passes at the sizes and temperatures of glasses.
///
/// V: a vector of words; words: from a site to the next
template <class V, int words>
struct SwapKernels {
  static V load(const std::uint32_t* from) {
    V v;
    __builtin_memcpy(&v, from, sizeof v);
    return v;
  }
  static void store(std::uint32_t* to, const V& v) { __builtin_memcpy(to, &v, sizeof v); }
  static bool any(const V& v) {
    std::uint64_t half[sizeof(V) / 8], bits = 0;
    __builtin_memcpy(half, &v, sizeof v);
    for (const std::uint64_t h : half) bits |= h;
    return bits != 0;
  }

  /// Finds the sites that differ and, among them, the seed of each lane: the site at which the countdown of the lane
  /// overflows.
  static void find_seeds(const MultispinSwap& job) {
    V number[MultispinSwap::most_bits];
    for (int k = 0; k < job.bits; ++k) number[k] = load(job.countdown + k * words);
    for (std::int64_t i = 0; i < job.geometry->sites; ++i) {
      V carry = load(job.a + i * words) ^ load(job.b + i * words);
      store(job.differing + i * words, carry);
      for (int k = 0; k < job.bits; ++k) {
        const V next = number[k] & carry;
        number[k] ^= carry;
        carry = next;
      }
      store(job.reached + i * words, carry);
    }
  }

  /// Takes sites first, first + step, ... that differ and have a neighbour that is reached. Returns whether there were
  /// any.
  template <int z, bool diluted>
  static bool grow(const MultispinSwap& job, std::int64_t first, std::int64_t step) {
    const MultispinGeometry& g = *job.geometry;
    V gained{};
    for (std::int64_t n = 0, i = first; n < g.sites; ++n, i += step) {
      const V old = load(job.reached + i * words);
      V near{};
#pragma GCC unroll 8
      for (int bond = 0; bond < z; ++bond) {
        const std::int64_t neighbour = g.neighbour[i * z + bond];
        V x = load(job.reached + neighbour * words);
        if constexpr (diluted) {
          const std::int64_t owner = bond % 2 == 0 ? i : neighbour;
          x &= ~load(job.absent + (owner * (z / 2) + bond / 2) * words);
        }
        near |= x;
      }
      const V added = near & load(job.differing + i * words) & ~old;
      store(job.reached + i * words, old | added);
      gained |= added;
    }
    return any(gained);
  }

  template <int z>
  static void grow_clusters(const MultispinSwap& job) {
    const std::int64_t last = job.geometry->sites - 1;
    const auto grow_once = [&](std::int64_t first, std::int64_t step) {
      return job.absent == nullptr ? grow<z, false>(job, first, step) : grow<z, true>(job, first, step);
    };
    while (grow_once(0, 1) && grow_once(last, -1)) {
    }
  }

  static void swap(const MultispinSwap& job) {
    find_seeds(job);
    switch (job.geometry->dim) {
      case 1:
        grow_clusters<2>(job);
        break;
      case 2:
        grow_clusters<4>(job);
        break;
      case 3:
        grow_clusters<6>(job);
        break;
      default:
        grow_clusters<8>(job);
    }
    for (std::int64_t i = 0; i < job.geometry->sites; ++i) {
      const V cluster = load(job.reached + i * words);
      store(job.a + i * words, load(job.a + i * words) ^ cluster);
      store(job.b + i * words, load(job.b + i * words) ^ cluster);
    }
  }
};

}}  // namespace glassworks::cpu
