#pragma once

#include "kernels/cuda/measure_form.hpp"

/// A measurement of one unit (a slot of a task) by one block or several. Block: see measure_form.hpp.
namespace glassworks { inline namespace cuda { namespace measure {

/// Memory of a block that sums; see BlockShape.
struct BlockMemory {
  UnitSpace* unit;
  FourTerms* terms;
  std::int32_t* planes;  ///< of a pair [direction][component][plane]
  float* spins;          ///< [copy of the pair][component][site]

  GLASSWORKS_HD BlockMemory(double* memory, int terms_count, int plane_count)
      : unit(reinterpret_cast<UnitSpace*>(memory)),
        terms(reinterpret_cast<FourTerms*>(memory + sizeof(UnitSpace) / sizeof(double))),
        planes(reinterpret_cast<std::int32_t*>(terms + terms_count)),
        spins(reinterpret_cast<float*>(planes + plane_count)) {}
};

/// Sums of a pair over the passes [first, last).
///
/// planes  [direction][component][plane], added to
/// totals  [total], added to
template <int dim, class Block, class Tiling, Boundary boundary, SpinLayout layout>
GLASSWORKS_HD void sum_pair(Block& block, const Job& job, const Tiling& t, const PairInput<boundary, layout>& in, int a,
                            int b, int first, int last, FourTerms* terms, std::int32_t* planes,
                            unsigned long long* totals) {
  for (int pass = first; pass < last; ++pass) {
    block.run([&](int thread, int threads, ThreadSums& sums) {
      if (pass == first) {
        sums = {};
      } else {
        fold_planes<dim>(t, t.tile(pass - 1), thread, threads, terms, planes);
      }
      gather_terms<dim>(t, t.tile(pass), in, thread, threads, terms, sums);
    });
    block.run([&](int thread, int threads, ThreadSums&) {
      fold_terms<dim>(t, t.tile(pass), thread, threads, terms, planes);
    });
  }
  block.run([&](int thread, int threads, ThreadSums& sums) {
    fold_planes<dim>(t, t.tile(last - 1), thread, threads, terms, planes);
    const int copies = job.formulas.copies();
    add_thread_sums(sums, in.with_replicas ? ThreadSums::count : 1, [&](int i) {
      if (i == 0) return totals + copies * ThreadSums::of_replica + pair_of_copies(a, b, copies);
      const int copy = i <= ThreadSums::of_replica ? a : b;
      return totals + copy * ThreadSums::of_replica + (i - 1) % ThreadSums::of_replica;
    });
  });
}

/// Copies the spins of a replica as they lie, as a part of a step. sites: a multiple of 4, known to the compiler
GLASSWORKS_HD void stage_spins(const float* from, int sites, int thread, int threads, float* to) {
  struct alignas(16) Four {
    float value[4];
  };
  auto* const to_thread = reinterpret_cast<Four*>(to) + thread;
  const auto* const from_thread = reinterpret_cast<const Four*>(from) + thread;
  for_share<true>(thread, threads, 3 * sites / 4, [&](int first) { to_thread[first] = from_thread[first]; });
}

/// Sums of a unit by one of its blocks; forms the observables at once if there is only this one. layout: of the spins
template <int dim, bool planes_in_block, Boundary boundary, SpinLayout layout, class Tiling, class Block>
GLASSWORKS_HD void measure_unit(Block& block, const Job& job, const Tiling& t, const DeviceBatch& batch,
                                std::int64_t unit_of_launch, int chunk, const BlockMemory& memory) {
  const Unit unit(batch, job.first_unit + unit_of_launch);
  const bool alone = (Tiling::one_tile && planes_in_block) || job.d_planes == nullptr;
  const int share = Tiling::one_tile ? 1 : job.passes_of_chunk, first = Tiling::one_tile ? 0 : share * chunk;
  const int last = first + share < t.passes ? first + share : t.passes;
  UnitSpace& space = *memory.unit;
  unsigned long long* totals = alone ? space.totals : job.d_totals + unit_of_launch * job.totals();
  const std::int64_t sites = t.lattice_sites(batch.sites());
  PairInput<boundary, layout> in;
  in.order = batch.order;
  in.open = batch.lattice.open;
  in.spin_scale = job.spin_scale;
  in.bond_scale = job.bond_scale;
  in.with_fields = batch.d_fields != nullptr;
  in.with_axes = batch.d_axes != nullptr;
  in.energy_scale = batch.energy_scale(unit.task).multiplier();
  if (in.with_fields) in.fields = {batch.fields_of(unit.task), sites};
  if (in.with_axes) {
    in.axes = {batch.axes_of(unit.task), sites};
    in.anisotropy = batch.anisotropy;
  }
  const int plane_sums = Modes(dim).directions() * SiteTerms<dim>::components * t.L;
  int pair = 0;
  for (int a = 0; a < batch.copies; ++a) {
    for (int b = a + 1; b < batch.copies; ++b, ++pair) {
      const float* spins[2] = {batch.spins_of(unit.task, static_cast<int>(unit.replica(batch, a))),
                               batch.spins_of(unit.task, static_cast<int>(unit.replica(batch, b)))};
      block.run([&](int thread, int threads, ThreadSums&) {
        if constexpr (Tiling::one_tile) {
          for (int copy = 0; copy < 2; ++copy) {
            stage_spins(spins[copy], static_cast<int>(sites), thread, threads, memory.spins + copy * 3 * sites);
          }
        }
        if constexpr (planes_in_block) {
          for_share<Tiling::fixed_L != 0>(thread, threads, plane_sums, [&](int n) { memory.planes[n + thread] = 0; });
        }
        if (alone && pair == 0) {
          for (int i = thread; i < job.totals(); i += threads) space.totals[i] = 0;
          begin_unit<dim>(job, batch, unit, thread, threads, space);
        }
      });
      for (int copy = 0; copy < 2; ++copy) {
        in.spins[copy] = {Tiling::one_tile ? memory.spins + copy * 3 * sites : spins[copy], sites};
      }
      in.with_replicas = a % 2 == 0 && b == a + 1;  // every copy once
      std::int32_t* all = alone ? nullptr : job.d_planes + (unit_of_launch * job.formulas.pairs() + pair) * plane_sums;
      std::int32_t* planes = planes_in_block ? memory.planes : all;
      sum_pair<dim>(block, job, t, in, a, b, first, last, memory.terms, planes, totals);
      if (alone) {
        auto& work = *reinterpret_cast<PairSpace*>(memory.terms);
        form_pair<dim>(block, job, t, pair, planes, totals, bin_of<dim>(batch, unit, space), space, work,
                       job.kept(unit_of_launch, pair));
      } else if constexpr (planes_in_block) {
        block.run([&](int thread, int threads, ThreadSums&) {
          for (int i = thread; i < plane_sums; i += threads) add_atomically(all + i, planes[i]);
        });
      }
    }
  }
  if (alone) finish_unit<dim>(block, job, batch, unit_of_launch, space);
}

}}}  // namespace glassworks::cuda::measure
