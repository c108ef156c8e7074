#pragma once

#include "kernels/models/demon.hpp"
#include "kernels/models/metropolis.hpp"
#include "kernels/models/update_traits.hpp"

namespace glassworks { inline namespace models {

/// All updates of single spins; see update_traits.hpp for what a row has.
// The numbers of updates are part of the identity of a chain: new ones come last.
enum class SiteRule : std::uint8_t { heat_bath, metropolis, demon };
using SiteUpdates = UpdateList<HeatBath, Metropolis, Demon>;

constexpr auto enum_names(SiteRule) { return SiteUpdates::names; }
[[nodiscard]] constexpr const UpdateTraits& traits_of(SiteRule rule) {
  const auto number = static_cast<std::size_t>(rule);
  return SiteUpdates::traits[number < SiteUpdates::size ? number : 0];
}
/// f(Update{}) for an update other than the heat bath; nothing happens for that.
template <class F>
void for_site_update(SiteRule rule, const F& f) {
  SiteUpdates::visit(static_cast<std::size_t>(rule), f);
}

}}  // namespace glassworks::models
