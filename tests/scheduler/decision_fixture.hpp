#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "scheduler/convergence/convergence.hpp"
#include "tests/bin_places.hpp"
#include "tests/engine/round_means.hpp"
#include "tests/scheduler/ladder_walk.hpp"

namespace glassworks::testing {

/// Decisions about realizations of three slots and rounds of 100 measurements; looks after 16, 20, 25, 31 and 32
/// rounds. By rule 1, of energy and overlap alone; spin_rule_test.cpp has the newer one.
class DecisionTest : public ::testing::Test {
 protected:
  static constexpr int slots = 3, measurements = 100;
  const BinLayout layout_{SpinModel{}, 3, 2};
  const ChainObservables observables_{layout_};
  ConvergenceConfig config_{.min_rounds = 16,
                            .max_rounds = 32,
                            .min_round_trips = 10,
                            .n_tau = 20.0,
                            .equilibration_tau = 10.0,
                            .rule_given = 1};

  /// Planted evidence; `deviation` is that of the energy in slot 1, with a limit of 6.
  [[nodiscard]] static Evidence evidence(std::uint32_t rounds, double tau, std::uint64_t round_trips,
                                         double deviation = 1.5, bool resolved = true) {
    Evidence e;
    e.rounds = rounds;
    e.measurements = measurements;
    e.walk.times.assign(2 * walk_functions, {0.5, true});
    e.walk.of_all = {WalkTime{0.5, true}, WalkTime{tau, resolved}, WalkTime{0.5, true}};
    e.walk.has_function = {true, true, true};
    e.log_binning.possible = true;
    e.log_binning.limit = 6.0;
    e.log_binning.comparisons = {{"energy", 0, 0, 0.0, 0.1, 0.0}, {"energy", 1, 0, 0.1 * deviation, 0.1, deviation}};
    e.round_trips = round_trips;
    return e;
  }

  /// Rounds that stand still, with a quick walk of six replicas; `jump` is added to the energy of slot 1 in the last
  /// half.
  [[nodiscard]] std::vector<RoundRow> rows(std::size_t rounds, double jump) const {
    RoundMeansSource source(7);
    const RoundMeans energy = source.series(rounds, slots), overlap = source.series(rounds, slots);
    std::vector<RoundRow> rows = LadderWalk(slots, 6, 0.4, 8).rounds(rounds, measurements);
    for (std::size_t r = 0; r < rounds; ++r) {
      rows[r].round = static_cast<std::uint32_t>(r);
      rows[r].record.mean.assign(static_cast<std::size_t>(slots * layout_.size()), 0.0);
      for (std::size_t slot = 0; slot < slots; ++slot) {
        double* mean = rows[r].record.mean.data() + slot * static_cast<std::size_t>(layout_.size());
        mean[test::Tensors::energy] = energy[r][slot] + (slot == 1 && r >= rounds / 2 ? jump : 0.0);
        mean[layout_.at(BinQuantity::overlap_k, 0)] = overlap[r][slot];
      }
    }
    return rows;
  }
};

}  // namespace glassworks::testing
