#pragma once

#include <cstdint>

#include "kernels/core/random.hpp"
#include "kernels/models/cluster_sums.hpp"
#include "kernels/models/for_model.hpp"
#include "kernels/models/site_array.hpp"

/// The loops of the fast cluster updates, compiled once per instruction set and chosen at run time. Plain pointers:
/// these translation units must not share inline library code (see kernel_table.hpp).
namespace glassworks { inline namespace cpu {

/// Rows of sites along x. A row of bits is `words` words of 64, bit x % 64 of word x / 64; bits beyond L are 0.
struct ClusterGeometry {
  int dim, L, words;
  std::int64_t rows;
  const std::int32_t* forward;      ///< row at +axis [axis - 1][row]
  const std::int32_t* backward;     ///< row at -axis [axis - 1][row]
  const std::int32_t* coordinates;  ///< of a row along the other axes [row][3]
  const std::uint8_t* parity;       ///< of the site x = 0 of a row [row]

  [[nodiscard]] GLASSWORKS_HD std::int64_t bit_row(int axis, std::int64_t row) const {
    return (axis * rows + row) * words;
  }
};

/// Counter words 1 to 3 of a stream of one replica and sweep.
struct RandomSource {
  PhiloxKey key;
  std::uint32_t word1, word2, word3;
};

/// Active bonds of one update. Arrays over sites are padded by 64 elements.
struct ActivationJob {
  RandomSource random;
  const std::uint8_t* states;     ///< null for vectors [site]
  const float* projection;        ///< of vectors [site]
  const float* couplings;         ///< null where `uniform` [axis][stride]
  const std::uint64_t* negative;  ///< null if no J < 0: bit rows
  std::int64_t stride;
  bool uniform;
  std::uint32_t threshold;
  float minus_factor_beta;  ///< -2 beta, of potts -beta
  std::uint64_t* active;    ///< out: bit rows [axis][row]
};

/// Runs of sites joined along x, numbered in the order of sites, and the union-find forest over them.
struct Runs {
  std::uint64_t* starts;  ///< bit rows of first sites of runs [row]
  std::uint32_t* before;  ///< runs before a word [row][word]
  std::uint32_t* parent;  ///< never larger than the run itself [run]
  /// What becomes of a run, first by its own first site, in the end by the root of its cluster: where clusters are
  /// reflected 1 moves and 0 stays; potts: the new state, or Potts::stays. Padded by 64. [run]
  std::uint8_t* fate;
};

/// Boundaries crossed between a run and its parent, and axes that the clusters of roots wrap around.
struct Windings {
  std::int32_t* crossed;  ///< [run][4]
  std::uint8_t* wraps;    ///< bits [run]
};

/// Input of the sums over clusters (ClusterTerms). Phases: see kernels/models/README.md.
struct DecompositionJob {
  const float* projection;                    ///< null for discrete spins
  const float *cosine, *sine;                 ///< [L]
  const std::int64_t *cosine_sum, *sine_sum;  ///< sums of fix(cos) and fix(sin) over x' < x [L + 1]
  FixedScale scale, square_scale;             ///< SumScales::component and square
  const std::uint32_t* cluster;               ///< number of the cluster of a root [run]
  std::uint32_t* size;                        ///< zero; [cluster]
  std::int64_t* terms;                        ///< zero; [cluster][1 + 2 d]: weight, then cosine and sine of each axis
};

/// Sums of ClusterSums.
struct ClusterTotals {
  std::uint64_t largest, squares;
  std::int64_t weight, kmin[4];
};

/// What the local updates of phi4 at finite lambda leave to be counted.
struct Phi4Tally {
  std::uint64_t accepted = 0;  ///< in this step
  bool too_large = false;      ///< a |phi| beyond what sums have room for, since the start of the round
};

/// Local updates by the number of bonds, where all couplings have one modulus.
struct CountedWeights {
  /// ising, [bonds that want the spin to be up]: random numbers of 23 bits, from 0 on, with which the spin follows its
  /// field; no field counts as up. Room for a vector.
  std::int32_t alike[16] = {};
  /// potts, [neighbours in the state of most neighbours - those in this one]. Room for a vector.
  float weight[16] = {};
  const std::uint8_t* negative;  ///< 1 where J < 0 [axis][stride]; null if no J is
};

/// Local sweep over the sites of one parity.
struct LocalSweepJob {
  SpinModel model;
  RandomSource random;
  std::uint8_t* states;
  float* spins;            ///< [component][stride]
  const float* couplings;  ///< [axis][stride]
  const float* fields;     ///< null where there are none [component][stride]
  std::int64_t stride;
  bool one_coupling;  ///< all J are couplings[0]
  SweepConstants constants;
  Phi4Tally* tally;               ///< of the thread; phi4
  const CountedWeights* counted;  ///< at the temperature of the sweep; null where they do not apply
};

struct SpinArrays {
  SpinModel model;
  std::uint8_t* states;
  float* spins;
  const float* couplings;         ///< [axis][stride]
  const float* fields;            ///< as in LocalSweepJob
  const std::uint64_t* negative;  ///< as in ActivationJob
  std::int64_t stride;
  bool uniform;  ///< bonds have two values, and all couplings have one modulus

