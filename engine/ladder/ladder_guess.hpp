#pragma once

#include "engine/config/config.hpp"

namespace glassworks { inline namespace engine {

/// A priori upper bound of the number of slots for an expected exchange acceptance of 0.3, for models other than
/// heisenberg: the integral of c(T) dT / T is at most the logarithm of the number of states of a discrete spin, and
/// that of c(T) dT at most the range of the energies, both per site. First guess for pilots (ladder.adapt), which find
/// the number actually needed. Throws InputError without a bound: phi4 at finite lambda, vectors with couplings or
/// fields from a file.
[[nodiscard]] int most_automatic_slots(const ModelConfig& model, int L, double T_min, double T_max);

}}  // namespace glassworks::engine
