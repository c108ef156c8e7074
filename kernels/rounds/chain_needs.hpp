#pragma once

#include <cstdint>
#include <initializer_list>

#include "kernels/rounds/chain.hpp"

namespace glassworks { inline namespace rounds {

/// What a chain may need of a backend beyond numbers that every kernel takes as they are. Backends declare which needs
/// their kernels support (kernel_families.cpp) and refuse chains with any other.
enum class Need : std::uint8_t {
  // How the spins move.
  local_sweeps,
  over_relaxation,
  tiles,
  no_clusters,  ///< protocol.kind = local
  swendsen_wang,
  wolff,
  few_cluster,
  isoenergetic,
  own_words,  ///< random words for every site and realization: no multi-spin coding
  multispin_metropolis,
  multispin_heat_bath,
  copy_lanes,    ///< lanes of multi-spin coding are copies
  copy_bins,     ///< and rounds are measured by their backend
  site_update,   ///< a local update of SiteUpdates other than heat baths
  reserves,      ///< it exchanges energy with reserves
  listed_moves,  ///< protocol.moves that are not over-relaxation, then local sweeps (matches_sweeps)
  // What a site carries.
  heisenberg,
  ising,
  vectors,          ///< of on, and of phi4 at lambda = infinity
  phi4,             ///< |phi| varies
  discrete_spins,   ///< states other than those of ising
  many_components,  ///< more than max_kernel_components
  absent_sites,
  anisotropy,
  fields,
  // How slots exchange their spins.
  sequential_exchange,
  even_odd_exchange,
  no_exchange,
  // Where the sites stand.
  one_dimension,
  two_dimensions,
  three_dimensions,
  four_dimensions,
  hypercubic,
  triangular,
  fcc,
  bcc,
  graph,
  terms,  ///< that couple more than two spins
  prism,
  odd_rows,  ///< a prism whose rows are no pairs of even length
  open_ends,
  large_planes,  ///< of 2^16 sites or more
  many_sites,    ///< 2^27 or more
  // What is measured.
  local_observables,
  chirality,
  triangles,  ///< chiralities of triangles
  modes_of_axes,
  field_terms,
  chiral_terms,       ///< of the susceptibility in a field
  chirality_of_axes,  ///< each by itself
  // The rest.
  few_replicas,  ///< fewer than four, and no tiles: with more, vectors over replicas are faster
  threefry,
  unknown,  ///< what has no name here
};
constexpr int need_count = static_cast<int>(Need::unknown) + 1;

/// A set of needs.
class ChainNeeds {
 public:
  constexpr ChainNeeds() = default;
  constexpr ChainNeeds(std::initializer_list<Need> needs) {
    for (const Need need : needs) bits_ |= bit(need);
  }

  [[nodiscard]] constexpr bool has(Need need) const { return (bits_ & bit(need)) != 0; }
  [[nodiscard]] constexpr bool includes(ChainNeeds other) const { return (other.bits_ & ~bits_) == 0; }
  [[nodiscard]] constexpr ChainNeeds operator|(ChainNeeds other) const { return ChainNeeds(bits_ | other.bits_); }
  [[nodiscard]] constexpr ChainNeeds without(ChainNeeds other) const { return ChainNeeds(bits_ & ~other.bits_); }
  constexpr bool operator==(const ChainNeeds&) const = default;

 private:
  static_assert(need_count <= 64);
  static constexpr std::uint64_t bit(Need need) { return std::uint64_t{1} << static_cast<int>(need); }
  constexpr explicit ChainNeeds(std::uint64_t bits) : bits_(bits) {}

  std::uint64_t bits_ = 0;
};

/// For people: "open ends".
[[nodiscard]] const char* need_name(Need need);

/// What a round of a chain needs. The chain is one that can be (problem_of).
[[nodiscard]] ChainNeeds needs_of(const Chain& chain);
/// What a realization needs beside that.
[[nodiscard]] ChainNeeds needs_of(const Disorder& disorder);

}}  // namespace glassworks::rounds
