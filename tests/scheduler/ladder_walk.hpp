#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <vector>

#include "db/database.hpp"
#include "kernels/rounds/measurement_formulas.hpp"

namespace glassworks::testing {

/// Values of the test functions in a slot.
inline std::array<double, walk_functions> walk_functions_at(int slot, int slots) {
  std::array<double, walk_functions> f{};
  add_walk_functions(slot, slots, PhaseTable(2 * slots).cosine.data(), f.data());
  return f;
}

using WalkMatrix = std::array<std::array<double, walk_functions>, walk_functions>;

/// sum_slot f_k f_l / slots of the test functions.
inline WalkMatrix walk_covariance_of(int slots) {
  WalkMatrix V{};
  for (int slot = 0; slot < slots; ++slot) {
    const auto f = walk_functions_at(slot, slots);
    for (std::size_t k = 0; k < f.size(); ++k) {
      for (std::size_t l = 0; l < f.size(); ++l) V[k][l] += f[k] * f[l] / slots;
    }
  }
  return V;
}

/// The lower triangle C of V = C C^t.
inline WalkMatrix cholesky(const WalkMatrix& V) {
  WalkMatrix C{};
  for (std::size_t k = 0; k < V.size(); ++k) {
    for (std::size_t l = 0; l <= k; ++l) {
      double rest = V[k][l];
      for (std::size_t m = 0; m < l; ++m) rest -= C[k][m] * C[l][m];
      C[k][l] = k == l ? std::sqrt(rest) : rest / C[l][l];
    }
  }
  return C;
}

/// Replicas that walk through a ladder independently of each other, started in equilibrium: between measurements one
/// slot up or down with probability `hop` each; at the ends they stay instead of leaving. The eigenvectors of this walk
/// are cos(pi k (slot + 1/2) / slots) with eigenvalues 1 - 2 hop (1 - cos(pi k / slots)), so its times are known
/// exactly.
class LadderWalk {
 public:
  LadderWalk(int slots, std::size_t replicas, double hop, std::uint64_t seed)
      : slots_(slots), hop_(hop), phase_(2 * slots), random_(seed) {
    for (std::size_t r = 0; r < replicas; ++r) {
      slot_.push_back(static_cast<int>(random_() % static_cast<std::uint64_t>(slots)));
    }
  }

  /// The next round; only measurements and walk_mean are filled.
  RoundRow round(int measurements) {
    RoundRow row;
    row.record.measurements = measurements;
    row.record.walk_mean.assign(slot_.size() * walk_functions, 0.0);
    for (int m = 0; m < measurements; ++m) {
      for (std::size_t r = 0; r < slot_.size(); ++r) {
        const double u = static_cast<double>(random_() >> 11) * 0x1p-53;
        if (u < hop_ && slot_[r] > 0) --slot_[r];
        if (u >= 1.0 - hop_ && slot_[r] + 1 < slots_) ++slot_[r];
        add_walk_functions(slot_[r], slots_, phase_.cosine.data(), row.record.walk_mean.data() + r * walk_functions);
      }
    }
    for (double& mean : row.record.walk_mean) mean /= measurements;
    return row;
  }
  std::vector<RoundRow> rounds(std::size_t count, int measurements) {
    std::vector<RoundRow> rows;
    for (std::size_t r = 0; r < count; ++r) rows.push_back(round(measurements));
    return rows;
  }

  /// Exact tau_int of a test function [measurements].
  [[nodiscard]] double tau(std::size_t function) const {
    double weight = 0.0, sum = 0.0;
    for (int k = 1; k < slots_; ++k) {
      double projection = 0.0;
      for (int slot = 0; slot < slots_; ++slot) {
        projection +=
            walk_functions_at(slot, slots_)[function] * std::cos(std::numbers::pi * k * (slot + 0.5) / slots_);
      }
      const double eigenvalue = 1.0 - 2.0 * hop_ * (1.0 - std::cos(std::numbers::pi * k / slots_));
      weight += projection * projection;
      sum += projection * projection * 0.5 * (1.0 + eigenvalue) / (1.0 - eigenvalue);
    }
    return sum / weight;
  }

 private:
  int slots_;
  double hop_;
  PhaseTable phase_;
  std::mt19937_64 random_;
  std::vector<int> slot_;
};

}  // namespace glassworks::testing
