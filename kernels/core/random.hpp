#pragma once

#include <cstdint>

#include "kernels/core/host_device.hpp"

namespace glassworks::inline core {

/// Every random stream of the program. A random number is a pure function of
/// (campaign seed, lattice, stream, realization, replica, sweep, site); numbers are never changed or reused.
enum class Stream : std::uint32_t {
  size_key = 0,       ///< key of one lattice size from the campaign seed
  couplings = 1,      ///< J of a realization, drawn in order
  fields = 2,         ///< H of a realization, drawn in order
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
  dilution = 14,      ///< absent bonds of a realization, drawn in order
};

struct PhiloxKey {
  std::uint32_t k0 = 0, k1 = 0;
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
  philox4x32_10(b.word, key);
  return b;
}

/// Key of all streams of one lattice size: a Philox block of (L, dim) under the campaign seed, so that equal
/// realization numbers of different sizes share nothing.
[[nodiscard]] GLASSWORKS_HD PhiloxKey size_key(std::uint64_t seed, int dim, int L) {
  std::uint32_t c[4] = {static_cast<std::uint32_t>(L), static_cast<std::uint32_t>(dim), 0,
                        counter_word3(Stream::size_key, 0, 0)};
  philox4x32_10(c, PhiloxKey{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)});
  return {c[0], c[1]};
}

}  // namespace glassworks::inline core
