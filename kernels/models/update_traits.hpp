#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "kernels/models/model_type.hpp"

/// Updates of single spins: the heat bath of each model, and those that one formula makes for all models of unit
/// vectors and discrete spins. A row of SiteUpdates is all that reference, plain code of processors and plain kernels
/// of GPUs need to run an update; kernels that are no templates over updates refuse it (Need::site_update).
namespace glassworks { inline namespace models {

/// What an update needs of a chain.
struct UpdateTraits {
  std::string_view name;     ///< in protocol.local and protocol.moves
  bool rejects = false;      ///< keeps a spin now and then; the accepted part is measured (local_acceptance)
  bool has_width = false;    ///< its proposals for vectors have a width, which adapts to an acceptance of 1/2 (adapted)
  bool has_reserve = false;  ///< spins exchange energy with reserves, one for each site; their sum is conserved
};

/// The heat bath of a model (ModelType::local_update). All kernels know it; it takes two words, or a block where |s|
/// varies.
struct HeatBath {
  static constexpr UpdateTraits traits{"heat-bath"};
};

/// An update as a type: its traits and, but for the heat bath,
///
///     template <class M, class Context> static SiteMove<M> move(const Context& site)
///
/// the new spin of a site of model M. What it sees of the site, in functions of its context:
///
/// - here(), constants(), sites()   the spin; what the sites of a sweep have in common; sites of a replica
/// - index()                        of the site
/// - gain(s)                        minus the energy of the site with the spin s, in float [J]
/// - energy(s)                      the energy of the site with the spin s, as the energy of a replica sums it up
/// - words(k)                       block k = 0, 1, ... of its random words, as many as it likes
/// - sweep_words()                  a block that the sites of a sweep share
/// - width()                        of its slot, in (0, largest_width]; 1 of discrete spins
/// - reserve(j)                     the reserve that belongs to site j, an integer in units of energy(s)
template <class M>
struct SiteMove {
  typename M::Site spin;
  bool accepted;
};

/// gain(s) of a site that knows its neighbours, with the energy of the site by itself and minus that of its anisotropy.
template <class M>
[[nodiscard]] GLASSWORKS_HD float site_gain(const typename M::Neighbours& known, const SpinModel& model,
                                            const typename M::Site& s, float anisotropy) {
  float sum = exact::add(M::gain(model, known, s), anisotropy);
  if constexpr (M::has_site_energy) sum = exact::sub(sum, static_cast<float>(M::site_energy(model, s)));
  return sum;
}

template <class... Updates>
class UpdateList {
 public:
  static constexpr std::size_t size = sizeof...(Updates);
  static constexpr UpdateTraits traits[] = {Updates::traits...};
  static constexpr std::array<std::string_view, size> names{Updates::traits.name...};

  /// f(Update{}) for number `which`, unless it is the heat bath.
  template <class F>
  static void visit(std::size_t which, const F& f) {
    std::size_t i = 0;
    (visit_one<Updates>(i++ == which, f), ...);
  }

 private:
  template <class Update, class F>
  static void visit_one(bool chosen, const F& f) {
    if constexpr (!std::is_same_v<Update, HeatBath>) {
      if (chosen) f(Update{});
    }
  }
};

/// Widths are integers in units of 2^-16, so that they are what they are in every backend.
constexpr std::int64_t width_unit = 1 << 16, smallest_width = width_unit >> 10, largest_width = width_unit << 4;
constexpr std::int64_t first_width = width_unit;
[[nodiscard]] GLASSWORKS_HD float width_of(std::int64_t stored) {
  return exact::mul(static_cast<float>(stored), 1.52587890625e-5F);
}

/// The width after a step in which `accepted` of `proposed` moves were accepted: w' = w (1/2)/(1 - R) with the accepted
/// part R, which stands still at R = 1/2; by a factor of 2 at most, and within smallest_width and largest_width.
/// Source: Alzate-Cardona et al., J. Phys.: Condens. Matter 31, 095802 (2019).
[[nodiscard]] GLASSWORKS_HD std::int64_t adapted(std::int64_t width, std::uint64_t accepted, std::uint64_t proposed) {
  const auto n = static_cast<std::int64_t>(proposed), rejected = n - static_cast<std::int64_t>(accepted);
  if (n == 0) return width;
  std::int64_t next = 4 * rejected <= n ? 2 * width : width * n / (2 * rejected);
  next = next < smallest_width ? smallest_width : next;
  return next > largest_width ? largest_width : next;
}

/// Blocks of random words of an update: block k of a site, and one of the sweep behind them all.
[[nodiscard]] GLASSWORKS_HD constexpr std::uint32_t update_block(std::int64_t site, std::int64_t sites, int k) {
  return static_cast<std::uint32_t>(k * sites + site);
}
constexpr std::uint32_t sweep_block = 0xFFFFFFFFU;

}}  // namespace glassworks::models
