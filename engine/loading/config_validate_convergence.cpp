#include <fmt/format.h>

#include "engine/loading/config_validate.hpp"

namespace glassworks { inline namespace engine {

void validate_convergence(const Config& config) {
  const ConvergenceConfig& c = config.convergence;
  if (c.n_tau > 0.0 && c.equilibration_tau >= c.n_tau) {
    throw InputError(
        InputFault::conflict, "convergence.equilibration_tau",
        fmt::format("convergence.equilibration_tau = {} leaves nothing of a history of convergence.n_tau = {} (both "
                    "count the largest autocorrelation time). Lower the first or raise the second.",
                    c.equilibration_tau, c.n_tau));
  }
  if (c.max_rounds < c.min_rounds) {
    throw InputError(
        InputFault::conflict, "convergence.max_rounds",
        fmt::format("convergence.max_rounds = {} is below convergence.min_rounds = {} (no realization could "
                    "converge). Raise it.",
                    c.max_rounds, c.min_rounds));
  }
  if (c.group_share > 0.0 && config.realizations_per_group() == 1) {
    throw InputError(
        InputFault::conflict, "convergence.group_share",
        fmt::format(
            "convergence.group_share = {} is given without groups (without multi-spin coding of realizations no "
            "realizations share words). Set protocol.multispin, or leave the key out.",
            c.group_share));
  }
  if (c.group_n_tau > 0.0 && c.group_share == 0.0) {
    throw InputError(
        InputFault::conflict, "convergence.group_n_tau",
        fmt::format("convergence.group_n_tau = {} is given without convergence.group_share (each realization stops by "
                    "itself). Add convergence.group_share, or leave the key out.",
                    c.group_n_tau));
  }
  if (c.group_n_tau > c.n_tau) {
    throw InputError(
        InputFault::conflict, "convergence.group_n_tau",
        fmt::format(
            "convergence.group_n_tau = {} is above convergence.n_tau = {} (the rest of a group would need longer "
            "histories than those that stop it). Choose at most n_tau.",
            c.group_n_tau, c.n_tau));
  }
}

}}  // namespace glassworks::engine
