#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/core/lattice.hpp"
#include "kernels/cpu/neighbours/graph_table.hpp"
#include "kernels/rounds/chain.hpp"

namespace glassworks { inline namespace cpu {

/// A count as the size of a container.
[[nodiscard]] constexpr std::size_t size_of(std::int64_t n) { return static_cast<std::size_t>(n); }

/// A graph and the couplings of a realization in the order of sweeps. Refers to the disorder, which outlives it.
class GraphRealization {
 public:
  GraphRealization(const Lattice& lattice, const Disorder& disorder);

  [[nodiscard]] GraphSites sites() const;
  [[nodiscard]] const SiteGraph& graph() const { return *disorder_.graph; }
  [[nodiscard]] const Disorder& disorder() const { return disorder_; }

 private:
  void arrange_terms();

  const Disorder& disorder_;
  int axes_;
  std::vector<std::int32_t> site_;           ///< [place]
  std::vector<std::int64_t> begin_, owned_;  ///< [place]
  std::vector<GraphLink> links_;
  std::vector<std::int32_t> plane_of_;    ///< [site][axis]
  std::vector<std::int64_t> term_begin_;  ///< [place]; empty without terms
  std::vector<ManyBodyTerm> terms_;
  std::vector<std::int32_t> others_;
};

}}  // namespace glassworks::cpu
