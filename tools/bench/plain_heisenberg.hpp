#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "kernels/rounds/chain.hpp"

namespace glassworks { inline namespace tools {

/// The baseline of the benchmark: the loop that codes of this field usually have. One replica, double precision,
/// typewriter order, a neighbour table, the functions of libm, a Mersenne Twister.
class ScalarSpinGlass {
 public:
  using Vector = std::array<double, 3>;

  ScalarSpinGlass(const Lattice& lattice, const Disorder& disorder, std::uint64_t seed);

  void over_relax_sweep();
  void heat_bath_sweep(double beta);

  /// Total energy.
  [[nodiscard]] double energy() const;

  [[nodiscard]] std::size_t sites() const { return spins_.size(); }

 private:
  [[nodiscard]] Vector local_field(std::size_t i) const;
  [[nodiscard]] Vector heat_bath_spin(const Vector& h, double beta);

  std::size_t coordination_;
  std::vector<Vector> spins_;
  std::vector<std::int32_t> neighbour_;
  std::vector<double> coupling_;
  std::mt19937_64 random_;
  std::uniform_real_distribution<double> uniform_{0.0, 1.0};
};

}}  // namespace glassworks::tools
