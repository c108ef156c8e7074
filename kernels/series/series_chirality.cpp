#include "kernels/series/series_chirality.hpp"

#include "base/threads.hpp"
#include "kernels/core/fixed_point.hpp"
#include "kernels/models/formulas.hpp"
#include "kernels/models/plaquettes.hpp"
#include "kernels/models/site_array.hpp"

namespace glassworks { inline namespace series {
namespace {

constexpr FixedScale chirality_scale{spin_exponent};

/// What plaquette_sine asks for.
struct PlaquetteSpins {
  SiteArray<exact::Vector<2>> spins;
  const std::vector<float>& couplings;
  int owned;

  [[nodiscard]] exact::Vector<2> at(std::uint32_t site) const { return spins.load(site); }
  [[nodiscard]] float coupling(std::uint32_t site, int bond) const {
    return couplings[std::size_t{site} * static_cast<std::size_t>(owned) + static_cast<std::size_t>(bond)];
  }
};

float along_axis(const SiteArray<exact::Vector<3>>& spins, std::int64_t forward, std::int64_t here,
                 std::int64_t backward) {
  return exact::chirality(spins.load(forward), spins.load(here), spins.load(backward));
}

}  // namespace

void fill_chirality(const SeriesInput& in, int slot, int mu, FieldRows& fields) {
  const Lattice& lattice = in.lattice();
  const int length = lattice.length(0);
  const bool along = chirality_of(in.chain.model, lattice) == SeriesChirality::along_axes;
  const PlaquettePlane plane = along ? PlaquettePlane{mu, mu} : plaquette_plane(mu, lattice.dim);
  const float scale = chirality_scale.multiplier();
  parallel_for(static_cast<std::size_t>(in.chain.copies), in.threads, [&](std::size_t copy) {
    // Only read.
    auto* const spins = const_cast<float*>(in.state.spins.data()) +
                        in.replica(static_cast<int>(copy), slot) * components_of(in.chain.model) * lattice.sites();
    const SiteArray<exact::Vector<3>> threes(nullptr, spins, lattice.sites());
    const PlaquetteSpins twos{{nullptr, spins, lattice.sites()}, in.disorder.couplings, lattice.owned()};
    for (std::int64_t row = 0; row < lattice.rows(); ++row) {
      std::int16_t* to = fields.row(static_cast<int>(copy), row);
      Lattice::Coordinates c = lattice.coordinates(row * length);
      for (int x = 0; x < length; ++x) {
        c[0] = x;
        const std::int64_t i = row * length + x;
        float kappa = 0.0F;
        if (along) {
          if (lattice.has_bond(c, mu, +1) && lattice.has_bond(c, mu, -1)) {
            kappa = along_axis(threes, lattice.neighbour(c, mu, +1), i, lattice.neighbour(c, mu, -1));
          }
        } else if (lattice.has_bond(c, plane.a, +1) && lattice.has_bond(c, plane.b, +1)) {
          const PlaquetteCorners corners{static_cast<std::uint32_t>(i),
                                         static_cast<std::uint32_t>(lattice.neighbour(c, plane.a, +1)),
                                         static_cast<std::uint32_t>(lattice.neighbour(c, plane.b, +1))};
          kappa = exact::mul(0.25F, plaquette_sine(twos, corners, plane));
        }
        to[x] = static_cast<std::int16_t>(to_fixed(kappa, scale));
      }
      fields.continue_row(static_cast<int>(copy), row);
    }
  });
}

}}  // namespace glassworks::series
