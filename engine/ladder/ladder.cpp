#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "engine/ladder/ladder_guess.hpp"
#include "engine/loading/config_validate.hpp"
#include "kernels/models/model_facts.hpp"

namespace glassworks { inline namespace engine {
namespace {

/// Specific heat per site below T = 0.6, measured 1.0 - 1.2 (Gaussian couplings, d = 3); above it falls as 1/T^2.
constexpr double plateau_specific_heat = 1.1, plateau_end = 0.6;

/// erfc(x) = 0.3: half the spacing in units of the width of the energy distributions at the target acceptance.
constexpr double half_spacing = 0.73286907795921685;

/// x^n by repeated squaring: only products, so the ladder has the same bits on every platform.
double integer_power(double x, int n) {
  double power = 1.0;
  for (; n > 0; n >>= 1, x *= x) {
    if ((n & 1) != 0) power *= x;
  }
  return power;
}

/// x > 1 with x^n = ratio, by bisection down to neighbouring doubles.
double integer_root(double ratio, int n) {
  double low = 1.0, high = ratio;
  for (;;) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) return low;
    (integer_power(middle, n) <= ratio ? low : high) = middle;
  }
}

/// Integral of sqrt(c(T)) dT / T from 0 to T, up to a constant.
double cumulative_root_heat(double T) {
  const double root = std::sqrt(plateau_specific_heat);
  return T <= plateau_end ? root * std::log(T / plateau_end) : root * (1.0 - plateau_end / T);
}

/// Logarithm of the number of states of a spin, which is the largest range of the entropy per site; infinite for
/// vectors.
double entropy_range(const SpinModel& spins) {
  if (!spins.is_discrete()) return std::numeric_limits<double>::infinity();
  return std::log(facts_of(spins).states);
}

/// Mean energy per site at infinite temperature less the lowest that all bonds together could have [J]; infinite where
/// it is not known.
double energy_range(const ModelConfig& model, const Lattice& lattice) {
  const SpinModel& spins = model.spins;
  if (model.reads_couplings() || model.field == FieldKind::file || has_free_modulus(spins)) {
    return std::numeric_limits<double>::infinity();
  }
  const double mean_size = model.couplings == CouplingKind::gaussian
                               ? std::abs(model.couplings_mean) + std::sqrt(2.0 / std::numbers::pi)
                               : 1.0;
  const double in_field = model.field == FieldKind::none ? 0.0
                          : model.field == FieldKind::sphere || model.field == FieldKind::constant
                              ? model.field_strength
                              : std::sqrt(static_cast<double>(components_of(spins))) * model.field_strength;
  return in_field + facts_of(spins).site_range + lattice.bonds_per_site() * mean_size * bond_range(spins);
}

/// Slots whose neighbours are one spacing apart; `root_heat` is the integral of sqrt(c(T)) dT / T over the ladder.
int slots_for(double root_heat, const Lattice& lattice, double T_min, double T_max) {
  const double spacings = std::sqrt(static_cast<double>(lattice.sites())) * root_heat / (2.0 * half_spacing);
  const double slots = std::max(2.0, std::round(spacings) + 1.0);
  if (slots > max_slots) {
    throw InputError(
        InputFault::too_large, "ladder.slots",
        fmt::format("ladder.slots = auto would need {} slots for L = {} between T = {} and {} (at most {}). "
                    "Narrow the range of temperatures or give the number of slots.",
                    slots, lattice.L, T_min, T_max, max_slots));
  }
  return static_cast<int>(slots);
}

int slots_of_size(const Config& config, std::size_t size_index) {
  const LadderConfig& ladder = config.ladder;
  if (ladder.slots.empty()) {
    const int L = config.model.L.at(size_index);
    return config.model.spins.kind == ModelKind::heisenberg
               ? automatic_slots({config.model.dim, L}, ladder.T_min, ladder.T_max)
               : most_automatic_slots(config.model, L, ladder.T_min, ladder.T_max);
  }
  return entry_of_size(ladder.slots, size_index);
}

}  // namespace

/// Acceptance P = erfc((1/2) ln(T_{i+1}/T_i) sqrt(c N)), so a spacing of P = 0.3 is 2 half_spacing / sqrt(c N) in ln T;
/// the number of such spacings is their integral over the ladder, with c(T) of the three-dimensional model.
int automatic_slots(const Lattice& lattice, double T_min, double T_max) {
  return slots_for(cumulative_root_heat(T_max) - cumulative_root_heat(T_min), lattice, T_min, T_max);
}

/// By Cauchy and Schwarz the square of the integral of sqrt(c) dT / T is at most that of c dT / T times
/// ln(T_max/T_min), and at most that of c dT times 1/T_min - 1/T_max.
int most_automatic_slots(const ModelConfig& model, int L, double T_min, double T_max) {
  const double root_heat = std::sqrt(std::min(entropy_range(model.spins) * std::log(T_max / T_min),
                                              energy_range(model, model.lattice_of(L)) * (1.0 / T_min - 1.0 / T_max)));
  if (std::isinf(root_heat)) {
    throw InputError(
        InputFault::unsupported, "ladder.slots",
        fmt::format("ladder.slots = auto is not possible here ({}). Give the number of slots to begin with.",
                    model.reads_couplings() || model.field == FieldKind::file
                        ? "the size of what a file holds is not known beforehand"
                        : "the energies of phi4 at finite lambda have no bound"));
  }
  return slots_for(root_heat, model.lattice_of(L), T_min, T_max);
}

std::vector<double> ladder_temperatures(const Config& config, std::size_t size_index) {
  const LadderConfig& ladder = config.ladder;
  if (ladder.kind == LadderKind::list) return ladder.temperatures;
  const int slots = slots_of_size(config, size_index);
  if (slots < 2) {
    throw InputError(
        InputFault::out_of_range, "ladder.slots",
        fmt::format("ladder.slots = {} is too small (a ladder from T_min to T_max has 2 or more). Raise it.", slots));
  }
  std::vector<double> temperatures(static_cast<std::size_t>(slots));
  const double factor = integer_root(ladder.T_max / ladder.T_min, slots - 1);
  const double step = (ladder.T_max - ladder.T_min) / (slots - 1);
  for (int i = 0; i < slots; ++i) {
    temperatures[static_cast<std::size_t>(i)] =
        ladder.kind == LadderKind::geometric ? ladder.T_min * integer_power(factor, i) : ladder.T_min + step * i;
  }
  temperatures.back() = ladder.T_max;
  return temperatures;
}

}}  // namespace glassworks::engine
