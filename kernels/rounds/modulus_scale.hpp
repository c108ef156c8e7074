#pragma once

#include "kernels/rounds/chain.hpp"

/// How large the field of phi4 at finite lambda becomes, for the fixed-point sums of a measurement.
namespace glassworks { inline namespace rounds {

/// Estimate of <phi^2> of a site from above, within a factor of ten or so where it matters: what the ordered state has,
/// 1 + (x - 1)/(2 lambda) for x = beta d > 1, and what fluctuations add: the uniform mode, at most 2/((1 - x) N)
/// (Gaussian) and 2/sqrt(lambda N) (quartic), and all others, at most 2 G_d(L) with G_d the lattice propagator at x
/// = 1. Infinite where there is no stable state: lambda = 0 and x >= 1.
[[nodiscard]] double expected_square(double lambda, const Lattice& lattice, double beta);

/// phi^2 may reach this times 4^modulus_exponent: then every term of a sum fits into 32 bits. A Gaussian field of
/// <phi^2> = 4^modulus_exponent goes beyond it with probability 1e-36.
constexpr double largest_square_in_units = 44.0;

/// The smallest a >= 0 with 4^a >= expected_square at the lowest temperature of a chain; 0 where |phi| = 1.
[[nodiscard]] int modulus_exponent(const SpinModel& model, const Lattice& lattice, double largest_beta);
[[nodiscard]] int modulus_exponent(const Chain& chain);

/// Scale of the energies of bonds where |phi| is free.
[[nodiscard]] FixedScale energy_scale_of_modulus(const SpinModel& model, const Lattice& lattice, double largest_beta);

/// After a round: throws std::runtime_error (problem (why). suggestion) if the fields of a chain have left the range
/// for which the scales of its sums were chosen, so that nothing wrong is recorded.
///
/// too_large  a phi^2 went beyond the largest
/// record     its means must be finite
void check_field_range(const Chain& chain, bool too_large, const RoundRecord& record);

}}  // namespace glassworks::rounds
