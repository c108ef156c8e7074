#pragma once

#include <optional>
#include <span>

#include "analysis/columns.hpp"

namespace glassworks::inline analysis {

/// Whether the energy of a campaign of Ising spins is one side of the identity: Gaussian couplings, no field, and a
/// pair of copies for the link overlap.
[[nodiscard]] bool has_ising_identity(const Config& config);

/// The same of O(n) spins, whose q_s is the local observable bond_nematic.
[[nodiscard]] bool has_on_identity(const Config& config);

/// Where the two sides of the identity of Gaussian couplings stand in a bin: U_J = -(z/2) beta [q_s - q_l] in
/// equilibrium, q_s = 1 of Ising spins. Source: Katzgraber & Young, PRB 67, 134410 (2003).
class IdentityColumns {
 public:
  /// None without Gaussian couplings, or where bins do not hold both sides: of ising and on with a field or one copy,
  /// of on without bond_nematic, and of potts and phi4.
  [[nodiscard]] static std::optional<IdentityColumns> of(const Config& config, const Columns& columns);

  [[nodiscard]] double bond_energy(std::span<const double> x) const { return x[energy_]; }
  [[nodiscard]] double q_s_minus_q_l(std::span<const double> x) const { return (q_s_ ? x[*q_s_] : 1.0) - x[q_l_]; }

 private:
  std::size_t energy_ = 0, q_l_ = 0;
  std::optional<std::size_t> q_s_;
};

}  // namespace glassworks::inline analysis
