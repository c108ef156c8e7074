#pragma once

#include <vector>

#include "analysis/estimators.hpp"

namespace glassworks {

/// Derived observables of the models ising, potts, on and phi4 (kernels' ClusterObservables). N = L^dim; n: components
/// of the order parameter, 1 of ising, q - 1 of potts, n of on, 4 of phi4. [.] is the average over realizations, which
/// are independent runs of one system where all couplings are 1 or from a file.
///
///     specific_heat                beta^2 N ([<e^2>] - [<e>_a <e>_b]), a != b copies of one realization; one copy
///                                  of one system: beta^2 N ([<e^2>] - [<e>]^2); one copy of many systems: none
///     magnetization_abs, _2, _4    |m|, m^2, m^4
///     chi_m                        N [<m^2>]
///     chi_m_connected              N ([<m^2>] - [<|m|>]^2), one system
///     magnetization_binder         (n + 2 - n r)/2, r = [<m^4>]/[<m^2>]^2
///     xi_m_over_L                  correlation_length(N [<m^2>], N [<|m(k_min)|^2>]) / L
///     chi_m_improved, xi_m_improved_over_L  the same from the clusters; Swendsen-Wang only
///     clusters, largest_cluster, mean_cluster, wrapping_any, wrapping_all  of them
///     moved_sites                  sites moved by a cluster update, per site
///     modulus_2, modulus_4         phi^2 and its square; phi4 at finite lambda
///     local_acceptance             proposals of |phi| that local sweeps accept; phi4 at finite lambda
///     overlap, link_overlap, chi_sg, xi_over_L, overlap_binder  two copies or more: chi_sg = N [<q^2>], and
///                                  (k + 2 - k r)/2 with k = 1, n^2 for on and phi4
///     acceptance, walk_up_fraction where there are exchanges
[[nodiscard]] std::vector<Estimator> make_cluster_estimators(const Config& config, int L, const Columns& columns);

/// Whether all realizations have the same couplings, all 1 or from a file, so that they are independent runs of one
/// system (fields apart, which these models do not have).
[[nodiscard]] bool is_one_system(const Config& config);

/// Components n of the order parameter.
[[nodiscard]] int order_parameter_components(const SpinModel& model);

}  // namespace glassworks
