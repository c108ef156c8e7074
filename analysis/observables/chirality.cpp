#include <fmt/format.h>

#include "analysis/observables/families.hpp"
#include "analysis/observables/observable_formulas.hpp"

namespace glassworks { inline namespace analysis {

namespace {

/// Susceptibilities and lengths of the chirality along one axis.
void add_axis(int axis, std::vector<Observable>& rows) {
  using namespace condition;
  const char a = "xyzw"[axis];
  const auto column = [&](const char* mean, Scale scale) { return stored(fmt::format("{}_{}", mean, a), scale); };
  const MakeEstimator zero = column("chiral_zero", Scale::times_N),
                      along = column("chiral_kmin_parallel", Scale::times_N),
                      across = column("chiral_kmin_perpendicular", Scale::times_N);
  rows.push_back({.name = fmt::format("chi_cg_{}", a),
                  .units = "1",
                  .equation = fmt::format("N [<|q_c^{}(0)|^2>]", a),
                  .holds = {chirality_of_axes},
                  .estimator = zero});
  rows.push_back({.name = fmt::format("xi_chiral_{}_over_L", a),
                  .units = "1",
                  .equation = fmt::format("xi(chi_cg_{0})/L, k along {0}", a),
                  .holds = {chirality_of_axes, chirality_without_mean},
                  .estimator = xi_over_L(zero, along)});
  rows.push_back({.name = fmt::format("xi_chiral_perp_{}_over_L", a),
                  .units = "1",
                  .equation = fmt::format("xi(chi_cg_{})/L, k along the other axes", a),
                  .holds = {chirality_of_axes, two_dimensions, chirality_without_mean},
                  .estimator = xi_over_L(zero, across)});
  rows.push_back(
      {.name = fmt::format("chiral_zero_{}", a), .units = "1", .equation = fmt::format("[<|q_c^{}(0)|^2>]", a)});
  rows.push_back({.name = fmt::format("chiral_kmin_parallel_{}", a),
                  .units = "1",
                  .equation = fmt::format("[<|q_c^{0}(k)|^2>], k = k_min along {0}", a)});
  rows.push_back({.name = fmt::format("chiral_kmin_perpendicular_{}", a),
                  .units = "1",
                  .equation = fmt::format("[<|q_c^{}(k)|^2>], k = k_min along the other axes", a)});
}

}  // namespace

std::vector<Observable> chirality_observables() {
  using namespace condition;
  const auto one = [](const SpinModel&) { return 1; };
  const MakeEstimator zero = stored("chiral_zero", Scale::times_N);
  const MakeEstimator along = stored("chiral_kmin_parallel", Scale::times_N);
  const MakeEstimator across = stored("chiral_kmin_perpendicular", Scale::times_N);
  std::vector<Observable> rows = {
      {.name = "chi_cg",
       .units = "1",
       .equation = "N [<|q_c^a(0)|^2>] averaged over the axes a, of on over the normals a of plaquettes; of "
                   "triangles q_c(k) = (1/N) sum over all of them",
       .holds = {chirality},
       .estimator = zero,
       .figure =
           {60, "χ_{CG}", "Chiral-glass susceptibility",
            "χ_{CG} = N [|q_{c}(0)|^{2}], averaged over the axes, of XY spins over the orientations of plaquettes.",
            true}},
      {.name = "chi_cg_kmin",
       .units = "1",
       .equation = "N [<|q_c^a(k_min)|^2>], k parallel to a",
       .holds = {chirality_along},
       .estimator = along},
      {.name = "xi_chiral_over_L",
       .units = "1",
       .equation = "xi(chi_cg)/L, k parallel to a",
       .holds = {chirality_along, chirality_without_mean},
       .estimator = xi_over_L(zero, along),
       .figure = {20, "ξ_{c}^{∥}/L", "Chiral correlation length, parallel",
                  "The same from the chiral overlap, chirality (the normal of plaquettes) along k_{min}."},
       .column = {120, "xi_c/L"}},
      {.name = "chi_cg_kmin_perp",
       .units = "1",
       .equation = "N [<|q_c^a(k_min)|^2>], k perpendicular to a",
       .holds = {chirality_across},
       .estimator = across},
      {.name = "xi_chiral_perp_over_L",
       .units = "1",
       .equation = "xi(chi_cg)/L, k perpendicular to a",
       .holds = {chirality_across, chirality_without_mean},
       .estimator = xi_over_L(zero, across),
       .figure = {30, "ξ_{c}^{⊥}/L", "Chiral correlation length, perpendicular",
                  "The same from the chiral overlap, chirality (the normal of plaquettes) perpendicular to k_{min}."},
       .column = {125, "xi_c/L", "xi_chiral_over_L"}},
      {.name = "chiral_q4_over_q2sq",
       .units = "1",
       .equation = "r = [<(q_c^a)^4>]/[<(q_c^a)^2>]^2 at k = 0",
       .holds = {chirality},
       .estimator = moment_ratio("chiral_zero", "chiral_4")},
      {.name = "chiral_binder",
       .units = "1",
       .equation = "(3 - r)/2, r = [<(q_c^a)^4>]/[<(q_c^a)^2>]^2 at k = 0",
       .holds = {chirality, chirality_without_mean},
       .estimator = binder("chiral_zero", "chiral_4", one),
       .figure = {90, "g_{c}", "Binder cumulant of the chiral overlap",
                  "g_{c} = (3 - [q_{c}^{4}]/[q_{c}^{2}]^{2})/2."}},
      {.name = "chiral_4", .units = "1", .equation = "[<(q_c^a)^4>] at k = 0, averaged over the axes a"},
      {.name = "chiral_zero", .units = "1", .equation = "[<|q_c^a(k)|^2>] at k = 0, averaged over the axes a"},
      {.name = "chiral_kmin_parallel", .units = "1", .equation = "[<|q_c^a(k)|^2>], k = k_min parallel to a"},
      {.name = "chiral_kmin_perpendicular", .units = "1", .equation = "[<|q_c^a(k)|^2>], k = k_min perpendicular to a"},
      {.name = "chiral_2kmin_parallel", .units = "1", .equation = "[<|q_c^a(k)|^2>], k = 2 k_min parallel to a"},
      {.name = "chiral_2kmin_perpendicular",
       .units = "1",
       .equation = "[<|q_c^a(k)|^2>], k = 2 k_min perpendicular to a"},
      {.name = "chiral_110_parallel",
       .units = "1",
       .equation = "[<|q_c^a(k)|^2>], k = (1,1,0) k_min, a among its axes"},
      {.name = "chiral_110_perpendicular",
       .units = "1",
       .equation = "[<|q_c^a(k)|^2>], k = (1,1,0) k_min, a not among its axes"},
      {.name = "chiral_111", .units = "1", .equation = "[<|q_c^a(k)|^2>], k = (1,1,1) k_min"},
      {.name = "triangle_chirality_2",
       .units = "1",
       .equation = "[<kappa_t^2>] over triangles t, kappa_t = -(2/(3 sqrt 3)) sum of sgn(J) s_i x s_j over the three "
                   "bonds, around; 1 in the ground states of a frustrated triangle; 2/9 at T = infinity, 8/27 of n = 3",
       .holds = {triangles},
       .estimator = stored("triangle_chirality_2"),
       .figure = {264, "κ_{t}^{2}", "Chirality of triangles",
                  "κ_{t} = -(2/(3√3)) Σ sgn(J_{ij}) s_{i} × s_{j} over the three bonds of a triangle."}},
      {.name = "plaquette_chirality_2",
       .units = "1",
       .equation =
           "[<kappa_p^2>] over plaquettes p of two axes, kappa_p = sum of sgn(J) sin(theta_i - theta_j) over the "
           "four bonds, around, / (2 sqrt 2); 1/4 at T = infinity",
       .holds = {xy},
       .estimator = stored("plaquette_chirality_2"),
       .figure = {262, "κ_{p}^{2}", "Chirality of plaquettes",
                  "κ_{p} = Σ sgn(J_{ij}) sin(θ_{i} - θ_{j})/(2√2) over the four bonds of a plaquette."}},
  };
  for (int axis = 0; axis < Lattice::max_dim; ++axis) add_axis(axis, rows);
  return rows;
}

}}  // namespace glassworks::analysis
