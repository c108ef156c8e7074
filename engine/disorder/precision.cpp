#include "engine/disorder/precision.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernels/models/model_facts.hpp"
#include "kernels/rounds/bond_view.hpp"
#include "kernels/rounds/modulus_scale.hpp"

namespace glassworks { inline namespace engine {
namespace {

/// Energies of a site [J].
struct SiteEnergy {
  double largest = 0.0;  ///< sum_j |J_ij| + |H_i| + |D|, and the energy of the site by itself
  double mean = 0.0;     ///< sum of the same over bonds and sites, per site
  void operator+=(const SiteEnergy& other) {
    largest += other.largest;
    mean += other.mean;
  }
};

/// Largest of all normal numbers of a campaign; the probability that one is beyond it is below 3e-12 each.
constexpr double largest_normal = 7.0;

/// half_z: bonds per site, z/2; z: those that lead to a site. Of the largest sum as if all sites had as many.
SiteEnergy of_drawn_couplings(const ModelConfig& model, double half_z, double z) {
  if (model.reads_couplings()) return {};
  if (model.couplings == CouplingKind::gaussian) {
    const double mean = std::abs(model.couplings_mean);
    return {z * (mean + largest_normal), (mean + 0.8) * half_z};
  }
  return {z, half_z};
}

/// Bonds of a site, z/2; where couplings have weights whose squares sum to 1, what has the same sum of |J|.
double half_degree(const ModelConfig& model, const Lattice& lattice) {
  return model.has_weighted_bonds() ? 0.5 * std::sqrt(static_cast<double>(lattice.sites())) : lattice.bonds_per_site();
}

/// Of fields of n components, drawn or constant. The means are those of n = 3; in units of root n others differ by less
/// than a fifth.
SiteEnergy of_fields(FieldKind kind, double strength, int n) {
  const double root = std::sqrt(static_cast<double>(n)), scale = root / std::sqrt(3.0);
  switch (kind) {
    case FieldKind::sphere:
    case FieldKind::constant:
      return {strength, strength};
    case FieldKind::gaussian:
      return {root * largest_normal * strength, 1.6 * scale * strength};
    case FieldKind::box:
      return {root * strength, 0.96 * scale * strength};
    default:
      return {};
  }
}

/// Of what stands in files.
SiteEnergy of_files(const ModelConfig& model, const Lattice& lattice, const Disorder& disorder) {
  SiteEnergy couplings, fields;
  const auto sites = static_cast<double>(lattice.sites());
  const BondView bonds(lattice, disorder.graph.get());
  for (std::int64_t i = 0; model.reads_couplings() && i < lattice.sites(); ++i) {
    double sum = 0.0;
    bonds.for_couplings(i, [&](std::int64_t place, int ends) {
      const double J = std::abs(static_cast<double>(disorder.couplings[static_cast<std::size_t>(place)]));
      sum += J;
      couplings.mean += J / (ends * sites);
    });
    couplings.largest = std::max(couplings.largest, sum);
  }
  const auto n = static_cast<std::size_t>(components_of(model.spins));
  for (std::size_t i = 0; model.field == FieldKind::file && i + n <= disorder.fields.size(); i += n) {
    double square = 0.0;
    for (std::size_t k = i; k < i + n; ++k) {
      const double component = static_cast<double>(disorder.fields[k]);
      square += component * component;
    }
    const double H = std::sqrt(square);
    fields.largest = std::max(fields.largest, H);
    fields.mean += H / sites;
  }
  couplings += fields;
  return couplings;
}

/// phi^2 enters every energy. At lambda = 0 the distance to the limit of stability must be resolved as well.
double square_of_field(const Config& config, const Lattice& lattice, double T) {
  const SpinModel& spins = config.model.spins;
  if (!has_free_modulus(spins)) return 1.0;
  constexpr double least_distance = 2e-5;  // of beta z/2 to 1; beta is good to 6e-8
  if (spins.lambda == 0.0 && 1.0 - lattice.owned() / T < least_distance) {
    throw InputError(
        InputFault::out_of_range, "T",
        fmt::format("T = {} is too close to T = {} for model.lambda = 0 (there the free field becomes unstable, and "
                    "single precision "
                    "does not resolve the distance). Raise the temperature to {:.8g} or more, or lambda.",
                    T, lattice.owned(), lattice.owned() / (1.0 - 1.01 * least_distance)));
  }
  return expected_square(spins.lambda, lattice, 1.0 / T);
}

}  // namespace

double coldest_temperature(const Config& config) {
  const LadderConfig& ladder = config.ladder;
  return ladder.kind == LadderKind::list ? ladder.temperatures.front() : ladder.T_min;
}

void validate_precision(const Config& config, const Disorder* disorder) {
  const ModelConfig& model = config.model;
  const double T = coldest_temperature(config);
  for (const int L : model.L) {
    const Lattice lattice = config.lattice(L);
    const double half_z = half_degree(model, lattice);
    SiteEnergy energy = of_drawn_couplings(model, half_z, lattice.has_terms() ? lattice.ends_per_site() : 2.0 * half_z);
    energy += of_fields(model.field, model.field_strength, components_of(model.spins));
    const double of_spin = std::abs(model.anisotropy) + facts_of(model.spins).site_bound;
    energy += {of_spin, of_spin};
    if (disorder != nullptr) energy += of_files(model, lattice, *disorder);
    const double square = square_of_field(config, lattice, T);
    const double of_site = energy.largest * square / T, of_mean = energy.mean * square / T;
    const double N = static_cast<double>(lattice.sites());
    const char* suggestion = has_free_modulus(model.spins)
                                 ? "Raise the lowest temperature, or model.lambda."
                                 : "Raise the lowest temperature, or give smaller couplings and fields.";
    if (!(of_site <= largest_energy_over_T)) {
      throw InputError(InputFault::out_of_range, "T",
                       fmt::format("T = {} is too low for energies of up to {:.4g} at a site (single precision "
                                   "resolves thermal energies while "
                                   "energy/T is at most {:.0g}). {}",
                                   T, energy.largest * square, largest_energy_over_T, suggestion));
    }
    if (!(N * of_mean * of_mean <= largest_squared_energy_over_T)) {
      throw InputError(
          InputFault::out_of_range, "T",
          fmt::format("T = {} is too low for L = {} with energies of {:.4g} per site (double precision resolves "
                      "specific heats while "
                      "N (energy/T)^2 is at most {:.0g}). {}",
                      T, L, energy.mean * square, largest_squared_energy_over_T, suggestion));
    }
  }
}

}}  // namespace glassworks::engine
