#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "analysis/columns.hpp"
#include "engine/config.hpp"

namespace glassworks {

/// A derived observable: a function of the disorder averages at one slot.
struct Estimator {
  std::string name;  ///< as in the CSV file
  /// averages[column of Columns], beta = 1/T
  std::function<double(std::span<const double> averages, double beta)> value;
  bool of_pair = false;  ///< belongs to the slots t, t+1, so the last slot has none
};

/// All derived observables of a campaign at one lattice size. The stored observables that need no formula are among
/// them (energy, link_overlap, ...). N = L^dim; N_b = dim N.
///
///     specific_heat             beta^2 N ([<e^2>] - [<e>_a <e>_b]), a != b copies of one realization
///     chi_sg, chi_sg_kmin, ...  N [sum_{mu nu} |q^{mu nu}(k)|^2], two copies, normalization of zero field
///     xi_over_L                 correlation_length(chi_sg, chi_sg_kmin) / L
///     chi_cg, ...               N [|q_c^a(k)|^2]; a parallel or perpendicular to k kept apart
///     q4_over_q2sq, binder      r = [q^4]/[q^2]^2 and (11 - 9 r)/2, q^2 = sum_{mu nu} (q^{mu nu})^2
///     chiral_q4_over_q2sq, ...  the same for q_c with one component: (3 - r)/2
///     chi_m, magnetization_binder  N [<m^2>] and (5 - 3 r)/2, r = [m^4]/[m^2]^2
///     identity_difference       U_J + (z/2) beta (q_s - q_l), 0 in equilibrium; gaussian couplings only
///     field_identity_difference -(1/N) [sum H.s] + beta h^2 (1 - [q]); gaussian fields of variance h^2 only
///     acceptance                of the exchange of the slots t, t+1
///     walk_up_fraction          replicas that visited T_1 after T_max, of all that visited an end
///     chi_1, chi_2, chi_3, chi_sg_field = N (chi_1 - 2 chi_2 + chi_3), xi_field_over_L, at k = 0 and k_min: four
///     copies,
///                               connected, right in a field; in zero field a third of chi_sg (three components)
///
/// Models other than heisenberg: make_cluster_estimators.
/// Source: Lee & Young, PRB 76, 024405 (2007); Yavors'kii & Weigel, Eur. Phys. J. Spec. Top. 210, 159 (2012), eq. (10).
[[nodiscard]] std::vector<Estimator> make_estimators(const Config& config, int L, const Columns& columns);

/// Second-moment correlation length xi_L = sqrt(chi(0)/chi(k_min) - 1) / (2 sin(k_min/2)), k_min = 2 pi/L, in lattice
/// constants. NaN where chi(k_min) <= 0 or chi(0) < chi(k_min).
[[nodiscard]] double correlation_length(double chi_zero, double chi_kmin, int L);

/// Binder cumulant g = (n + 2 - n r)/2, r = [q^4]/[q^2]^2, of an order parameter of n components: 0 for a Gaussian, 1
/// for a fixed modulus. NaN where [q^2] <= 0.
[[nodiscard]] double binder_cumulant(double q_2, double q_4, int components);

}  // namespace glassworks
