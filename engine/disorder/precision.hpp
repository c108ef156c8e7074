#pragma once

#include "engine/config/config.hpp"

namespace glassworks { inline namespace engine {

/// Largest ratio of the energy of a site, sum_j |J_ij| + |H_i| + that of the spin by itself, to a temperature at which
/// thermal energies are resolved.
///
/// Spins are single precision, so energies are good to 6e-8 of that sum. Measured with Heisenberg dimers (specific heat
/// exactly 1/2 per site): 0.5004(13) at 1e4, 0.5006(13) at 1e5, 0.5122(31) at 1e6, -22 at 1e7.
constexpr double largest_energy_over_T = 1e5;

/// Largest N (e/T)^2, e the energy per site: specific heats are differences of two averages of that size in double
/// precision, so that they lose 2e-16 times it.
constexpr double largest_squared_energy_over_T = 2e13;

/// The lowest temperature of every ladder of a campaign; adaptation leaves it.
[[nodiscard]] double coldest_temperature(const Config& config);

/// Throws InputError where the coldest temperature is too low for the energies of the model: couplings and fields as
/// they are drawn, or as the files hold them; phi4 also for the size of its field.
///
/// disorder  of realization 0 where a file is read; null: only what is drawn is looked at
void validate_precision(const Config& config, const Disorder* disorder = nullptr);

}}  // namespace glassworks::engine
