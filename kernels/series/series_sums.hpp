#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/core/modes.hpp"
#include "kernels/rounds/chain.hpp"
#include "kernels/rounds/kept_spins.hpp"
#include "kernels/series/lag_directions.hpp"
#include "kernels/series/lag_kernels.hpp"
#include "kernels/series/series_layout.hpp"
#include "kernels/series/series_pairs.hpp"

namespace glassworks { inline namespace series {

/// A realization at a moment, and how it is measured.
struct SeriesInput {
  const Chain& chain;
  const Disorder& disorder;
  const ChainState& state;
  std::span<const KeptSpins> kept;
  const SeriesLayout& layout;
  const LagKernels& kernels;
  int threads;
  std::vector<SeriesPair> pairs;
  Lattice rows;  ///< rows_of_sites

  /// That of the sites in their rows, whose bonds are not those of a graph.
  [[nodiscard]] const Lattice& lattice() const { return rows; }
  /// Null where there is none.
  [[nodiscard]] const SiteGraph* graph() const { return disorder.graph.get(); }
  /// Bonds that displacements of all sites are; those of a graph are none.
  [[nodiscard]] int bond_steps() const { return chain.lattice.owned(); }
  /// Whether planes are those of rows.
  [[nodiscard]] bool has_planes_of_rows() const { return has_lags(chain.lattice); }
  [[nodiscard]] double sites() const { return static_cast<double>(chain.lattice.sites()); }
  [[nodiscard]] int replica(int copy, int slot) const { return copy * chain.slots() + slot; }
};

/// Integer sums of a field, or of the fields of all copies or pairs, over pairs of sites.
struct LagSums {
  explicit LagSums(const Lattice& lattice)
      : axis(static_cast<std::size_t>(lattice.longest() / 2 + 1), 0),
        diagonal(static_cast<std::size_t>(lattice.longest() / 2 + 1), 0) {}
  std::vector<std::int64_t> axis, diagonal;  ///< over x and all axes or diagonals [r]
  std::int64_t link = 0;                     ///< over the bonds

  void add(const LagSums& other) {
    for (std::size_t r = 0; r < axis.size(); ++r) axis[r] += other.axis[r];
    for (std::size_t r = 0; r < diagonal.size(); ++r) diagonal[r] += other.diagonal[r];
    link += other.link;
  }
};

/// Writes the columns of profiles: sums times scale, for each of `fields` fields, per term.
void put_profile(const SeriesLayout& layout, SeriesQuantity q, int reference, std::span<const std::int64_t> sums,
                 std::span<const Displacement> steps, double scale, double fields, double* row);

/// |f(k_min)|^2 from sums over planes of equal coordinate, averaged over the axes of the longest edge.
class KminSquares {
 public:
  explicit KminSquares(const Lattice& lattice) : lattice_(lattice), phase_(lattice.longest()) {}
  /// planes: [Lattice::plane]; scale: of a sum, per site
  [[nodiscard]] double mean(std::span<const std::int64_t> planes, double scale) const;
  /// Of one axis.
  [[nodiscard]] double along(int axis, std::span<const std::int64_t> planes, double scale) const;

 private:
  Lattice lattice_;
  PhaseTable phase_;
};

/// N_b, or 1 where a graph has no bond: what sums over bonds are divided by.
[[nodiscard]] double divisor_of_bonds(const Lattice& lattice);

/// sum over all sites, from those over planes
[[nodiscard]] std::int64_t total_of(const Lattice& lattice, std::span<const std::int64_t> planes);

/// The columns of the energy of a slot.
///
/// energies  E of its replicas [energy scale] [copy]
void put_energies(const SeriesLayout& layout, const FixedScale& energy_scale, std::span<const std::int64_t> energies,
                  double* row);

/// All columns but those of the energy. ising, blume-capel, potts; then vectors and clock spins.
void measure_bits(const SeriesInput& in, int slot, double* row);
void measure_vectors(const SeriesInput& in, int slot, double* row);

}}  // namespace glassworks::series
