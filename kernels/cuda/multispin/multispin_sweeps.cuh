#pragma once

#include <type_traits>

#include "kernels/cuda/multispin/ladder_sweeps.cuh"
#include "kernels/cuda/multispin/replica_block.cuh"
#include "kernels/cuda/multispin/sweep_job.hpp"

/// Kernels of the sweeps of multi-spin coding.
namespace glassworks { inline namespace cuda {
namespace multispin {

/// A part of a step for the replicas at shape.places places of a pack, which stay in shared memory. Reads the present
/// spins and writes the next ones. Grid: packs x the parts of the places. Deterministic: integers. Bound by logic:
/// about 22 instructions for a word of 32 spins (Metropolis, d = 3), its random word included.
template <class V, class Geometry>
__global__ void __launch_bounds__(most_sweep_threads, 1)
    resident_kernel(const __grid_constant__ MultispinBatch b, const __grid_constant__ SweepShape shape,
                    const __grid_constant__ StepPart of_step) {
  using Site = typename V::Site;
  extern __shared__ __align__(16) std::uint32_t memory[];
  const Part part(b, shape);
  ReplicaBlock<V, Geometry> block(memory, b, shape, part.pack);
  const int sites = 2 * block.g.places;
  block.begin(b, shape, part.first);
  begin_part<V::words>(b, part, of_step, sites, block.exchanged, block.spins);
  BlockSweeps<V, Geometry> sweeps(block, b, shape, part.pack, part.first);
  __syncthreads();
  sweeps.run(of_step.step, of_step.begin, of_step.end);

  auto* const next =
      reinterpret_cast<Site*>(b.d_next_spins) + (std::int64_t{part.pack} * b.replicas() + part.first) * sites;
  if (of_step.energies) block.count(shape, part.present);
  if (of_step.moves_spins()) copy(next, block.spins, sites * part.present);
  if (!of_step.energies) return;
  __syncthreads();
  copy(b.d_next_unsatisfied + b.lane_of(part.pack, part.first, 0), block.unsatisfied, 32 * V::words * part.present);
  if constexpr (V::in_field) {
    copy(b.d_next_down + b.lane_of(part.pack, part.first, 0), block.down, 32 * V::words * part.present);
  }
}

/// One half-sweep where spins stay in the memory of the device, in place. Grid: quads of all replicas, a thread each.
template <class V>
__global__ void __launch_bounds__(256)
    half_sweep_kernel(const __grid_constant__ MultispinBatch b, std::uint64_t step, int half) {
  using Site = typename V::Site;
  const HalfLattice& g = b.lattice;
  const std::int64_t item = std::int64_t{blockIdx.x} * 256 + threadIdx.x;
  const std::int64_t replica = item / g.quads;
  if (replica >= std::int64_t{b.packs} * b.replicas()) return;
  const int pack = static_cast<int>(replica / b.replicas()), place = static_cast<int>(replica - pack * b.replicas());
  const BitPack& of_pack = b.d_packs[pack];
  PackView<V> view{reinterpret_cast<Site*>(b.spins_of(pack, place)),
                   reinterpret_cast<const Site*>(b.d_negative + pack * b.coupling_words()),
                   V::diluted ? reinterpret_cast<const Site*>(b.d_absent + pack * b.coupling_words()) : nullptr,
                   b.d_threshold + place % b.common.slots * V::thresholds_of_slot,
                   {}};
#pragma unroll
  for (int w = 0; w < V::words; ++w) view.turn[w] = of_pack.turn[w];
  const std::uint64_t first = 2 * b.steps_before(pack, step) * static_cast<unsigned>(b.sweeps);
  const auto number = static_cast<int>(item - replica * g.quads);
  const Quad quad = quad_of<V::dim>(g, number);
  const typename V::Ends ends = ends_of<V>(g, number, b.common.lattice.open);
  const HalfSweepCounter counter(first + static_cast<unsigned>(half), of_pack.group);
  if ((half & 1) == 0) {
    sweep_quad<V, 0>(g, view, quad, ends, b.common.key, counter, place, 1);
  } else {
    sweep_quad<V, 1>(g, view, quad, ends, b.common.key, counter, place, 1);
  }
}

/// Unsatisfied bonds of replicas in the memory of the device, added to d_unsatisfied. Grid: (replicas, chunks of
/// quads), a warp each.
template <class V>
__global__ void __launch_bounds__(32) bonds_kernel(const __grid_constant__ MultispinBatch b) {
  using Site = typename V::Site;
  constexpr int bits = 10, chunk = bond_quads(V::dim);
  static_assert(chunk <= 32 * most_quads<V::dim, bits>);
  const HalfLattice& g = b.lattice;
  const auto replica = static_cast<int>(blockIdx.x);
  const int pack = replica / b.replicas(), begin = static_cast<int>(blockIdx.y) * chunk;
  const ReplicaSites<Site> load{reinterpret_cast<const Site*>(b.d_spins + replica * b.replica_words()), g.places};
  count_bonds<V, bits>(g, b.common.lattice.open, load,
                       reinterpret_cast<const Site*>(b.d_negative + pack * b.coupling_words()),
                       V::diluted ? reinterpret_cast<const Site*>(b.d_absent + pack * b.coupling_words()) : nullptr,
                       begin, min(begin + chunk, g.quads), b.d_unsatisfied + std::int64_t{replica} * b.lanes());
}

/// Spins -1 of replicas in the memory of the device, added to d_down. Grid: (replicas, parts of most_down_sites), a
/// warp each.
template <int words>
__global__ void __launch_bounds__(32) down_kernel(const __grid_constant__ MultispinBatch b) {
  const int sites = 2 * b.lattice.places, first = static_cast<int>(blockIdx.y) * most_down_sites;
  const auto replica = static_cast<int>(blockIdx.x);
  count_down<words>(reinterpret_cast<const Words<words>*>(b.d_spins + replica * b.replica_words()), first,
                    min(first + most_down_sites, sites), b.d_down + std::int64_t{replica} * b.lanes());
}

/// A choice among compiled kernels by their form.
struct OfferedKernels {
  const SweepForm& form;
  SweepKernels kernels{};

