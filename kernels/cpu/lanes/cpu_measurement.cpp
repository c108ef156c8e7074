#include "kernels/cpu/lanes/cpu_measurement.hpp"

#include <algorithm>

namespace glassworks { inline namespace cpu {

CpuMeasurement::CpuMeasurement(const Chain& chain, const Disorder& disorder, const KernelTable& kernels,
                               const CpuLattice& lattice)
    : chain_(chain),
      kernels_(kernels),
      geometry_(lattice.geometry(disorder)),
      energy_scale_(disorder.energy_scale),
      measurement_(chain, disorder.energy_scale) {
  const auto L = static_cast<std::size_t>(chain.lattice.L);
  const auto block = static_cast<std::size_t>((9 + chain.lattice.dim) * bundle_lanes);
  const auto directions = static_cast<std::size_t>(measurement_.modes().directions());
  for (int copy = 0; copy < chain.copies; ++copy) {
    gathered_.emplace_back(static_cast<std::size_t>(3 * bundle_lanes * chain.lattice.sites()));
  }
  planes_ = AlignedBuffer<std::int32_t>(directions * L * block);
  workspace_ = AlignedBuffer<std::int32_t>((3 * L + 1) * block);
  replica_lanes_.resize(static_cast<std::size_t>(chain.copies));
  pairs_.assign(bundle_lanes,
                std::vector<PairSums>(static_cast<std::size_t>(measurement_.pairs()), measurement_.empty_pair()));
}

void CpuMeasurement::gather(int group, int copy, const std::vector<CpuBundle>& bundles, const int* replica_at) {
  const float* from[bundle_lanes];
  for (int lane = 0; lane < bundle_lanes; ++lane) {
    const int slot = std::min(group * bundle_lanes + lane, chain_.slots() - 1);
    const int replica = replica_at[copy * chain_.slots() + slot];
    from[lane] = bundles[static_cast<std::size_t>(replica / bundle_lanes)].spins() + replica % bundle_lanes;
  }
  float* to = gathered_[static_cast<std::size_t>(copy)].data();
  const std::int64_t vectors = 3 * chain_.lattice.sites();
  for (std::int64_t i = 0; i < vectors; ++i) {
    for (int lane = 0; lane < bundle_lanes; ++lane) to[i * bundle_lanes + lane] = from[lane][i * bundle_lanes];
  }
}

void CpuMeasurement::sum_pair(int a, int b) {
  const int directions = measurement_.modes().directions(), L = chain_.lattice.L, dim = chain_.lattice.dim;
  const int components = 9 + dim;
  const auto index = static_cast<std::size_t>(pair_of_copies(a, b, chain_.copies));
  alignas(64) std::int64_t link[bundle_lanes] = {};
  std::fill_n(planes_.data(), planes_.size(), 0);
  kernels_.pair_sums(geometry_, gathered_[static_cast<std::size_t>(a)].data(),
                     gathered_[static_cast<std::size_t>(b)].data(), overlap_scale(chain_.lattice).multiplier(),
                     site_scale(chain_.lattice).multiplier(), {link, planes_.data(), workspace_.data()});
  for (std::size_t lane = 0; lane < bundle_lanes; ++lane) {
    PairSums& sums = pairs_[lane][index];
    sums.link = link[lane];
    for (int plane = 0; plane < directions * L; ++plane) {
      const std::int32_t* from = planes_.data() + static_cast<std::size_t>(plane * components) * bundle_lanes + lane;
      for (int c = 0; c < 9; ++c) sums.overlap[static_cast<std::size_t>(plane * 9 + c)] = from[c * bundle_lanes];
      for (int axis = 0; axis < dim; ++axis) {
        sums.chirality[static_cast<std::size_t>(axis * directions * L + plane)] = from[(9 + axis) * bundle_lanes];
      }
    }
  }
}

void CpuMeasurement::measure(int group, const std::vector<CpuBundle>& bundles, const int* replica_at,
                             const std::int64_t* energy, double* mean, const SamplePlaces& places) {
  const int slots = chain_.slots();
  for (int copy = 0; copy < chain_.copies; ++copy) {
    const auto c = static_cast<std::size_t>(copy);
    gather(group, copy, bundles, replica_at);
    replica_lanes_[c] = {};
    kernels_.replica_sums(geometry_, gathered_[c].data(), energy_scale_.multiplier(),
                          overlap_scale(chain_.lattice).multiplier(), site_scale(chain_.lattice).multiplier(),
                          &replica_lanes_[c]);
  }
  for (int a = 0; a < chain_.copies; ++a) {
    for (int b = a + 1; b < chain_.copies; ++b) sum_pair(a, b);
  }
  std::vector<ReplicaSums> replicas(static_cast<std::size_t>(chain_.copies));
  for (int slot = group * bundle_lanes; slot < std::min(slots, (group + 1) * bundle_lanes); ++slot) {
    const auto lane = static_cast<std::size_t>(slot % bundle_lanes);
    for (std::size_t copy = 0; copy < replicas.size(); ++copy) {
      const ReplicaSumLanes& from = replica_lanes_[copy];
      const int replica = replica_at[copy * static_cast<std::size_t>(slots) + static_cast<std::size_t>(slot)];
      replicas[copy] = {-energy[replica],
                        from.field[lane],
                        from.q_s[lane],
                        {from.magnetization[0][lane], from.magnetization[1][lane], from.magnetization[2][lane]}};
    }
    measurement_.add(replicas.data(), pairs_[lane].data(), mean + slot * layout().size(), places.of_slot(slot));
  }
}

}}  // namespace glassworks::cpu
