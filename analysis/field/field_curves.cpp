#include "analysis/field/field_curves.hpp"

#include <cmath>
#include <span>
#include <utility>

#include "analysis/basics/columns.hpp"
#include "analysis/basics/value_format.hpp"
#include "analysis/observables/estimators.hpp"
#include "analysis/observables/identity_columns.hpp"

namespace glassworks { inline namespace analysis {
namespace {

using Averages = std::span<const double>;
double ratio(double a, double b) { return b > 0.0 ? a / b : nan; }

double mean_of(Averages x, const std::vector<std::size_t>& columns) {
  double sum = 0.0;
  for (const std::size_t column : columns) sum += x[column];
  return sum / static_cast<double>(columns.size());
}

}  // namespace

FieldCurves make_field_curves(const Config& config, const Ensemble& ensemble, const ResampledAverages& averages) {
  const int dim = config.model.dim, L = ensemble.L;
  const auto N = static_cast<double>(config.lattice(L).sites());
  const Columns columns(ensemble.columns, dim);
  const auto curve = [&](const std::string& name, const DerivedObservable& f) {
    return make_curve(name, ensemble, averages, f);
  };
  const auto term = [&](const std::string& family, const WaveVectors& k) {
    return curve(
        family, [N, at = columns.modes(family, k.axes, k.multiple)](Averages x, double) { return N * mean_of(x, at); });
  };

  FieldCurves result;
  result.L = L;
  std::vector<double> momentum_squared;
  result.wave_vectors = wave_vectors(dim);
  std::erase_if(result.wave_vectors,
                [&](const WaveVectors& k) { return k.axes > 1 && !columns.has_modes("chi_1", k.axes, k.multiple); });
  for (const WaveVectors& k : result.wave_vectors) {
    Curve terms[] = {term("chi_1", k), term("chi_2", k), term("chi_3", k)};
    result.chi.push_back(combine(k.axes == 0 ? "chi_sg_field" : "chi_sg_field_" + k.id, terms,
                                 [](std::span<const double> v, std::size_t) { return v[0] - 2.0 * v[1] + v[2]; }));
    if (k.axes == 0) {
      result.chi_1 = std::move(terms[0]);
      result.chi_2 = std::move(terms[1]);
      result.chi_3 = std::move(terms[2]);
    } else {
      momentum_squared.push_back(k.momentum_squared(L));
    }
  }
  const std::span<const Curve> chi = result.chi;
  result.xi_over_L = combine("xi_field_over_L", chi.first(2), [L](std::span<const double> v, std::size_t) {
    return correlation_length(v[0], v[1], L) / L;
  });
  result.r_12 = combine("r_12_field", chi.subspan(1, 2),
                        [](std::span<const double> v, std::size_t) { return v[0] > 0.0 ? ratio(v[0], v[1]) : nan; });
  result.small_k = fit_small_k(momentum_squared, chi.subspan(1));

  if (columns.has("chiral_chi_2_zero")) {
    for (const Estimator& e : make_estimators(config, L, columns)) {
      Curve* const to = e.name == "chi_cg_field"                  ? &result.chi_chiral
                        : e.name == "xi_chiral_field_over_L"      ? &result.xi_chiral_over_L
                        : e.name == "xi_chiral_perp_field_over_L" ? &result.xi_chiral_perp_over_L
                                                                  : nullptr;
      if (to != nullptr) *to = curve(e.name, [&](Averages x, double T) { return e.value(x, 1.0 / T); });
    }
  }

  const std::size_t q = columns["overlap"], m_2 = columns["magnetization_2"];
  result.overlap = curve("overlap", [q](Averages x, double) { return x[q]; });
  result.magnetization = curve("magnetization_rms", [m_2](Averages x, double) { return std::sqrt(x[m_2]); });
  if (const auto identity = IdentityColumns::of(config, columns)) {
    result.identity_difference =
        curve("identity_difference",
              [identity = *identity, half_z = config.lattice(L).bonds_per_site()](Averages x, double T) {
                return identity.energy_side(x) - identity.overlap_side(x, half_z, 1.0 / T);
              });
  }
  if (config.has_normal_fields() && columns.has("field_energy")) {
    const std::size_t energy = columns["field_energy"];
    result.field_identity_difference = curve(
        "field_identity_difference",
        [=, h = config.model.field_strength](Averages x, double T) { return x[energy] + h * h / T * (1.0 - x[q]); });
  }
  return result;
}

}}  // namespace glassworks::analysis
