#pragma once

#include <cstdint>

#include "kernels/core/site_graph.hpp"
#include "kernels/cpu/instruction_set.hpp"
#include "kernels/models/multispin.hpp"
#include "kernels/models/spin_model.hpp"

/// The loops of multi-spin coding, compiled once per instruction set. A place of memory holds `words` words of 32 bits,
/// one bit for each realization (lane) of a bundle; words 4 g .. 4 g + 3 are a group of 128 realizations, which shares
/// its random words. Plain pointers: no inline library code may be shared between those translation units.
namespace glassworks { inline namespace cpu {

/// The lists of a graph for words of its realizations.
struct MultispinGraph {
  static constexpr int most_bonds = most_multispin_bonds;  ///< of a site

  struct Link {
    std::int32_t site, bond;
  };
  const std::int32_t* site;   ///< in the order of a sweep [place]
  const std::int64_t* begin;  ///< of the links of a site [place], N + 1 entries
  const Link* links;
  const GraphBond* bonds;
  std::int64_t bond_count;
  const std::int64_t* plane_begin;  ///< [plane], one entry more than planes
  const std::int32_t* in_plane;     ///< sites of each plane
  int planes;

  /// Where the thresholds of sites with so many bonds begin: [bit of the spin][m] for each number of bonds.
  [[nodiscard]] static constexpr std::int64_t thresholds_of(std::int64_t degree) { return 2 * degree * degree; }
};

/// Sites of a hypercubic lattice in their natural order, by colour, with their neighbours and random addresses. Of a
/// graph sites, random addresses and its lists alone.
struct MultispinGeometry {
  int dim, L;
  std::int64_t sites;
  const std::int32_t* neighbour;    ///< at +axis, -axis [site][axis][2]
  const std::int32_t* of_colour;    ///< sites of even parity, then of odd ones
  const std::int32_t* random_word;  ///< place of a site among the random words of its half-sweep [site]
  const MultispinGraph* graph = nullptr;
};
/// Place of a random word among those of a half-sweep: blocks by sixteen, [block / 16][word][block % 4][block / 4 % 4].
[[nodiscard]] constexpr std::uint32_t multispin_word_place(std::uint32_t block, std::uint32_t word) {
  return (block / 16 * 4 + word) * 16 + block % 4 * 4 + block / 4 % 4;
}

/// Couplings as bits: J < 0, and J = 0 where some are absent (else null) [site][axis][word].
struct MultispinCouplings {
  const std::uint32_t *negative, *absent;
};

/// One half-sweep of some replicas, for which couplings are loaded once.
struct MultispinHalfSweep {
  static constexpr int most = 4;

  const MultispinGeometry* geometry;
  MultispinCouplings couplings;
  MultispinRule rule;
  bool in_field;  ///< thresholds depend on the spin
  int colour;
  int replicas;                          ///< 1 .. most
  const std::uint32_t* threshold[most];  ///< [bit of the spin in a field][m], see multispin_thresholds; of a graph
                                         ///< those of each number of bonds (MultispinGraph)
  const std::uint32_t* random[most];     ///< [place][group]
  std::uint32_t* spins[most];            ///< [site][word]
};

/// One isoenergetic move between two replicas in all lanes.
struct MultispinSwap {
  static constexpr int most_bits = 31;

  const MultispinGeometry* geometry;
  const std::uint32_t* absent;     ///< see MultispinCouplings
  const std::uint32_t* countdown;  ///< 2^bits - 1 - rank, where the seed is the site at number `rank` among those that
                                   ///< differ [bit][word]
  int bits;                        ///< 2^bits is larger than the number of sites
  std::uint32_t *differing, *reached;  ///< scratch [site][word]
  std::uint32_t *a, *b;                ///< spins
};

/// The loops for bundles of a number of words.
struct MultispinTable {
  int words;
  /// out[place][group] of blocks with counter words (block, rest of the group), as many as is a multiple of 16; place:
  /// see MultispinGeometry::random_word. key: k0, k1
  void (*random)(const std::uint32_t key[2], const std::uint32_t rest[][3], std::uint32_t blocks, std::uint32_t* out);
  void (*half_sweep)(const MultispinHalfSweep&);
  /// Unsatisfied bonds of each lane, count[lane of a word][word]. a: spins; b: null, or other spins, whose products
  /// with the first take their place.
  void (*unsatisfied)(const MultispinGeometry&, const MultispinCouplings&, const std::uint32_t* a,
                      const std::uint32_t* b, std::uint32_t* count);
  /// Spins (or products) that are -1... 1 bits of each plane, count[axis][coordinate][lane of a word][word].
  void (*planes)(const MultispinGeometry&, const std::uint32_t* a, const std::uint32_t* b, std::uint32_t* count);
  /// Sites at which two replicas differ, or where a spin is -1 if b is null, count[lane of a word][word].
  void (*differing)(std::int64_t sites, const std::uint32_t* a, const std::uint32_t* b, std::uint32_t* count);
  void (*swap_clusters)(const MultispinSwap&);
  /// Exchanges the lanes of a mask [word] between two replicas, at sites begin .. end - 1.
  void (*exchange)(const std::uint32_t* mask, std::int64_t begin, std::int64_t end, std::uint32_t* a, std::uint32_t* b);
};

/// Tables for 4, 8 and 16 words.
[[nodiscard]] const MultispinTable* portable_multispin();
#if defined(__x86_64__)
[[nodiscard]] const MultispinTable* avx2_multispin();
[[nodiscard]] const MultispinTable* avx512_multispin();
#endif
[[nodiscard]] const MultispinTable* multispin_of(InstructionSet isa);

}}  // namespace glassworks::cpu
