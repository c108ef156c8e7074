#include <fmt/format.h>

#include <algorithm>

#include "analysis/observables/families.hpp"
#include "analysis/observables/observable_formulas.hpp"

namespace glassworks { inline namespace analysis {
namespace {

MakeEstimator modes(int axes, int multiple = 1) {
  return [=](const ObservableContext& c) { return mode_mean(c, "overlap_k", axes, multiple); };
}

/// chi_SG at k = 0 and k_min: of heisenberg the mean of the wave vectors, of the others one stored column.
AverageFunction chi_zero(const ObservableContext& c) {
  return c.columns.has_modes("overlap_k", 0) ? mode_mean(c, "overlap_k", 0) : stored("overlap_2", Scale::times_N)(c);
}
AverageFunction chi_kmin(const ObservableContext& c) {
  if (!c.config.model.has_positions()) return {};
  return c.columns.has_modes("overlap_k", 1) ? mode_mean(c, "overlap_k", 1) : stored("overlap_kmin", Scale::times_N)(c);
}

/// chi_SG at k = 2 pi/L_a along one axis: of heisenberg where the ends of the axes differ.
MakeEstimator chi_along(int axis) {
  return [axis](const ObservableContext& c) -> AverageFunction {
    if (axis >= c.columns.dim()) return {};
    if (!c.columns.has_modes("overlap_k", 1))
      return stored(std::string("overlap_kmin_") + "xyzw"[axis], Scale::times_N)(c);
    const auto& ends = c.config.model.boundary;
    if (std::ranges::adjacent_find(ends, std::ranges::not_equal_to()) == ends.end()) return {};
    std::string name = "overlap_k(";
    for (int other = 0; other < c.columns.dim(); ++other) {
      name += fmt::format("{}{}", other > 0 ? "," : "", other == axis ? 1 : 0);
    }
    return stored(name + ")", Scale::times_N)(c);
  };
}

Observable xi_of_axis(int axis) {
  using namespace condition;
  const char letter = "xyzw"[axis];
  return {.name = fmt::format("xi_{}", letter),
          .units = "lattice constants",
          .equation = fmt::format("xi of chi_sg at k = 0 and k = 2 pi/L_{0} along {0}", letter),
          .holds = {axis_modes_of_overlap, no_field},
          .estimator = xi_along(chi_zero, chi_along(axis), axis),
          .figure = {12 + axis, fmt::format("ξ_{{{}}}", letter), fmt::format("Correlation length along {}", letter),
                     fmt::format("Second-moment correlation length of the spin glass from k = 0 and k = 2π/L_{{{0}}} "
                                 "along {0}, in lattice constants.",
                                 letter)}};
}

/// Components of the overlap: products of two components of vectors, else one number.
int overlap_components(const SpinModel& model) {
  const int n = components_of(model);
  return order_parameter_of(model) == models::OrderParameter::vector ? n * n : 1;
}

}  // namespace

std::vector<Observable> overlap_observables() {
  using namespace condition;
  return {
      {.name = "overlap",
       .units = "1",
       .equation = "q = (1/N) sum_i [<s_i^(a).s_i^(b)>]",
       .holds = {two_copies},
       .estimator = stored("overlap"),
       .figure = {260, "q", "Overlap", "q = (1/N) Σ s_{i}^{(a)}·s_{i}^{(b)}; 0 without a field."}},
      {.name = "overlap_2", .units = "1", .equation = "[<q^2>], q^2 = sum_{mu nu} (q^{mu nu}(0))^2"},
      {.name = "overlap_4", .units = "1", .equation = "[<q^4>], q^4 = (sum_{mu nu} (q^{mu nu}(0))^2)^2"},
      {.name = "overlap_kmin", .units = "1", .equation = "[<|q(k_min)|^2>], averaged over the axes"},
      {.name = "chi_sg",
       .units = "1",
       .equation = "N sum_{mu nu} [<|q^{mu nu}(0)|^2>]",
       .holds = {two_copies},
       .estimator = chi_zero,
       .figure = {50, "χ_{SG}", "Spin-glass susceptibility", "χ_{SG} = N [Σ_{μν} |q^{μν}(0)|^{2}], two copies.", true},
       .column = {90, "chi_SG"}},
      {.name = "chi_sg_kmin",
       .units = "1",
       .equation = "N sum_{mu nu} [<|q^{mu nu}(k)|^2>], k = 2 pi/L along an axis",
       .holds = {two_copies},
       .estimator = chi_kmin},
      {.name = "chi_sg_2kmin",
       .units = "1",
       .equation = "N sum_{mu nu} [<|q^{mu nu}(k)|^2>], k = 4 pi/L along an axis",
       .holds = {heisenberg},
       .estimator = modes(1, 2)},
      {.name = "chi_sg_110",
       .units = "1",
       .equation = "N sum_{mu nu} [<|q^{mu nu}(k)|^2>], k = (2 pi/L)(1,1,0)",
       .holds = {heisenberg, two_dimensions},
       .estimator = modes(2)},
      {.name = "chi_sg_111",
       .units = "1",
       .equation = "N sum_{mu nu} [<|q^{mu nu}(k)|^2>], k = (2 pi/L)(1,1,1)",
       .holds = {heisenberg, three_dimensions},
       .estimator = modes(3)},
      {.name = "xi_over_L",
       .units = "1",
       .equation = "xi(chi_sg)/L",
       .holds = {two_copies, no_field},
       .estimator = xi_over_L(chi_zero, chi_kmin),
       .figure = {10, "ξ_{L}/L", "Correlation length of the spin glass",
                  "Second-moment correlation length ξ_{L} = [χ_{SG}(0)/χ_{SG}(k_{min}) - 1]^{1/2} / [2 "
                  "sin(k_{min}/2)] over L, k_{min} averaged over the axes. Curves of different sizes cross where the "
                  "system is scale invariant."},
       .column = {100, "xi_L/L"}},
      xi_of_axis(0),
      xi_of_axis(1),
      xi_of_axis(2),
      xi_of_axis(3),
      {.name = "q4_over_q2sq",
       .units = "1",
       .equation = "r = [<q^4>]/[<q^2>]^2",
       .holds = {heisenberg},
       .estimator = moment_ratio("overlap_2", "overlap_4")},
      {.name = "binder",
       .units = "1",
       .equation = "(11 - 9 r)/2, r = [<q^4>]/[<q^2>]^2",
       .holds = {heisenberg, no_field},
       .estimator = binder("overlap_2", "overlap_4", overlap_components),
       .figure =
           {80, "g", "Binder cumulant of the overlap",
            "g = (11 - 9 [q^{4}]/[q^{2}]^{2})/2 with q^{2} = Σ_{μν} (q^{μν})^{2}: 0 for a Gaussian, 1 for a fixed "
            "modulus."},
       .column = {140, "Binder"}},
      {.name = "overlap_binder",
       .units = "1",
       .equation = "(k + 2 - k r)/2, r = [<q^4>]/[<q^2>]^2, k components of q: 1 of ising and potts, n^2 of vectors",
       .holds = {not_heisenberg, two_copies, no_field},
       .estimator = binder("overlap_2", "overlap_4", overlap_components),
       .figure = {100, "g_{q}", "Binder cumulant of the overlap",
                  "g = (k + 2 - k [q^{4}]/[q^{2}]^{2})/2, k components of the overlap (1 of ising and potts, n^{2} of "
                  "vectors): 0 for a Gaussian, 1 for a fixed modulus."},
       .column = {110, "Binder of q"}},
  };
}

}}  // namespace glassworks::analysis
