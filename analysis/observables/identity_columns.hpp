#pragma once

#include <optional>
#include <span>

#include "analysis/basics/columns.hpp"

namespace glassworks { inline namespace analysis {

/// Whether the energy of a campaign of Ising spins is one side of the identity: Gaussian couplings, no field or
/// Gaussian ones, and a pair of copies for the overlaps.
[[nodiscard]] bool has_ising_identity(const Config& config);

/// The same of O(n) spins, whose q_s is the local observable bond_nematic.
[[nodiscard]] bool has_on_identity(const Config& config);

/// Where the two sides of the identity of Gaussian couplings stand in a bin: U_J = -(z/2) beta [q_s - q_l] in
/// equilibrium, q_s = 1 of Ising spins. Where bins hold no U_J, the side of the energy is that of the whole
/// Hamiltonian, and with Gaussian fields of standard deviation h the other one has -beta h^2 [1 - q] too. Source:
/// Katzgraber & Young, PRB 67, 134410 (2003), and the same integration by parts over the fields.
class IdentityColumns {
 public:
  /// None without Gaussian couplings, or where bins do not hold both sides: of ising and on with other fields or
  /// one copy, of on without bond_nematic, and of potts and phi4.
  [[nodiscard]] static std::optional<IdentityColumns> of(const Config& config, const Columns& columns);

  [[nodiscard]] double energy_side(std::span<const double> x) const { return x[energy_]; }
  [[nodiscard]] double overlap_side(std::span<const double> x, double half_z, double beta) const {
    const double links = -half_z * beta * ((q_s_ ? x[*q_s_] : 1.0) - x[q_l_]);
    return q_ ? links - beta * field_variance_ * (1.0 - x[*q_]) : links;
  }

 private:
  std::size_t energy_ = 0, q_l_ = 0;
  std::optional<std::size_t> q_s_, q_;
  double field_variance_ = 0.0;
};

}}  // namespace glassworks::analysis
