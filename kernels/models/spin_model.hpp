#pragma once

#include <array>
#include <limits>
#include <string_view>

#include "kernels/core/host_device.hpp"

namespace glassworks { inline namespace models {

/// What a site carries and how neighbours interact. Every bond counts once; s, sigma and phi are the variable at a
/// site.
///
///     heisenberg   H = - sum_<ij> J_ij s_i . s_j - sum_i H_i . s_i,  unit vectors of three components
///     ising        H = - sum_<ij> J_ij s_i s_j - sum_i H_i s_i,      s = +-1
///     potts        H = - sum_<ij> J_ij delta(sigma_i, sigma_j) - sum_i H_i delta(sigma_i, 0),  sigma = 0 .. q-1
///     on           H = - sum_<ij> J_ij s_i . s_j - sum_i H_i . s_i,  unit vectors of n components
///     blume-capel  H = - sum_<ij> J_ij s_i s_j + Delta sum_i s_i^2 - sum_i H_i s_i,  s = -1, 0, 1
///     clock        H = - sum_<ij> J_ij s_i . s_j - sum_i H_i . s_i,  s = (cos, sin)(2 pi sigma/q), sigma = 0 .. q-1
///     phi4         H = - sum_<ij> phi_i . phi_j, weight exp(-beta H - sum_i [phi^2 + lambda (phi^2 - 1)^2]), n = 4
///
/// In phi4 beta = 2 kappa, so a temperature T stands for kappa = 1/(2 T); lambda = infinity means |phi| = 1.
enum class ModelKind { heisenberg, ising, potts, on, phi4, blume_capel, clock };

/// As in model.type.
constexpr auto enum_names(ModelKind) {
  return std::to_array<std::string_view>({"heisenberg", "ising", "potts", "on", "phi4", "blume-capel", "clock"});
}
constexpr int model_kinds = static_cast<int>(enum_names(ModelKind{}).size());

/// Largest n of on.
constexpr int max_components = 8;
/// Largest n of the CPU vector kernels and of whole steps and cluster updates on GPUs; plain kernels support all n.
constexpr int max_kernel_components = 4;

struct SpinModel {
  ModelKind kind = ModelKind::heisenberg;
  int states = 2;      ///< q of models that have it (ModelFacts::most_states)
  int components = 3;  ///< n of on, 2 .. max_components; phi4 has 4, ising and potts 1
  double lambda = std::numeric_limits<double>::infinity();  ///< of phi4, >= 0
  bool diluted = false;        ///< sites may be absent (Disorder::absent): ModelFacts::may_lack_sites, local updates
  bool anisotropic = false;    ///< H has the term -D sum_i (n_i . s_i)^2 (Disorder::axes): heisenberg and on
  double crystal_field = 0.0;  ///< Delta of blume-capel [J]

  /// Whether a site carries a number (ChainState::states) and not a vector (ChainState::spins).
  [[nodiscard]] GLASSWORKS_HD constexpr bool is_discrete() const {
    switch (kind) {
      case ModelKind::ising:
      case ModelKind::potts:
      case ModelKind::blume_capel:
      case ModelKind::clock:
        return true;
      case ModelKind::heisenberg:
      case ModelKind::on:
      case ModelKind::phi4:
        break;
    }
    return false;
  }
  bool operator==(const SpinModel&) const = default;
};

/// Components of the spin of a site: 3 in heisenberg, n of on, 4 of phi4, 2 of clock, 1 of spins that are numbers.
[[nodiscard]] GLASSWORKS_HD constexpr int components_of(const SpinModel& model) {
  switch (model.kind) {
    case ModelKind::heisenberg:
      return 3;
    case ModelKind::on:
      return model.components;
    case ModelKind::phi4:
      return 4;
    case ModelKind::clock:
      return 2;
    case ModelKind::ising:
    case ModelKind::potts:
    case ModelKind::blume_capel:
      break;
  }
  return 1;
}

/// What the order parameter of a model is made of; the planes of a measurement hold sums of it.
enum class OrderParameter {
  number,     ///< the spin itself, an integer
  densities,  ///< densities of q states, which stand for vectors to the corners of a simplex
  vector,     ///< a vector of components_of numbers, each rounded to fixed point
};

[[nodiscard]] GLASSWORKS_HD constexpr OrderParameter order_parameter_of(const SpinModel& model) {
  switch (model.kind) {
    case ModelKind::potts:
      return OrderParameter::densities;
    case ModelKind::heisenberg:
    case ModelKind::on:
    case ModelKind::phi4:
    case ModelKind::clock:
      return OrderParameter::vector;
    case ModelKind::ising:
    case ModelKind::blume_capel:
      break;
  }
  return OrderParameter::number;
}

/// What a site takes in memory [bytes].
[[nodiscard]] constexpr double site_bytes(const SpinModel& model) {
  return model.is_discrete() ? 1.0 : static_cast<double>(sizeof(float)) * components_of(model);
}

/// Whether |phi| varies: phi4 at finite lambda.
[[nodiscard]] GLASSWORKS_HD constexpr bool has_free_modulus(const SpinModel& model) {
  return model.kind == ModelKind::phi4 && model.lambda < 1e300;
}

/// Whether sites are unit vectors, with ising as those of one component.
[[nodiscard]] GLASSWORKS_HD constexpr bool is_unit_vector(const SpinModel& model) {
  switch (model.kind) {
    case ModelKind::heisenberg:
    case ModelKind::ising:
    case ModelKind::on:
      return true;
    case ModelKind::phi4:
      return !has_free_modulus(model);
    case ModelKind::potts:
    case ModelKind::blume_capel:
    case ModelKind::clock:
      break;
  }
  return false;
}

/// Whether chiralities and overlaps of all components at all wave vectors are measured, else moments of
/// magnetization and overlap; see BinLayout.
[[nodiscard]] GLASSWORKS_HD constexpr bool measures_tensors(const SpinModel& model) {
  return model.kind == ModelKind::heisenberg;
}

/// How a step moves the spins.
enum class ProtocolKind {
  local,          ///< single-spin updates only
  swendsen_wang,  ///< all clusters get a new state (potts: uniform; ising, on, phi4: reflected with probability 1/2)
  wolff,          ///< one cluster from a random seed, always moved
  few_cluster,    ///< one seed in each tile; each distinct cluster moved with probability p_flip < 1 (Weigel 2011, III)
};

/// Local updates of Ising spins by multi-spin coding, where all couplings are J, -J or 0: many realizations share
/// random words (multispin_word). A chain of its own: off has words for every site and realization.
enum class MultispinRule { off, metropolis, heat_bath };

/// What the lanes of multi-spin coding are. realizations: up to 128 share random words. copies: of one realization,
/// each with random bits of its own (copy_levels.hpp).
enum class MultispinLanes { realizations, copies };

}}  // namespace glassworks::models
