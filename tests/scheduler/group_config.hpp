#pragma once

#include <filesystem>

#include "tests/scheduler/scratch_campaign.hpp"

namespace glassworks::testing {

/// A quick campaign of Ising spins in words: a group of 128 realizations that stop together, and 12 of another one.
inline Config group_config(const std::filesystem::path& directory) {
  Config config = small_config(directory);
  config.model.spins.kind = ModelKind::ising;
  config.model.couplings = CouplingKind::bimodal;
  config.model.dim = 2;
  config.disorder.realizations = {140};
  config.ladder.T_min = 0.8;
  config.ladder.T_max = 2.0;
  config.ladder.slots = {3};
  config.protocol.overrelaxation = 0;
  config.protocol.multispin = MultispinRule::metropolis;
  config.protocol.exchanges_per_measurement = 1;
  config.round.measurements_per_round = {4};
  config.round.samples_per_round = 0;
  config.convergence = {
      .min_rounds = 8, .max_rounds = 40, .min_round_trips = 2, .n_tau = 0.5, .equilibration_tau = 0.1, .rule_given = 2};
  config.convergence.group_share = 0.8;
  config.backend.batch = 140;
  config.checkpoint.given = {};
  return config;
}

}  // namespace glassworks::testing
