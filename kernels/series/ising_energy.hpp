#pragma once

#include <cstdint>
#include <vector>

#include "kernels/rounds/chain.hpp"
#include "kernels/series/bit_rows.hpp"

namespace glassworks { inline namespace series {

/// replica_energy of ising, of many replicas of one realization: fix(J s s') = s s' fix(J), so that the couplings are
/// rounded once, and those of one modulus are counted, 64 at once.
class IsingEnergy {
 public:
  /// Whether it is that of a chain: bonds of a graph stand in no rows.
  [[nodiscard]] static bool measures(const Chain& chain) {
    return chain.model.kind == ModelKind::ising && !chain.lattice.is_graph();
  }

  IsingEnergy(const Lattice& lattice, const Disorder& disorder);

  /// Whether it is made of bits alone, less than one byte for a site.
  [[nodiscard]] bool is_small() const { return coupling_.empty() && field_.empty(); }
  /// states: [site]
  [[nodiscard]] std::int64_t of(const std::uint8_t* states) const;

 private:
  [[nodiscard]] std::int64_t by_counting(const std::uint8_t* states) const;
  [[nodiscard]] std::int64_t by_adding(const std::uint8_t* states) const;

  BitShape shape_;
  std::vector<std::int32_t> coupling_;     ///< fix(J) [bond][site]; empty where there is one modulus
  std::vector<std::int32_t> field_;        ///< fix(H) [site]; empty: none
  std::int32_t modulus_ = 0;               ///< of all couplings that are not 0; 0: there are several
  std::vector<BitRows> negative_, there_;  ///< J < 0 and J != 0 [bond], where there is one modulus
  std::int64_t sum_ = 0;                   ///< of |fix(J)|
};

}}  // namespace glassworks::series
