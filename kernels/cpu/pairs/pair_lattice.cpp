#include "kernels/cpu/pairs/copy_moves.hpp"

namespace glassworks { inline namespace cpu {

PairLattice::PairLattice(const Lattice& lattice, const Disorder& disorder)
    : L_(lattice.length(0)),
      sides_(2 * (lattice.dim - 1)),
      rows_(static_cast<std::int32_t>(lattice.rows())),
      words_(words_of_sites(lattice)),
      present_(present_sites(lattice, disorder)) {
  find_bonds(lattice, disorder);
  find_neighbour_rows(lattice);
}

void PairLattice::find_bonds(const Lattice& lattice, const Disorder& disorder) {
  bonds_.assign(static_cast<std::size_t>(lattice.sites()), 0);
  for (std::int64_t i = 0; i < lattice.sites(); ++i) {
    for (int axis = 0; axis < lattice.dim; ++axis) {
      const std::int64_t j = lattice.neighbour(i, axis, +1);
      const bool couples = disorder.couplings[static_cast<std::size_t>(i * lattice.dim + axis)] != 0.0F;
      if (!couples && !disorder.is_absent(i) && !disorder.is_absent(j)) continue;
      bonds_[static_cast<std::size_t>(i)] |= static_cast<std::uint8_t>(1U << (2 * axis));
      bonds_[static_cast<std::size_t>(j)] |= static_cast<std::uint8_t>(2U << (2 * axis));
    }
  }
}

void PairLattice::find_neighbour_rows(const Lattice& lattice) {
  for (std::int32_t row = 0; row < rows_; ++row) {
    const std::int64_t first = std::int64_t{row} * L_;
    const std::uint8_t* const bonds = bonds_.data() + first;
    bool gaps = false;
    for (int x = 0; x + 1 < L_; ++x) gaps |= (bonds[x] & 1U) == 0;
    for (int k = 2; k < 2 * lattice.dim; ++k) {
      int present = 0;
      for (int x = 0; x < L_; ++x) present += bonds[x] >> k & 1;
      gaps |= present != 0 && present != L_;
      const std::int64_t neighbour = lattice.neighbour(first, k / 2, k % 2 == 0 ? +1 : -1) / L_;
      neighbour_rows_.push_back(present == 0 ? rows_ : static_cast<std::int32_t>(neighbour));
    }
    gaps_.push_back(gaps ? 1 : 0);
  }
}

PairGeometry PairLattice::geometry() const {
  return {L_, rows_, sides_, neighbour_rows_.data(), bonds_.data(), gaps_.data()};
}

}}  // namespace glassworks::cpu
