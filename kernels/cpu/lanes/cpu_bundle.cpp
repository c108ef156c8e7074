#include "kernels/cpu/lanes/cpu_bundle.hpp"

#include <algorithm>

#include "kernels/cpu/lanes/wavefront.hpp"

namespace glassworks { inline namespace cpu {

int choose_wavefront_depth(const Lattice& lattice, std::int64_t cache_bytes, int components) {
  const std::int64_t site_bytes = components * bundle_lanes * static_cast<std::int64_t>(sizeof(float));
  if (lattice.dim < 3 || lattice.sites() * site_bytes * 10 <= cache_bytes * 9) return 1;
  const int slices = lattice.length(lattice.dim - 1);
  if (slices % 2 != 0) return 1;
  const std::int64_t slice_bytes = lattice.sites() / slices * site_bytes;
  const std::int64_t in_flight = cache_bytes * 3 / 4 / slice_bytes;
  return static_cast<int>(std::clamp<std::int64_t>(in_flight - 2, 1, slices / 2));
}

CpuBundle::CpuBundle(const Chain& chain, const Disorder& disorder, std::uint32_t realization, int first_replica)
    : chain_(chain),
      moves_(chain),
      disorder_(disorder),
      kind_(vector_chain(chain.model)),
      realization_(realization),
      first_replica_(first_replica),
      spins_(static_cast<std::size_t>(kind_.components * bundle_lanes * chain.lattice.sites())) {}

int CpuBundle::replica_of(int lane) const { return std::min(first_replica_ + lane, chain_.replicas() - 1); }

void CpuBundle::load(const ChainState& state) {
  const auto sites = static_cast<std::size_t>(chain_.lattice.sites());
  const auto n = static_cast<std::size_t>(kind_.components);
  for (int lane = 0; lane < bundle_lanes; ++lane) {
    if (chain_.model.is_discrete()) {
      const std::uint8_t* from = state.states.data() + static_cast<std::size_t>(replica_of(lane)) * sites;
      float* to = spins_.data() + lane;
      for (std::size_t i = 0; i < sites; ++i) to[i * bundle_lanes] = from[i] != 0 ? 1.0F : -1.0F;
      continue;
    }
    const float* from = state.spins.data() + static_cast<std::size_t>(replica_of(lane)) * n * sites;
    for (std::size_t c = 0; c < n; ++c) {
      float* to = spins_.data() + c * bundle_lanes + static_cast<std::size_t>(lane);
      for (std::size_t i = 0; i < sites; ++i) to[i * n * bundle_lanes] = from[c * sites + i];
    }
  }
}

void CpuBundle::store(ChainState& state) const {
  const std::int64_t sites = chain_.lattice.sites();
  if (chain_.model.is_discrete()) {
    unload([&](int replica) { return state.states.data() + replica * sites; }, sites);
    return;
  }
  unload([&](int replica) { return state.spins.data() + std::int64_t{replica} * kind_.components * sites; }, sites);
}

void CpuBundle::clear_absent() {
  const std::size_t site_numbers = static_cast<std::size_t>(kind_.components) * bundle_lanes;
  for (std::size_t i = 0; i < disorder_.absent.size(); ++i) {
    if (disorder_.absent[i] != 0) std::fill_n(spins_.data() + i * site_numbers, site_numbers, 0.0F);
  }
}

void CpuBundle::set_temperatures(const std::uint16_t* slot_of_replica) {
  for (int lane = 0; lane < bundle_lanes; ++lane) {
    const float beta = chain_.beta[slot_of_replica[replica_of(lane)]];
    minus_two_beta_[lane] = -2.0F * beta;
    minus_inverse_beta_[lane] = -1.0F / beta;
  }
}

void CpuBundle::sweep(const SweepPlan& plan, std::uint64_t step, const std::uint16_t* slot_of_replica,
                      std::int64_t* energy) {
  set_temperatures(slot_of_replica);
  std::fill(std::begin(energy_), std::end(energy_), 0);

  // The last half-sweeps of a full-lattice heat bath see the final spins, so the energy comes with them.
  const bool fused =
      energy != nullptr && plan.tiles == nullptr && moves_.ends_with_heat_bath() && !kind_.energy_of_bonds;
  if (plan.tiles != nullptr) {
    make_tile_sweeps(plan, step);
  } else {
    make_sweeps(plan, moves_.repetition(step, 0), 0, moves_.repetitions() * moves_.sweeps(), fused);
  }
  if (kind_.renormalizes) kernels_of(plan).renormalize(spins_.data(), chain_.lattice.sites());
  if (energy == nullptr) return;
  if (!fused) add_energy(plan, plan.lattice->geometry(disorder_));
  store_energy(energy);
}

void CpuBundle::sweep(const SweepPlan& plan, std::span<const PlacedMove> run, std::uint64_t repetition,
                      const std::uint16_t* slot_of_replica) {
  set_temperatures(slot_of_replica);
  const int first = run.front().sweeps;
  make_sweeps(plan, repetition, first, run.back().sweeps + run.back().count - first, false);
}

void CpuBundle::make_tile_sweeps(const SweepPlan& plan, std::uint64_t step) {
  const SweepGeometry g = plan.lattice->geometry(disorder_);
  for (int t = 0; t < moves_.repetitions(); ++t) {
    for (std::size_t tile = 0; tile < plan.tiles->size(); ++tile) {
      for (int half = 0; half < 2 * moves_.sweeps(); ++half) {
        half_sweep(plan, g, plan.tiles->region(tile, half & 1), moves_.sweep_at(half / 2, moves_.repetition(step, t)),
                   false);
      }
    }
  }
}

void CpuBundle::make_sweeps(const SweepPlan& plan, std::uint64_t repetition, int first, int count, bool with_energy) {
  const Lattice& lattice = chain_.lattice;
  const SweepGeometry g = plan.lattice->geometry(disorder_);
  const bool sliced = plan.wavefront_depth > 1;
  const int slices = sliced ? lattice.length(lattice.dim - 1) : 1;
  const std::int64_t rows_per_slice = lattice.rows() / slices;
  run_wavefront(2 * count, slices, sliced ? plan.wavefront_depth : 1, [&](int stage, int slice) {
    const int sweep = first + stage / 2;
    half_sweep(
        plan, g, plan.lattice->rows(slice * rows_per_slice, rows_per_slice, stage & 1),
        moves_.sweep_at(sweep % moves_.sweeps(), repetition + static_cast<std::uint64_t>(sweep / moves_.sweeps())),
        with_energy && stage >= 2 * (count - 1));
  });
}

void CpuBundle::half_sweep(const SweepPlan& plan, const SweepGeometry& g, const SweepRegion& region,
                           const NumberedMove& move, bool with_energy) {
  if (move.kind() == MoveKind::over_relaxation) {
    const SweepTable& kernels = kernels_of(plan);
    const bool conserving = chain_.protocol.heatbath == 0 && !kind_.renormalizes;
    (conserving ? kernels.over_relax_conserving : kernels.over_relax)(g, region, spins_.data());
    return;
  }
  const std::uint64_t sweep = 2 * move.number + static_cast<std::uint64_t>(region.parity);
  for (int lane = 0; lane < bundle_lanes; ++lane) {
    word3_[lane] = counter_word3(kind_.local_stream, static_cast<std::uint32_t>(replica_of(lane)), sweep);
  }
  const HeatBathSweep hb{minus_two_beta_,
                         minus_inverse_beta_,
                         word3_,
                         chain_.key,
                         static_cast<std::uint32_t>(sweep),
                         realization_,
                         move.number,
                         with_energy ? energy_ : nullptr,
                         disorder_.energy_scale.multiplier()};
  kernels_of(plan).heat_bath(g, region, hb, spins_.data());
}

void CpuBundle::add_energy(const SweepPlan& plan, const SweepGeometry& g) {
  const SweepTable& kernels = kernels_of(plan);
  for (int parity = 0; parity < 2; ++parity) {
    (kind_.energy_of_bonds ? kernels.bond_energy : kernels.energy)(
        g, plan.lattice->rows(0, chain_.lattice.rows(), parity), spins_.data(), disorder_.energy_scale.multiplier(),
        energy_);
  }
}

void CpuBundle::store_energy(std::int64_t* energy) const {
  for (int lane = 0; lane < bundle_lanes && first_replica_ + lane < chain_.replicas(); ++lane) {
    energy[first_replica_ + lane] = -energy_[lane];
  }
}

void CpuBundle::renormalize(const SweepPlan& plan, std::int64_t* energy) {
  kernels_of(plan).renormalize(spins_.data(), chain_.lattice.sites());
  sum_energies(plan, energy);
}

void CpuBundle::sum_energies(const SweepPlan& plan, std::int64_t* energy) {
  std::fill(std::begin(energy_), std::end(energy_), 0);
  add_energy(plan, plan.lattice->geometry(disorder_));
  store_energy(energy);
}

}}  // namespace glassworks::cpu
