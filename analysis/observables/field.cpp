#include "analysis/observables/families.hpp"
#include "analysis/observables/observable_formulas.hpp"

namespace glassworks { inline namespace analysis {
namespace {

/// N times a term of the susceptibility in a field.
MakeEstimator chi(const std::string& family, int axes) {
  return [=](const ObservableContext& c) {
    return c.columns.energy_of_copy().size() == 4 ? mode_mean(c, family, axes) : AverageFunction{};
  };
}

MakeEstimator connected(int axes) {
  return [=](const ObservableContext& c) -> AverageFunction {
    AverageFunction one = chi("chi_1", axes)(c), two = chi("chi_2", axes)(c), three = chi("chi_3", axes)(c);
    if (!one) return {};
    return [one = std::move(one), two = std::move(two), three = std::move(three)](Averages x, double beta) {
      return one(x, beta) - 2.0 * two(x, beta) + three(x, beta);
    };
  };
}

}  // namespace

/// Source: Yavors'kii & Weigel, Eur. Phys. J. Spec. Top. 210, 159 (2012), eq. (10).
std::vector<Observable> field_observables() {
  using namespace condition;
  return {
      {.name = "chi_1",
       .units = "1",
       .equation = "N [<|A_ab(0)|^2>], A_ab(k) = sum_mu q_ab^{mu mu}(k)",
       .holds = {field_terms},
       .estimator = chi("chi_1", 0)},
      {.name = "chi_2",
       .units = "1",
       .equation = "N [<Re A_ab A_ac*>] at k = 0",
       .holds = {field_terms},
       .estimator = chi("chi_2", 0)},
      {.name = "chi_3",
       .units = "1",
       .equation = "N [<Re A_ab A_cd*>] at k = 0",
       .holds = {field_terms},
       .estimator = chi("chi_3", 0)},
      {.name = "chi_sg_field",
       .units = "1",
       .equation = "chi_1 - 2 chi_2 + chi_3 at k = 0, connected",
       .holds = {field_terms},
       .estimator = connected(0),
       .figure = {70, "χ_{SG} (field)", "Connected spin-glass susceptibility in a field",
                  "N(χ_{1} - 2χ_{2} + χ_{3}) at k = 0; without a field the two-copy χ_{SG} divided by the components "
                  "of a spin.",
                  true}},
      {.name = "chi_1_kmin",
       .units = "1",
       .equation = "N [<|A_ab(k_min)|^2>]",
       .holds = {field_terms},
       .estimator = chi("chi_1", 1)},
      {.name = "chi_2_kmin",
       .units = "1",
       .equation = "N [<Re A_ab A_ac*>] at k_min",
       .holds = {field_terms},
       .estimator = chi("chi_2", 1)},
      {.name = "chi_3_kmin",
       .units = "1",
       .equation = "N [<Re A_ab A_cd*>] at k_min",
       .holds = {field_terms},
       .estimator = chi("chi_3", 1)},
      {.name = "chi_sg_field_kmin",
       .units = "1",
       .equation = "chi_1 - 2 chi_2 + chi_3 at k_min, connected",
       .holds = {field_terms},
       .estimator = connected(1)},
      {.name = "xi_field_over_L",
       .units = "1",
       .equation = "xi(chi_sg_field)/L",
       .holds = {field_terms},
       .estimator = xi_over_L(connected(0), connected(1)),
       .figure = {40, "ξ_{L}/L (field)", "Connected correlation length in a field",
                  "From the connected susceptibility N(χ_{1} - 2χ_{2} + χ_{3}) of four copies."},
       .column = {130, "xi_L/L (field)"}},
  };
}

}}  // namespace glassworks::analysis
