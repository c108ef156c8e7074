#pragma once

#include <vector>

#include "kernels/core/lattice.hpp"

namespace glassworks { inline namespace core {

/// J = 0 where no bond leads across an open end; couplings: [site][bond that it owns].
inline void cut_open_ends(const Lattice& lattice, std::vector<float>& couplings) {
  if (lattice.is_graph() || lattice.open == 0) return;
  for (std::int64_t site = 0; site < lattice.sites(); ++site) {
    for (int bond = 0; bond < lattice.owned(); ++bond) {
      if (lattice.has_bond(lattice.coordinates(site), bond, +1)) continue;
      couplings[static_cast<std::size_t>(site * lattice.owned() + bond)] = 0.0F;
    }
  }
}

}}  // namespace glassworks::core
