#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "kernels/cpu/lanes/aligned_buffer.hpp"
#include "kernels/cpu/lanes/cpu_lattice.hpp"
#include "kernels/cpu/pairs/pair_table.hpp"
#include "kernels/models/discrete.hpp"
#include "kernels/models/vector_chain.hpp"
#include "kernels/rounds/chain.hpp"

namespace glassworks { inline namespace cpu {

/// How the half-sweeps of a batch are ordered; the same for all its bundles.
struct SweepPlan {
  const KernelTable* kernels = nullptr;
  const CpuLattice* lattice = nullptr;
  const CpuTiles* tiles = nullptr;  ///< null: full-lattice checkerboard
  int wavefront_depth = 1;          ///< half-sweeps interleaved; 1: one after the other
};

/// Half-sweeps to interleave so that the slices in flight stay in a cache of `cache_bytes`: 1 where a bundle fits
/// anyway, or where slices are no whole planes (d < 3).
[[nodiscard]] int choose_wavefront_depth(const Lattice& lattice, std::int64_t cache_bytes, int components = 3);

/// Sixteen replicas of one realization of unit vectors, or Ising spins +-1, in vector layout:
/// spins[site][component][lane]. Lanes beyond the last replica repeat it and are never stored.
class CpuBundle {
 public:
  CpuBundle(const Chain& chain, const Disorder& disorder, std::uint32_t realization, int first_replica);

  void load(const ChainState& state);
  void store(ChainState& state) const;
  /// Sets absent sites to 0, as states and measurements have them. Sweeps move them as free spins, which no other spin
  /// and no energy sees, because their bonds and fields are 0.
  void clear_absent();
  /// The spins of the replicas of this bundle, component k of replica r at place(r) + k stride [site]; of ising the
  /// states (1 + s)/2. Absent sites as clear_absent has left them.
  template <class Place>
  void unload(const Place& place, std::int64_t stride) const {
    for (int lane = 0; lane < bundle_lanes && first_replica_ + lane < chain_.replicas(); ++lane) {
      auto* to = place(first_replica_ + lane);
      for (int c = 0; c < kind_.components; ++c) {
        const float* from = spins_.data() + c * bundle_lanes + lane;
        for (std::int64_t i = 0; i < chain_.lattice.sites(); ++i) {
          const float s = from[i * kind_.components * bundle_lanes];
          if constexpr (std::is_same_v<decltype(to), float*>) {
            to[c * stride + i] = s;
          } else {
            to[i] = s == 0.0F ? Discrete::absent : s > 0.0F ? 1 : 0;
          }
        }
      }
    }
  }

  /// All sweeps of step `step` at the temperatures of the current slots; energy[replica] gets the fixed-point energies;
  /// null: nobody needs them.
  void sweep(const SweepPlan& plan, std::uint64_t step, const std::uint16_t* slot_of_replica, std::int64_t* energy);
  /// The sweeps of a run of moves in a repetition, without tiles.
  void sweep(const SweepPlan& plan, std::span<const PlacedMove> run, std::uint64_t repetition,
             const std::uint16_t* slot_of_replica);
  /// The fixed-point energies of the spins as they are [replica].
  void sum_energies(const SweepPlan& plan, std::int64_t* energy);
  /// Ising spins as bits, 1 for -1: bits(replica) are those of a replica, bit i mod 64 of word i / 64 for site i.
  template <class Bits>
  void read_signs(const PairTable& kernels, const Bits& bits) const {
    std::uint64_t signs[bundle_lanes];
    for (std::int64_t first = 0; first < chain_.lattice.sites(); first += block_sites) {
      kernels.read_signs(spins_.data() + first * bundle_lanes, sites_of_block(first), signs);
      for (int lane = 0; lane < bundle_lanes && first_replica_ + lane < chain_.replicas(); ++lane) {
        bits(first_replica_ + lane)[first / block_sites] = signs[lane];
      }
    }
  }
  /// Sets the spins by such bits, absent ones too.
  template <class Bits>
  void write_signs(const PairTable& kernels, const Bits& bits) {
    std::uint64_t signs[bundle_lanes];
    for (std::int64_t first = 0; first < chain_.lattice.sites(); first += block_sites) {
      for (int lane = 0; lane < bundle_lanes; ++lane) signs[lane] = bits(replica_of(lane))[first / block_sites];
      kernels.write_signs(signs, sites_of_block(first), spins_.data() + first * bundle_lanes);
    }
  }
  /// Brings every |s| back to 1 and updates the energies.
  void renormalize(const SweepPlan& plan, std::int64_t* energy);

  [[nodiscard]] const float* spins() const { return spins_.data(); }

 private:
  [[nodiscard]] int sites_of_block(std::int64_t first) const {
    return static_cast<int>(std::min<std::int64_t>(block_sites, chain_.lattice.sites() - first));
  }
  /// `count` sweeps of single spins from place `first` of a repetition on, through later repetitions.
  void make_sweeps(const SweepPlan& plan, std::uint64_t repetition, int first, int count, bool with_energy);
  void make_tile_sweeps(const SweepPlan& plan, std::uint64_t step);
  void set_temperatures(const std::uint16_t* slot_of_replica);
  [[nodiscard]] const SweepTable& kernels_of(const SweepPlan& plan) const {
    return sweeps_of(*plan.kernels, kind_.components);
  }
  void half_sweep(const SweepPlan& plan, const SweepGeometry& g, const SweepRegion& region, const NumberedMove& move,
                  bool with_energy);
  void add_energy(const SweepPlan& plan, const SweepGeometry& g);
  void store_energy(std::int64_t* energy) const;
  [[nodiscard]] int replica_of(int lane) const;

  const Chain& chain_;
  const Step moves_;
  const Disorder& disorder_;
  const VectorChain kind_;
  std::uint32_t realization_;
  int first_replica_;
  AlignedBuffer<float> spins_;
  alignas(64) float minus_two_beta_[bundle_lanes];
  alignas(64) float minus_inverse_beta_[bundle_lanes];
  alignas(64) std::uint32_t word3_[bundle_lanes];
  alignas(64) std::int64_t energy_[bundle_lanes];
};

}}  // namespace glassworks::cpu
