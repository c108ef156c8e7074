#pragma once

#include <cstdint>

#include "kernels/reference/reference_sweeps.hpp"
#include "kernels/rounds/measurement.hpp"

namespace glassworks { inline namespace reference {

/// One replica of heisenberg under the plain definition of every update, and of the sums of overlaps of all components
/// and chiralities. Refers to its spins; owns nothing.
class ReferenceReplica {
 public:
  /// spins[component][site]; beside: what the local update keeps of all replicas (BesideLayout); table: of the lattice,
  /// its own if null
  ReferenceReplica(const Chain& chain, const Disorder& disorder, std::uint32_t realization, std::uint32_t replica,
                   float* spins, std::shared_ptr<const LatticeTable> table = nullptr, std::int64_t* beside = nullptr);

  /// All sweeps of step `step` at the temperature of a slot.
  void sweep(std::uint64_t step, int slot);
  /// -E in units of the energy scale: sum over odd sites of s.h plus sum over even sites of s.H, plus that of D
  /// (n.s)^2.
  [[nodiscard]] std::int64_t energy() const;
  /// Local updates accepted in the last step, where they reject.
  [[nodiscard]] std::uint64_t accepted() const { return sweeps_.accepted(); }
  /// Brings every |s| back to 1.
  void renormalize();
  [[nodiscard]] ReplicaSums sums() const;

  [[nodiscard]] exact::Vector<3> spin(std::int64_t site) const { return sweeps_.site(site); }
  [[nodiscard]] exact::Vector<3> local_field(std::int64_t site) const { return sweeps_.neighbours(site); }
  [[nodiscard]] exact::Vector<3> site_field(std::int64_t site) const { return sweeps_.site_field(site); }

 private:
  const Chain& chain_;
  const Disorder& disorder_;
  ReferenceSweeps<UnitVectors<3>> sweeps_;
};

/// Sums over a pair of copies at one slot.
[[nodiscard]] PairSums pair_sums(const Chain& chain, const ReferenceReplica& a, const ReferenceReplica& b,
                                 PairSums empty);

}}  // namespace glassworks::reference
