#pragma once

#include <cstdint>
#include <type_traits>

#include "kernels/core/host_device.hpp"

namespace glassworks { inline namespace core {

/// Every random stream of the program. A random number is a pure function of
/// (campaign seed, lattice, stream, realization, replica, sweep, site); numbers are never changed or reused.
enum class Stream : std::uint32_t {
  size_key = 0,       ///< key of one lattice size from the campaign seed
  couplings = 1,      ///< J of a realization, drawn in order
  fields = 2,         ///< H of a realization, drawn in order; replica 1: axes of the anisotropy
  initial_spins = 3,  ///< random initial configuration of a replica
  heat_bath = 4,      ///< polar angle and azimuth of heat-bath moves
  exchange = 5,       ///< acceptance of parallel-tempering exchanges
  bonds = 6,          ///< activation of the bonds of a cluster update
  cluster = 7,        ///< the new state of a cluster, by its root
  reflection = 8,     ///< direction of an embedded-cluster reflection; seeds of single clusters
  local_update = 9,   ///< single-spin moves of discrete spins and of |phi|
  isoenergetic = 10,  ///< seed of a cluster move between copies
  percolation = 11,   ///< occupation of bonds or sites
  numbering = 12,     ///< random numbers of the sites of a graph
  multispin = 13,     ///< local updates by multi-spin coding, shared by a group of realizations
  dilution = 14,      ///< absent bonds of a realization, drawn in order; replica 1: absent sites; 2: bonds of a graph
  anisotropy = 15,    ///< acceptance of local updates of vectors with an anisotropy
};

/// The generator. threefry4x32 serves to repeat a result with independent random numbers at the same addresses: only
/// the reference backend (scalar host code) supports it, and the disorder is still drawn with philox4x32.
enum class Generator : std::uint32_t { philox4x32 = 0, threefry4x32 = 1 };

struct PhiloxKey {
  std::uint32_t k0 = 0, k1 = 0;
  Generator generator = Generator::philox4x32;
  bool operator==(const PhiloxKey&) const = default;
};

/// High and low word of a * b.
GLASSWORKS_HD void mul_hi_lo(std::uint32_t a, std::uint32_t b, std::uint32_t& hi, std::uint32_t& lo) {
  const std::uint64_t p = static_cast<std::uint64_t>(a) * b;
  hi = static_cast<std::uint32_t>(p >> 32);
  lo = static_cast<std::uint32_t>(p);
}

constexpr std::uint32_t philox_multiplier0 = 0xD2511F53U, philox_multiplier1 = 0xCD9E8D57U;
constexpr std::uint32_t philox_key_step0 = 0x9E3779B9U, philox_key_step1 = 0xBB67AE85U;

/// One round of Philox4x32 with the keys of that round. W is any word type that offers ^ and mul_hi_lo.
template <class W>
GLASSWORKS_HD void philox_round(W counter[4], std::uint32_t k0, std::uint32_t k1) {
  W hi0, lo0, hi1, lo1;
  mul_hi_lo(counter[0], philox_multiplier0, hi0, lo0);
  mul_hi_lo(counter[2], philox_multiplier1, hi1, lo1);
  counter[0] = hi1 ^ counter[1] ^ W(k0);
  counter[2] = hi0 ^ counter[3] ^ W(k1);
  counter[1] = lo1;
  counter[3] = lo0;
}

/// Philox4x32-10 (Salmon, Moraes, Dror, Shaw, SC'11). In place.
///
/// counter[4]  in: counter, out: four random words
/// Cost: 20 32x32->64 multiplications. W = uint32_t on scalar code, a vector of counters in the vector backends.
template <class W>
GLASSWORKS_HD void philox4x32_10(W counter[4], PhiloxKey key) {
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
  for (int round = 0; round < 10; ++round) {
    philox_round(counter, key.k0, key.k1);
    key.k0 += philox_key_step0;
    key.k1 += philox_key_step1;
  }
}

/// The keys of the ten rounds, made once on the host: on a GPU they then come as constants of the launch and take no
/// registers.
struct PhiloxRoundKeys {
  std::uint32_t k0[10] = {}, k1[10] = {};