  template <class V>
  [[nodiscard]] bool is_form() const {
    return form == SweepForm{V::words, V::replicas_together, V::couplings_in_block};
  }
  template <class V, class Geometry>
  void resident() {
    if (is_form<V>()) kernels.resident = resident_kernel<V, Geometry>;
  }
  template <class V, class Geometry>
  void ladder() {
    if (is_form<V>()) kernels.ladder = ladder_kernel<V, Geometry>;
  }
  /// Those for spins in the memory of the device.
  template <class V>
  void in_memory() {
    kernels.half_sweep = half_sweep_kernel<V>;
    kernels.bonds = bonds_kernel<V>;
    if constexpr (V::in_field) kernels.down = down_kernel<V::words>;
  }
};

/// The kernels that are compiled for a geometry: fewer where the size is not known to the compiler.
template <int dim, bool diluted, MultispinRule rule, class Geometry>
SweepKernels kernels_of(const SweepForm& form) {
  using Plain = Variant<dim, 4, diluted, rule, 1, false>;
  constexpr bool fixed = !std::is_same_v<Geometry, HalfLattice>;
#if GLASSWORKS_CUDA_ALL_SIZES
  constexpr bool every_form = true;
#else
  constexpr bool every_form = fixed && dim == 3 && rule == MultispinRule::metropolis;
#endif
  OfferedKernels offered{form};
  offered.in_memory<Plain>();
  offered.resident<Plain, Geometry>();
  if constexpr (every_form) offered.resident<Variant<dim, 1, diluted, rule, 1, false>, Geometry>();
  if constexpr (every_form && fixed && !diluted) {
    constexpr int coupling_bytes = 16 * 2 * dim * Geometry::places, most_in_block = 100 << 10;
    if constexpr (coupling_bytes <= most_in_block) {
      offered.resident<Variant<dim, 4, diluted, rule, 1, true>, Geometry>();
      offered.resident<Variant<dim, 4, diluted, rule, 2, true>, Geometry>();
      offered.resident<Variant<dim, 1, diluted, rule, 1, true>, Geometry>();
    } else {
      offered.resident<Variant<dim, 4, diluted, rule, 2, false>, Geometry>();
      offered.resident<Variant<dim, 2, diluted, rule, 2, false>, Geometry>();
      offered.resident<Variant<dim, 2, diluted, rule, 1, false>, Geometry>();
    }
    // Ladders of 16 slots, in packs of two words or in two blocks: a block has as many bytes of spins in both.
    constexpr int spin_bytes = 16 * 8 * 2 * Geometry::places, most_bytes = 222 << 10;
    if constexpr (Geometry::quads <= 40) {
      offered.ladder<Variant<dim, 1, diluted, rule, 1, true>, Geometry>();
      offered.ladder<Variant<dim, 2, diluted, rule, 1, true>, Geometry>();
    } else if constexpr (spin_bytes + coupling_bytes <= most_bytes) {
      offered.ladder<Variant<dim, 2, diluted, rule, 2, true>, Geometry>();
      offered.ladder<Variant<dim, 4, diluted, rule, 1, true>, Geometry>();
    } else if constexpr (spin_bytes <= most_bytes) {
      offered.ladder<Variant<dim, 2, diluted, rule, 2, false>, Geometry>();
      offered.ladder<Variant<dim, 4, diluted, rule, 2, false>, Geometry>();
    }
  }
  return offered.kernels;
}

template <int dim, bool diluted, class Geometry>
SweepKernels kernels_for_rule(MultispinRule rule, const SweepForm& form) {
  if (rule == MultispinRule::metropolis) return kernels_of<dim, diluted, MultispinRule::metropolis, Geometry>(form);
  return kernels_of<dim, diluted, MultispinRule::heat_bath, Geometry>(form);
}

/// Those without a field, where bonds are absent anywhere or nowhere: the sizes have kernels of their own.
template <int dim, int... sizes>
SweepKernels kernels_for_sizes(const SweepKind& kind, const SweepForm& form) {
  if (kind.diluted) return kernels_for_rule<dim, true, HalfLattice>(kind.rule, form);
  SweepKernels kernels{};
  const auto fits = [&]<int L>() {
    if (kind.lattice.L == L) kernels = kernels_for_rule<dim, false, FixedHalfLattice<dim, L>>(kind.rule, form);
    return kind.lattice.L == L;
  };
  if ((fits.template operator()<sizes>() || ...)) return kernels;
  return kernels_for_rule<dim, false, HalfLattice>(kind.rule, form);
}

/// Those in a field or with open ends, of any size. Where the rule is heat_bath it is in the thresholds. Two replicas
/// together need more registers than there are.
template <int dim, bool diluted, MultispinRule rule, bool in_field, bool open_ends>
SweepKernels kernels_of_any_size(const SweepForm& form) {
  using Plain = Variant<dim, 4, diluted, rule, 1, false, in_field, open_ends>;
#if GLASSWORKS_CUDA_ALL_SIZES
  constexpr bool in_block = true, every_form = !diluted;
#else
  constexpr bool in_block = dim == 3 && !diluted && in_field != (rule == MultispinRule::metropolis), every_form = false;
#endif
  OfferedKernels offered{form};
  offered.in_memory<Plain>();
  if constexpr (in_block) {
    offered.resident<Plain, HalfLattice>();
    if constexpr (!diluted) offered.ladder<Variant<dim, 4, diluted, rule, 1, true, in_field, open_ends>, HalfLattice>();
  }
  if constexpr (every_form) {
    offered.resident<Variant<dim, 2, diluted, rule, 1, false, in_field, open_ends>, HalfLattice>();
    offered.resident<Variant<dim, 1, diluted, rule, 1, false, in_field, open_ends>, HalfLattice>();
  }
  return offered.kernels;
}

}  // namespace multispin

template <int dim>
SweepKernels sweep_kernels_in_field(const SweepKind& kind, const SweepForm& form) {
  using enum MultispinRule;
  if (kind.diluted) return multispin::kernels_of_any_size<dim, true, heat_bath, true, false>(form);
  if (kind.open_ends) return multispin::kernels_of_any_size<dim, false, heat_bath, true, true>(form);
  return multispin::kernels_of_any_size<dim, false, heat_bath, true, false>(form);
}

template <int dim>
SweepKernels sweep_kernels_with_ends(const SweepKind& kind, const SweepForm& form) {
  using enum MultispinRule;
  if (kind.rule == metropolis) return multispin::kernels_of_any_size<dim, false, metropolis, false, true>(form);
  return multispin::kernels_of_any_size<dim, false, heat_bath, false, true>(form);
}

}}  // namespace glassworks::cuda
