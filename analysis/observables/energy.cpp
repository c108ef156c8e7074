#include "analysis/observables/families.hpp"
#include "analysis/observables/identity_columns.hpp"
#include "analysis/observables/observable_formulas.hpp"

namespace glassworks { inline namespace analysis {
namespace {

/// C = beta^2 N ([<e^2>] - [<e>^2]): the square without bias from two copies, or from independent runs of one system.
AverageFunction specific_heat(const ObservableContext& c) {
  const std::size_t squared = c.columns["energy_squared"];
  if (c.columns.energy_of_copy().size() > 1) {
    return [squared, product = c.columns[Columns::energy_product], N = c.sites](Averages x, double beta) {
      return beta * beta * N * (x[squared] - x[product]);
    };
  }
  return [squared, energy = c.columns["energy"], N = c.sites](Averages x, double beta) {
    return beta * beta * N * (x[squared] - x[energy] * x[energy]);
  };
}

AverageFunction identity_difference(const ObservableContext& c) {
  const std::optional<IdentityColumns> identity = IdentityColumns::of(c.config, c.columns);
  if (!identity) return {};
  return [identity = *identity, half_z = c.config.lattice(c.L).bonds_per_site()](Averages x, double beta) {
    return identity.energy_side(x) - identity.overlap_side(x, half_z, beta);
  };
}

AverageFunction field_identity_difference(const ObservableContext& c) {
  if (!c.columns.has("field_energy")) return {};
  return [field = c.columns["field_energy"], q = c.columns["overlap"], h = c.config.model.field_strength](
             Averages x, double beta) { return x[field] + beta * h * h * (1.0 - x[q]); };
}

AverageFunction crystal_field_energy(const ObservableContext& c) {
  if (!c.columns.has("quadrupole")) return {};
  return [at = c.columns["quadrupole"], Delta = c.config.model.spins.crystal_field](Averages x, double) {
    return Delta * x[at];
  };
}

}  // namespace

std::vector<Observable> energy_observables() {
  using namespace condition;
  return {
      {.name = "energy",
       .units = "J",
       .equation = "e = [<H>]/N",
       .estimator = stored("energy"),
       .figure = {170, "e", "Energy per site", "e = E/N in units of the couplings."},
       .column = {10, "energy"}},
      {.name = "energy_squared", .units = "J^2", .equation = "[<(H/N)^2>]"},
      {.name = "energy_product",
       .units = "J^2",
       .equation = "<e>_a <e>_b averaged over pairs of different copies a, b of a realization"},
      {.name = "specific_heat",
       .units = "k_B",
       .equation = "beta^2 N ([<e^2>] - [<e>_a <e>_b]); with one copy of one system [<e>]^2 over independent runs",
       .holds = {squared_energy},
       .estimator = specific_heat,
       .figure = {180, "C", "Specific heat per site",
                  "C = β^{2} N ([⟨e^{2}⟩] - [⟨e⟩_{a}⟨e⟩_{b}]), a and b different copies, so that the square of the "
                  "average has no bias; with one copy of a pure system [⟨e⟩]^{2} over independent runs."},
       .column = {20, "C"}},
      {.name = "bond_energy",
       .units = "J",
       .equation = "U_J = -(1/N) sum_<ij> [J_ij <s_i.s_j>]",
       .holds = {heisenberg},
       .estimator = stored("bond_energy")},
      {.name = "link_overlap",
       .units = "1",
       .equation = "q_l = (1/N_b) sum_<ij> [<(s_i.s_j)^(a) (s_i.s_j)^(b)>]",
       .holds = {two_copies},
       .estimator = stored("link_overlap"),
       .figure = {250, "q_{l}", "Link overlap", "q_{l} = (1/N_{b}) Σ (s_{i}·s_{j})^{(a)} (s_{i}·s_{j})^{(b)}."}},
      {.name = "q_s",
       .units = "1",
       .equation = "(1/N_b) sum_<ij> [<(s_i.s_j)^2>]",
       .holds = {heisenberg},
       .estimator = stored("q_s")},
      {.name = "bond_nematic",
       .units = "1",
       .equation = "(1/N_b) sum_<ij> [<(s_i.s_j)^2>]; 1/n at T = infinity",
       .holds = {nematic},
       .estimator = stored("bond_nematic"),
       .figure = {255, "(s_{i}·s_{j})^{2}", "Nematic order of bonds", "(1/N_{b}) Σ (s_{i}·s_{j})^{2}."}},
      {.name = "quadrupole",
       .units = "1",
       .equation = "(1/N) sum_i [<s_i^2>], the density of spins that are not 0",
       .holds = {quadrupoles},
       .estimator = stored("quadrupole"),
       .figure = {256, "⟨s^{2}⟩", "Density of spins that are not 0", "(1/N) Σ s_{i}^{2}."},
       .column = {25, "s^2"}},
      {.name = "crystal_field_energy",
       .units = "J",
       .equation = "(Delta/N) sum_i [<s_i^2>], the part of the energy that is not of bonds and fields",
       .holds = {quadrupoles},
       .estimator = crystal_field_energy},
      {.name = "demon_energy",
       .units = "J",
       .equation = "(1/N) sum_j [<E_j>] of the demons; beta = 1/<E> of vectors, ln(1 + g/<E>)/g of multiples of g",
       .holds = {reserves},
       .estimator = stored("reserve_energy"),
       .column = {26, "demons"}},
      {.name = "identity_difference",
       .units = "J",
       .equation = "U_J + (z/2) beta (q_s - q_l), z/2 = N_b/N, q_s = 1 of ising; 0 in equilibrium",
       .holds = {normal_couplings},
       .estimator = identity_difference,
       .figure = {280, "ΔU", "Identity of Gaussian couplings",
                  "U_{J} + (z/2) β (q_{s} - q_{l}): zero in equilibrium. A deviation beyond its errors at low "
                  "temperature shows that realizations are not equilibrated.",
                  false, true},
       .column = {160, "identity"}},
      {.name = "field_energy",
       .units = "J",
       .equation = "-(1/N) sum_i [H_i.<s_i> + D <(n_i.s_i)^2>]",
       .holds = {site_terms},
       .estimator = stored("field_energy")},
      {.name = "field_identity_difference",
       .units = "J",
       .equation = "-(1/N) sum_i [H_i.<s_i>] + beta h^2 (1 - [q]), 0 in equilibrium",
       .holds = {normal_fields},
       .estimator = field_identity_difference,
       .figure = {290, "ΔU_{H}", "Identity of Gaussian fields",
                  "-(1/N)[Σ H·s] + β h^{2} (1 - [q]): zero in equilibrium.", false, true},
       .column = {170, "field identity"}},
  };
}

}}  // namespace glassworks::analysis