  PhiloxRoundKeys() = default;
  explicit PhiloxRoundKeys(PhiloxKey key) {
    for (std::uint32_t round = 0; round < 10; ++round) {
      k0[round] = key.k0 + philox_key_step0 * round;
      k1[round] = key.k1 + philox_key_step1 * round;
    }
  }
};

/// The same function with its key schedule made before.
GLASSWORKS_HD void philox4x32_10(std::uint32_t counter[4], const PhiloxRoundKeys& keys) {
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
  for (int round = 0; round < 10; ++round) philox_round(counter, keys.k0[round], keys.k1[round]);
}

/// Threefry4x32-20 (Salmon, Moraes, Dror, Shaw, SC'11) with the key (k0, k1, 0, 0). In place; host only.
///
/// counter[4]  in: counter, out: four random words
inline void threefry4x32_20(std::uint32_t counter[4], const PhiloxKey& key) {
  constexpr int rotation[8][2] = {{10, 26}, {11, 21}, {13, 27}, {23, 5}, {6, 20}, {17, 11}, {25, 10}, {18, 20}};
  constexpr std::uint32_t parity = 0x1BD11BDAU;
  const std::uint32_t keys[5] = {key.k0, key.k1, 0, 0, parity ^ key.k0 ^ key.k1};
  const auto turned = [](std::uint32_t x, int by) { return (x << by) | (x >> (32 - by)); };
  for (int i = 0; i < 4; ++i) counter[i] += keys[i];
  for (int round = 0; round < 20; ++round) {
    const int partner = round % 2 == 0 ? 1 : 3;  // of word 0; word 2 takes the other one
    counter[0] += counter[partner];
    counter[partner] = turned(counter[partner], rotation[round % 8][0]) ^ counter[0];
    counter[2] += counter[4 - partner];
    counter[4 - partner] = turned(counter[4 - partner], rotation[round % 8][1]) ^ counter[2];
    if (round % 4 != 3) continue;
    const int injection = round / 4 + 1;
    for (int i = 0; i < 4; ++i) counter[i] += keys[(injection + i) % 5];
    counter[3] += static_cast<std::uint32_t>(injection);
  }
}

/// Counter layout of all streams:
/// word 0: site, cell or pair; word 1: low word of the sweep; word 2: realization;
/// word 3: stream (4 bits) | replica = copy * slots + k (12 bits) | high part of the sweep (16 bits).
constexpr std::uint32_t max_replicas_per_realization = 1U << 12;

[[nodiscard]] GLASSWORKS_HD constexpr std::uint32_t counter_word3(Stream stream, std::uint32_t replica,
                                                                  std::uint64_t sweep) {
  return (static_cast<std::uint32_t>(stream) << 28) | (replica << 16) |
         static_cast<std::uint32_t>((sweep >> 32) & 0xFFFFU);
}

struct RandomBlock {
  std::uint32_t word[4];
};

template <class Key>
[[nodiscard]] GLASSWORKS_HD RandomBlock random_block(const Key& key, Stream stream, std::uint32_t realization,
                                                     std::uint32_t replica, std::uint64_t sweep, std::uint32_t index) {
  RandomBlock b{{index, static_cast<std::uint32_t>(sweep), realization, counter_word3(stream, replica, sweep)}};
#if !defined(__CUDA_ARCH__)
  if constexpr (std::is_same_v<Key, PhiloxKey>) {
    if (key.generator == Generator::threefry4x32) {
      threefry4x32_20(b.word, key);
      return b;
    }
  }
#endif
  philox4x32_10(b.word, key);
  return b;
}

constexpr std::uint32_t cooling_history = 1U << 31;
/// Added to the number of a history that goes on from stored spins: these may have seen the numbers of the same seed.
constexpr std::uint32_t stored_history = 1U << 30;

/// Key of all streams of one lattice size: a Philox block of (L, dim, history) under the campaign seed, so that equal
/// realization numbers of different sizes share nothing.
///
/// history  0: the couplings and fields of every history, and the chains of the first one. Chains of another history of
///          the same disorder take their initial spins, updates and exchanges from a key of their own, at the same
///          addresses; with cooling_history added, those of the slow cooling that comes before it.
[[nodiscard]] GLASSWORKS_HD PhiloxKey size_key(std::uint64_t seed, int dim, int L, std::uint32_t history = 0) {
  std::uint32_t c[4] = {static_cast<std::uint32_t>(L), static_cast<std::uint32_t>(dim), history,
                        counter_word3(Stream::size_key, 0, 0)};
  philox4x32_10(c, PhiloxKey{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)});
  return {c[0], c[1]};
}

}}  // namespace glassworks::core
