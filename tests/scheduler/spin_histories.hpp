#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include "db/database.hpp"
#include "kernels/rounds/chain_observables.hpp"
#include "tests/scheduler/ladder_walk.hpp"

namespace glassworks::testing {

/// Histories of a heisenberg realization as a rule sees them, made of round means: the walk has a known time, and the
/// round means of every observable at every slot are normal, independent of each other, and an AR(1) process of known
/// time, unless something else is planted.
class SpinHistories {
 public:
  static constexpr int slots = 8, copies = 2, measurements = 100, replicas = slots * copies;

  explicit SpinHistories(std::uint64_t seed) : random_(seed), root_(cholesky(walk_covariance_of(slots))) {
    std::normal_distribution<double> normal;
    for (int i = 0; i < 1 << 16; ++i) normals_.push_back(normal(random_));
  }

  double tau_walk = 40.0;      ///< of every function [measurements]; below a round
  double tau_spins = 0.5;      ///< of every observable [rounds]; 0.5: independent
  std::uint32_t trips = 2;     ///< round trips of a replica in eight rounds
  std::vector<int> slow = {};  ///< observables that have tau_slow instead, at all slots
  double tau_slow = 0.5;       ///< [rounds]
  bool switches = false;       ///< those are two-valued instead, with the same switching at all slots, and noise 0.3
  /// Added to an observable at a slot in a round of all, in standard deviations of a round mean.
  std::function<double(int observable, int slot, std::size_t round)> drift;

  [[nodiscard]] const BinLayout& layout() const { return layout_; }
  [[nodiscard]] ChainObservables observables() const { return ChainObservables(layout_); }

  std::vector<RoundRow> history(std::size_t rounds) {
    std::vector<RoundRow> rows(rounds);
    const auto width = static_cast<std::size_t>(layout_.size());
    for (std::size_t r = 0; r < rounds; ++r) {
      RoundRecord& record = rows[r].record;
      rows[r].round = static_cast<std::uint32_t>(r);
      record.measurements = measurements;
      record.exchange_attempts.assign(slots - 1, 100);
      record.mean.assign(slots * width, 0.0);
      record.round_trips.assign(replicas, 0);
      for (std::size_t i = 0; i < replicas; ++i) record.round_trips[i] = (r + i) % 8 < trips ? 1 : 0;
      record.walk_mean.resize(replicas * walk_functions);
      for (std::size_t i = 0; i < replicas; ++i) {
        const double y[walk_functions] = {normal(), normal(), normal()};
        for (std::size_t k = 0; k < walk_functions; ++k) {
          double sum = 0.0;
          for (std::size_t l = 0; l <= k; ++l) sum += root_[k][l] * y[l];
          record.walk_mean[i * walk_functions + k] = std::sqrt(2.0 * tau_walk / measurements) * sum;
        }
      }
    }
    for (const int observable : judged()) {
      const bool is_slow = std::find(slow.begin(), slow.end(), observable) != slow.end();
      const double tau = is_slow ? tau_slow : tau_spins, rho = (2.0 * tau - 1.0) / (2.0 * tau + 1.0);
      std::vector<double> valley(rounds, 0.0);
      if (is_slow && switches) {
        double sign = random_() % 2 == 0 ? 1.0 : -1.0;
        for (double& v : valley) v = sign = uniform() < 0.5 * (1.0 - rho) ? -sign : sign;
      }
      for (int slot = 0; slot < slots; ++slot) {
        double x = normal();
        for (std::size_t r = 0; r < rounds; ++r) {
          if (is_slow && switches) {
            x = valley[r] + 0.3 * normal();
          } else if (r > 0) {
            x = rho * x + std::sqrt(1.0 - rho * rho) * normal();
          }
          rows[r].record.mean[static_cast<std::size_t>(slot) * width + static_cast<std::size_t>(observable)] =
              1.0 + 0.01 * (x + (drift ? drift(observable, slot, r) : 0.0));
        }
      }
    }
    return rows;
  }

  /// A history that begins like another one.
  static std::vector<RoundRow> first_of(const std::vector<RoundRow>& rows, std::size_t rounds) {
    return {rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(rounds)};
  }

 private:
  /// Observables that a decision looks at.
  [[nodiscard]] std::vector<int> judged() const {
    std::vector<int> list{layout_.at(BinQuantity::energy_of_copy, 0), layout_.at(BinQuantity::energy_of_copy, 1)};
    for (const ChainObservables::Mean& mean : observables().all_stationary()) {
      list.insert(list.end(), mean.observables.begin(), mean.observables.end());
    }
    return list;
  }
  /// One of 65536 normal numbers: distributions take most of the time of such tests.
  double normal() {
    if (bits_ == 0) bits_ = random_();
    const std::uint64_t index = bits_ & 0xFFFF;
    bits_ >>= 16;
    return normals_[index];
  }
  double uniform() { return static_cast<double>(random_() >> 11) * 0x1p-53; }

  const BinLayout layout_{SpinModel{}, 3, copies};
  std::mt19937_64 random_;
  std::vector<double> normals_;
  std::uint64_t bits_ = 0;
  WalkMatrix root_;  ///< of the covariance of the test functions
};

}  // namespace glassworks::testing
