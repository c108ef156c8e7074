#include <fmt/format.h>

#include <cmath>

#include "analysis/observables/families.hpp"
#include "analysis/observables/observable_formulas.hpp"

namespace glassworks { inline namespace analysis {
namespace {

AverageFunction chi_m_connected(const ObservableContext& c) {
  if (!c.columns.has("magnetization_abs")) return {};
  return [a = c.columns["magnetization_2"], b = c.columns["magnetization_abs"], N = c.sites](Averages x, double) {
    return N * (x[a] - x[b] * x[b]);
  };
}

Observable xi_m_of_axis(int axis) {
  using namespace condition;
  const char letter = "xyzw"[axis];
  return {.name = fmt::format("xi_m_{}", letter),
          .units = "lattice constants",
          .equation = fmt::format("xi of [<m^2>] at k = 0 and k = 2 pi/L_{0} along {0}", letter),
          .holds = {axis_modes_of_m, mean_coupling, m_without_mean, no_antiperiodic_ends},
          .estimator = xi_along(stored("magnetization_2"), stored(fmt::format("magnetization_kmin_{}", letter)), axis)};
}

/// Of heisenberg in a constant field: the component of m along it, from the stored ones.
AverageFunction m_along_field(const ObservableContext& c) {
  if (!c.columns.has("magnetization_x")) return {};
  const std::vector<double> H = constant_field(c.config.model, 3);
  const double length = std::hypot(H[0], H[1], H[2]);
  if (!(length > 0.0)) return {};
  return [H, length, first = c.columns["magnetization_x"]](Averages x, double) {
    return (H[0] * x[first] + H[1] * x[first + 1] + H[2] * x[first + 2]) / length;
  };
}

}  // namespace

std::vector<Observable> magnetization_observables() {
  using namespace condition;
  return {
      {.name = "magnetization_abs",
       .units = "1",
       .equation = "[<|m|>]",
       .holds = {not_heisenberg},
       .shown = {mean_coupling},
       .estimator = stored("magnetization_abs"),
       .figure = {140, "|m|", "Magnetization", "|m|; of potts m^{2} = (q Σ_{a} ρ_{a}^{2} - 1)/(q - 1)."},
       .column = {30, "|m|"}},
      {.name = "magnetization_x",
       .units = "1",
       .equation = "x component of m = (1/N) sum_i [<s_i>]",
       .holds = {heisenberg},
       .estimator = stored("magnetization_x")},
      {.name = "magnetization_y",
       .units = "1",
       .equation = "y component of m = (1/N) sum_i [<s_i>]",
       .holds = {heisenberg},
       .estimator = stored("magnetization_y")},
      {.name = "magnetization_z",
       .units = "1",
       .equation = "z component of m = (1/N) sum_i [<s_i>]",
       .holds = {heisenberg},
       .estimator = stored("magnetization_z")},
      {.name = "magnetization_along_field",
       .units = "1",
       .equation = "component of m = (1/N) sum_i [<s_i>] along the field",
       .holds = {heisenberg, constant_field},
       .estimator = m_along_field},
      {.name = "signed_magnetization",
       .units = "1",
       .equation =
           "(1/N) sum_i [<s_i>] of ising and blume-capel; of vectors their last component, along which a constant "
           "field points by default",
       .holds = {signed_m},
       .estimator = stored("signed_magnetization")},
      {.name = "magnetization_2",
       .units = "1",
       .equation = "[<m^2>]; of potts m^2 = (q sum_a rho_a^2 - 1)/(q - 1), rho_a the density of state a",
       .estimator = stored("magnetization_2")},
      {.name = "magnetization_4", .units = "1", .equation = "[<m^4>]", .estimator = stored("magnetization_4")},
      {.name = "magnetization_kmin", .units = "1", .equation = "[<|m(k_min)|^2>], averaged over the axes"},
      {.name = "chi_m",
       .units = "1",
       .equation = "N [<m^2>]",
       .estimator = stored("magnetization_2", Scale::times_N),
       .figure = {270, "χ_{m}", "Magnetic susceptibility", "χ_{m} = N [⟨m^{2}⟩]."}},
      {.name = "chi_m_connected",
       .units = "1",
       .equation = "N ([<m^2>] - [<|m|>]^2)",
       .holds = {one_system, not_heisenberg},
       .estimator = chi_m_connected,
       .figure = {160, "χ_{m} (connected)", "Connected magnetic susceptibility", "N ([⟨m^{2}⟩] - [⟨|m|⟩]^{2}).", true}},
      {.name = "magnetization_binder",
       .units = "1",
       .equation = "(n + 2 - n r)/2, r = [<m^4>]/[<m^2>]^2, n components of m: 3 of heisenberg, q - 1 of potts",
       .holds = {m_without_mean},
       .shown = {not_heisenberg, mean_coupling},
       .estimator = binder("magnetization_2", "magnetization_4", order_parameter_components),
       .figure =
           {130, "g_{m}", "Binder cumulant of the magnetization",
            "g = (n + 2 - n [m^{4}]/[m^{2}]^{2})/2, n components of the order parameter (q - 1 of potts): 0 for a "
            "Gaussian, 1 for a fixed modulus."},
       .column = {50, "Binder of m"}},
      {.name = "xi_m_over_L",
       .units = "1",
       .equation = "xi/L of [<m^2>] at k = 0 and k_min; in random fields [<m>^2] is part of it",
       .holds = {not_heisenberg, mean_coupling, m_without_mean, no_antiperiodic_ends},
       .shown = {no_field},
       .estimator = xi_over_L(stored("magnetization_2"), stored("magnetization_kmin")),
       .figure = {110, "ξ_{m}/L", "Correlation length of the magnetization",
                  "Second-moment correlation length from m^{2} at k = 0 and k_{min}, over L. Curves of different sizes "
                  "cross where the system is scale invariant."},
       .column = {60, "xi_m/L"}},
      xi_m_of_axis(0),
      xi_m_of_axis(1),
      xi_m_of_axis(2),
      xi_m_of_axis(3),
      {.name = "modulus_2",
       .units = "1",
       .equation = "(1/N) sum_i [<phi_i^2>]",
       .holds = {free_modulus},
       .estimator = stored("modulus_2"),
       .figure = {190, "φ^{2}", "Modulus of the field", "φ^{2} = (1/N) Σ φ_{i}^{2}."},
       .column = {70, "phi^2"}},
      {.name = "modulus_4",
       .units = "1",
       .equation = "(1/N) sum_i [<(phi_i^2)^2>]",
       .holds = {free_modulus},
       .estimator = stored("modulus_4")},
      {.name = "local_acceptance",
       .units = "1",
       .equation = "accepted part of the proposals of local sweeps, of phi4 those of |phi|",
       .holds = {rejections},
       .estimator = stored("local_acceptance"),
       .column = {80, "moves accepted"}},
  };
}

}}  // namespace glassworks::analysis
