#pragma once

#include "engine/config/config.hpp"

namespace glassworks { inline namespace engine {

/// Upper bound of the number of slots for an expected exchange acceptance of 0.3, of models other than heisenberg, from
/// what is known of them beforehand: the integral of c(T) dT / T is at most the logarithm of the number of states of a
/// spin (ising, potts), and that of c(T) dT at most the range of the energies, both per site. A first guess for pilots
/// (ladder.adapt), who find the number that is needed. Throws InputError where nothing is known: phi4 at finite lambda,
/// vectors with the couplings of a file.
[[nodiscard]] int most_automatic_slots(const ModelConfig& model, int L, double T_min, double T_max);

}}  // namespace glassworks::engine
