#pragma once

#include <vector>

#include "kernels/cpu/lanes/cpu_bundle.hpp"
#include "kernels/rounds/measurement.hpp"
#include "kernels/rounds/round_record.hpp"

namespace glassworks { inline namespace cpu {

/// Measures groups of 16 slots: gathers the spins of each copy slot by slot, sums with the vector kernels, and lets
/// Measurement form the observables. One object per thread.
class CpuMeasurement {
 public:
  CpuMeasurement(const Chain& chain, const Disorder& disorder, const KernelTable& kernels, const CpuLattice& lattice);

  [[nodiscard]] static int groups(const Chain& chain) { return (chain.slots() + bundle_lanes - 1) / bundle_lanes; }
  [[nodiscard]] const BinLayout& layout() const { return measurement_.layout(); }

  /// replica_at[copy * slots + slot]; energy[replica]; mean[slot][observable] is added to for the slots of the group,
  /// and their samples are set where there is a place for them.
  void measure(int group, const std::vector<CpuBundle>& bundles, const int* replica_at, const std::int64_t* energy,
               double* mean, const SamplePlaces& places);

 private:
  void gather(int group, int copy, const std::vector<CpuBundle>& bundles, const int* replica_at);
  void sum_pair(int a, int b);

  const Chain& chain_;
  const KernelTable& kernels_;
  SweepGeometry geometry_;
  FixedScale energy_scale_;
  Measurement measurement_;
  std::vector<AlignedBuffer<float>> gathered_;  ///< [copy]: spins[site][component][slot]
  AlignedBuffer<std::int32_t> planes_, workspace_;
  std::vector<ReplicaSumLanes> replica_lanes_;  ///< [copy]
  std::vector<std::vector<PairSums>> pairs_;    ///< [lane][pair]
};

}}  // namespace glassworks::cpu