  template <class M>
  [[nodiscard]] GLASSWORKS_HD SiteArray<typename M::Site> sites() const {
    return {states, spins, stride};
  }
};

/// Clusters that grow from single sites. direction: of vectors.
struct GrowJob {
  RandomSource random;  ///< of the bonds
  SpinArrays arrays;
  const float* direction;
  bool uniform;  ///< these three as in ActivationJob
  std::uint32_t threshold;
  float minus_factor_beta;
  std::uint8_t* reached;  ///< 1 for the sites of clusters, until the caller clears them [site]

  /// Sites that one decision may add to a cluster beyond its limit, and one that is written but not counted.
  static constexpr std::int64_t spare = 17;
};
struct ClusterOfSite {
  std::int64_t size, first;  ///< first: the smallest site
  bool complete;             ///< false: it reached its limit, and `size` sites of it are known
};
/// What a move did: sites that changed, and by how much -E grew [energy scale], where it was asked for.
struct ClusterChange {
  std::uint64_t moved;
  std::int64_t gain;
};

/// Row ranges are begin <= row < end; those of `activate` and `local_sweep` start and end at even rows for d >= 2.
struct ClusterKernelTable {
  void (*activate)(const ClusterGeometry&, const ActivationJob&, std::int64_t begin, std::int64_t end);
  /// Grows the cluster of a seed that no other cluster has reached. to: its sites; room for `limit` and `spare` more.
  ClusterOfSite (*grow)(const ClusterGeometry&, const GrowJob&, std::int64_t seed, std::int64_t limit,
                        std::uint64_t* to);
  /// Moves the sites of a cluster by its fate (see Runs). multiplier: of the energy scale, of discrete spins; 0: the
  /// energy is not asked for.
  ClusterChange (*move)(const ClusterGeometry&, const GrowJob&, const std::uint64_t* cluster, std::int64_t size,
                        std::uint8_t fate, float multiplier);
  /// Finds the starts of runs from the active bonds along x, without the bond across the boundary; returns their
  /// number.
  std::uint32_t (*find_runs)(const ClusterGeometry&, const std::uint64_t* active, const Runs&, std::int64_t begin,
                             std::int64_t end);
  /// Numbers the runs of the rows from `first` and makes each its own root.
  void (*number_runs)(const ClusterGeometry&, const Runs&, std::uint32_t first, std::int64_t begin, std::int64_t end);
  /// The fate of each run by its first site: from coins (bit i % 32 of word i / 32 for site i), or from new states.
  void (*fates_by_coin)(const ClusterGeometry&, const Runs&, const std::uint32_t* coins, std::int64_t begin,
                        std::int64_t end);
  void (*fates_by_state)(const ClusterGeometry&, const Runs&, const std::uint8_t* new_states, std::int64_t begin,
                         std::int64_t end);
  /// Unites along the bonds between rows of the range that cross no boundary.
  void (*unite)(const ClusterGeometry&, const std::uint64_t* active, const Runs&, std::int64_t begin, std::int64_t end);
  /// The bonds that `unite` left out, given the ranges it was called with: bounds[slabs + 1]. windings may be null.
  void (*unite_rest)(const ClusterGeometry&, const std::uint64_t* active, const Runs&, const std::int64_t* bounds,
                     int slabs, const Windings* windings);
  /// Lets every run point at its root.
  void (*compress)(std::uint32_t* parent, std::uint32_t runs);
  /// Gives every run the fate of its root.
  void (*settle)(const Runs&, std::uint32_t runs);
  /// Numbers the roots in ascending order: cluster[root]; returns how many there are. After compress.
  std::uint32_t (*number_clusters)(const std::uint32_t* parent, std::uint32_t runs, std::uint32_t* cluster);
  /// Adds the terms of all runs to those of their clusters, then the squares of these. After compress.
  ClusterTotals (*decompose)(const ClusterGeometry&, const Runs&, const DecompositionJob&, std::uint32_t clusters);
  /// Run of a site.
  std::uint32_t (*run_of)(const ClusterGeometry&, const Runs&, std::int64_t site);

