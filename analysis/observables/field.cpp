#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "analysis/observables/families.hpp"
#include "analysis/observables/observable_formulas.hpp"

namespace glassworks { inline namespace analysis {
namespace {

/// N times a term of the susceptibility in a field.
MakeEstimator chi(const std::string& family, int axes, int multiple = 1) {
  return [=](const ObservableContext& c) {
    return c.columns.energy_of_copy().size() == 4 ? mode_mean(c, family, axes, multiple) : AverageFunction{};
  };
}

MakeEstimator connected(int axes, int multiple = 1) {
  return [=](const ObservableContext& c) -> AverageFunction {
    AverageFunction one = chi("chi_1", axes, multiple)(c), two = chi("chi_2", axes, multiple)(c),
                    three = chi("chi_3", axes, multiple)(c);
    if (!one) return {};
    return [one = std::move(one), two = std::move(two), three = std::move(three)](Averages x, double beta) {
      return one(x, beta) - 2.0 * two(x, beta) + three(x, beta);
    };
  };
}

/// The same of the chirality, of one of its means: "zero", "kmin_parallel", ... Their first term is the mean itself.
MakeEstimator connected_chirality(const std::string& mean) {
  return [=](const ObservableContext& c) -> AverageFunction {
    AverageFunction one = stored("chiral_" + mean)(c), two = stored("chiral_chi_2_" + mean)(c),
                    three = stored("chiral_chi_3_" + mean)(c);
    if (!one || !two || !three) return {};
    return [one = std::move(one), two = std::move(two), three = std::move(three), N = c.sites](
               Averages x, double beta) { return N * (one(x, beta) - 2.0 * two(x, beta) + three(x, beta)); };
  };
}

struct ChiralMean {
  const char *name, *wave_vector;
};
constexpr ChiralMean chiral_means_of_bins[] = {{"zero", "k = 0, averaged over the axes a"},
                                               {"kmin_parallel", "k = k_min parallel to a"},
                                               {"kmin_perpendicular", "k = k_min perpendicular to a"},
                                               {"2kmin_parallel", "k = 2 k_min parallel to a"},
                                               {"2kmin_perpendicular", "k = 2 k_min perpendicular to a"},
                                               {"110_parallel", "k = (1,1,0) k_min, a among its axes"},
                                               {"110_perpendicular", "k = (1,1,0) k_min, a not among its axes"},
                                               {"111", "k = (1,1,1) k_min"}};
static_assert(std::size(chiral_means_of_bins) == chiral_means);

/// What bins hold of the second and third term.
void add_stored_terms(std::vector<Observable>& rows) {
  for (const int term : {2, 3}) {
    for (const ChiralMean& mean : chiral_means_of_bins) {
      rows.push_back({.name = fmt::format("chiral_chi_{}_{}", term, mean.name),
                      .units = "1",
                      .equation = fmt::format("[<Re A_ab A_{}*>], A_ab = q_c^a(k) of the copies a, b, {}",
                                              term == 2 ? "ac" : "cd", mean.wave_vector)});
    }
  }
}

std::vector<Observable> chiral_response_observables() {
  using namespace condition;
  const MakeEstimator zero = connected_chirality("zero"), along = connected_chirality("kmin_parallel"),
                      across = connected_chirality("kmin_perpendicular");
  std::vector<Observable> rows = {
      {.name = "chi_cg_field",
       .units = "1",
       .equation =
           "N [chi_1 - 2 chi_2 + chi_3] of A_ab = q_c^a(0) of the copies a, b, averaged over the axes, connected",
       .holds = {chiral_terms},
       .estimator = zero,
       .figure = {72, "χ_{CG} (field)", "Connected chiral-glass susceptibility in a field",
                  "N(χ_{1} - 2χ_{2} + χ_{3}) of the chirality at k = 0, averaged over the axes.", true}},
      {.name = "chi_cg_field_kmin",
       .units = "1",
       .equation = "the same at k_min parallel to a",
       .holds = {chiral_terms},
       .estimator = along},
      {.name = "xi_chiral_field_over_L",
       .units = "1",
       .equation = "xi(chi_cg_field)/L, k parallel to a",
       .holds = {chiral_terms},
       .estimator = xi_over_L(zero, along),
       .figure = {42, "ξ_{c}^{∥}/L (field)", "Connected chiral correlation length in a field, parallel",
                  "From the connected chiral susceptibility of four copies, chirality along k_{min}."},
       .column = {132, "xi_c/L (field)"}},
      {.name = "chi_cg_field_kmin_perp",
       .units = "1",
       .equation = "the same at k_min perpendicular to a",
       .holds = {chiral_terms, two_dimensions},
       .estimator = across},
      {.name = "xi_chiral_perp_field_over_L",
       .units = "1",
       .equation = "xi(chi_cg_field)/L, k perpendicular to a",
       .holds = {chiral_terms, two_dimensions},
       .estimator = xi_over_L(zero, across),
       .figure = {44, "ξ_{c}^{⊥}/L (field)", "Connected chiral correlation length in a field, perpendicular",
                  "From the connected chiral susceptibility of four copies, chirality perpendicular to k_{min}."}}};
  add_stored_terms(rows);
  return rows;
}

}  // namespace

/// Source: Yavors'kii & Weigel, Eur. Phys. J. Spec. Top. 210, 159 (2012), eq. (10).
std::vector<Observable> field_observables() {
  using namespace condition;
  std::vector<Observable> rows = {
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
      {.name = "chi_sg_field_2kmin",
       .units = "1",
       .equation = "chi_1 - 2 chi_2 + chi_3 at 2 k_min, connected",
       .holds = {field_terms},
       .estimator = connected(1, 2)},
      {.name = "chi_sg_field_110",
       .units = "1",
       .equation = "chi_1 - 2 chi_2 + chi_3 at (2 pi/L)(1,1,0), connected",
       .holds = {field_terms, heisenberg, two_dimensions},
       .estimator = connected(2)},
      {.name = "chi_sg_field_111",
       .units = "1",
       .equation = "chi_1 - 2 chi_2 + chi_3 at (2 pi/L)(1,1,1), connected",
       .holds = {field_terms, heisenberg, three_dimensions},
       .estimator = connected(3)},
      {.name = "xi_field_over_L",
       .units = "1",
       .equation = "xi(chi_sg_field)/L",
       .holds = {field_terms},
       .estimator = xi_over_L(connected(0), connected(1)),
       .figure = {40, "ξ_{L}/L (field)", "Connected correlation length in a field",
                  "From the connected susceptibility N(χ_{1} - 2χ_{2} + χ_{3}) of four copies."},
       .column = {130, "xi_L/L (field)"}},
  };
  for (Observable& row : chiral_response_observables()) rows.push_back(std::move(row));
  return rows;
}

}}  // namespace glassworks::analysis
