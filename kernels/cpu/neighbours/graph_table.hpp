#pragma once

#include <cstdint>

#include "kernels/core/fixed_point.hpp"
#include "kernels/core/random.hpp"
#include "kernels/core/site_graph.hpp"
#include "kernels/cpu/instruction_set.hpp"
#include "kernels/cpu/lanes/lanes.hpp"
#include "kernels/models/cluster_sums.hpp"
#include "kernels/models/spin_model.hpp"

/// The loops over the sites and bonds of a graph for bundles of replicas, compiled once per instruction set and chosen
/// at run time. Plain pointers: these translation units must not share inline library code (see kernel_table.hpp).
namespace glassworks { inline namespace cpu {

/// A neighbour and the coupling with it.
struct GraphLink {
  std::int32_t site;
  float J;
};

/// A term of more than two spins at one of its sites, and the coupling.
struct ManyBodyTerm {
  std::int64_t begin, end;  ///< of its other sites in ManyBodyTerms::others
  float J;
  bool owned;  ///< the site is the first of the term
};

/// Terms of the sites of a graph in the order of a sweep.
struct ManyBodyTerms {
  const std::int64_t* begin;  ///< of the terms of a site [place], N + 1 entries; null where there are none
  const ManyBodyTerm* terms;
  const std::int32_t* others;
};

/// A graph with the couplings of one realization. Places are sites in the order of a sweep: by colour, then by number.
struct GraphSites {
  std::int64_t sites;
  int planes_of_site;            ///< axes of the lattice
  const std::int32_t* site;      ///< [place]
  const std::int64_t* begin;     ///< of the links of a site [place], N + 1 entries
  const std::int64_t* owned;     ///< first of them that the site owns; the last ones of a site are [place]
  const GraphLink* links;        ///< neighbours ascending
  const float* fields;           ///< [site][component], or null
  const std::int32_t* plane_of;  ///< Lattice::plane of a site along each axis [site][axis]
  ManyBodyTerms terms;
};

/// What a sweep of a bundle needs beyond that. Arrays are over lanes, 64-byte aligned; `lanes` of them are used, in
/// whole vectors.
struct GraphSweep {
  const float *minus_two_beta, *minus_inverse_beta, *beta;
  const float* width;          ///< of the proposals for vectors
  const std::uint32_t* word3;  ///< counter word 3
  PhiloxKey key;
  std::uint32_t word1, word2;  ///< counter words 1 and 2
  std::uint64_t sweep;         ///< number of the sweep
  SpinModel model;
  int lanes;
  std::int32_t* accepted;  ///< moves accepted by updates that reject are added
};

/// Bonds of one cluster update.
struct GraphActivation {
  std::int64_t bonds;
  const GraphBond* ends;    ///< [bond]
  const float* couplings;   ///< [bond]
  const float* projection;  ///< r.s of vectors [site][lane]
  PhiloxKey key;
  std::uint32_t word1, word2;
  const std::uint32_t* word3;      ///< [lane]
  bool uniform;                    ///< as in ClusterSystem
  const float* threshold;          ///< of active bonds where `uniform`: its bits [lane]
  const float* minus_factor_beta;  ///< [lane]
  int lanes;
  std::uint16_t* active;  ///< out: bit = lane [bond]
};

/// Sums over all sites of a bundle, lane by lane. Numbers: float of vectors and ising, std::uint32_t of other states;
/// spins[site][number][lane].
struct GraphTable {
  void (*local_sweep)(const GraphSites&, const GraphSweep&, void* spins);
  void (*metropolis)(const GraphSites&, const GraphSweep&, void* spins);
  void (*over_relax)(const GraphSites&, void* spins, int lanes);
  void (*renormalize)(std::int64_t sites, void* spins, int lanes);
  /// Adds -E in fixed point [lane].
  void (*energy)(const GraphSites&, const SpinModel&, const void* spins, float multiplier, int lanes,
                 std::int64_t* sum);
  /// Adds the columns of all planes, as add_site_sums and add_overlap do: planes[plane][column][lane], link[lane].
  void (*site_sums)(const GraphSites&, const SpinModel&, const SumScales&, const void* spins, int lanes,
                    std::int64_t* planes);
  void (*pair_sums)(const GraphSites&, const SpinModel&, const SumScales&, const void* a, const void* b, int lanes,
                    std::int64_t* planes, std::int64_t* link);
  /// projection = r.s; direction[component][lane].
  void (*project)(std::int64_t sites, const void* spins, const float* direction, int lanes, float* projection);
  void (*activate)(const GraphActivation&, const void* spins);
  /// Moves the spins of the sites whose fate is not 0: ising turns, vectors are reflected. fate[site][lane]; adds the
  /// number moved [lane].
  void (*move)(std::int64_t sites, void* spins, const std::uint32_t* fate, const float* direction,
               const float* projection, int lanes, std::int64_t* moved);
  /// Four random words of the blocks begin, begin + 1, ...: words[block][word][lane].
  void (*draw)(const GraphActivation&, std::int64_t begin, std::int64_t end, std::uint32_t* words);
};

/// Null for models that have no such kernels.
[[nodiscard]] const GraphTable* portable_graph_kernels(const SpinModel& model);
/// Of an instruction set.
[[nodiscard]] const GraphTable& graph_kernels(InstructionSet isa, const SpinModel& model);

#if defined(__x86_64__)
[[nodiscard]] const GraphTable* avx2_graph_kernels(const SpinModel& model);
[[nodiscard]] const GraphTable* avx512_graph_kernels(const SpinModel& model);
#endif

}}  // namespace glassworks::cpu