  /// Coins of roots 128 block to 128 block + 127; new states of roots 4 block to 4 block + 3.
  void (*coins)(const RandomSource&, std::uint32_t* bits, std::int64_t begin, std::int64_t end);
  void (*new_states)(const RandomSource&, std::uint32_t q, std::uint8_t* states, std::int64_t begin, std::int64_t end);
  /// Moves the sites by the fates of their runs; returns the number of sites moved.
  std::uint64_t (*flip)(const ClusterGeometry&, const Runs&, std::uint8_t* states, std::int64_t begin,
                        std::int64_t end);
  std::uint64_t (*reflect)(const ClusterGeometry&, const Runs&, const SpinArrays&, const float* direction,
                           const float* projection, std::int64_t begin, std::int64_t end);
  std::uint64_t (*recolour)(const ClusterGeometry&, const Runs&, std::uint8_t* states, std::int64_t begin,
                            std::int64_t end);

  /// projection = r.s of the sites begin <= site < end.
  void (*project)(const SpinArrays&, const float* direction, float* projection, std::int64_t begin, std::int64_t end);
  void (*renormalize)(const SpinArrays&, std::int64_t begin, std::int64_t end);
  void (*local_sweep)(const ClusterGeometry&, const LocalSweepJob&, int parity, std::int64_t begin, std::int64_t end);
  /// Reflects the vectors of one parity about their local fields.
  void (*over_relax)(const ClusterGeometry&, const LocalSweepJob&, int parity, std::int64_t begin, std::int64_t end);
  /// -E of the sites of the rows and of the bonds that they own, in fixed point.
  std::int64_t (*energy)(const ClusterGeometry&, const SpinArrays&, float multiplier, std::int64_t begin,
                         std::int64_t end);
  /// Adds to planes[axis][coordinate][column] and to the moduli; column_sums is scratch, zero before and after,
  /// [L][columns].
  void (*site_sums)(const ClusterGeometry&, const SpinArrays&, const SumScales&, std::int64_t* planes,
                    std::int64_t* modulus_2, std::int64_t* modulus_4, std::int64_t begin, std::int64_t end);
};

const ClusterKernelTable& portable_cluster_kernels();
#if defined(__x86_64__)
const ClusterKernelTable& avx2_cluster_kernels();
const ClusterKernelTable& avx512_cluster_kernels();
#endif

}}  // namespace glassworks::cpu
