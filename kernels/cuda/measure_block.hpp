#pragma once

#include "kernels/cuda/measure_form.hpp"

/// A measurement of one unit (a slot of a task) by one block or several. Block: see measure_form.hpp.
namespace glassworks::measure {

/// Sums of a pair over the passes [first, last).
///
/// terms   scratch of the block, also for ThreadSums::count numbers of each thread
/// planes  [direction][component][plane], set to 0 before
/// totals  [total], added to
template <int dim, class Block>
GLASSWORKS_HD void sum_pair(Block& block, const Job& job, const PairInput& in, int a, int b, int first, int last,
                            FourTerms* terms, std::int32_t* planes, unsigned long long* totals) {
  const MeasureTiling& t = job.tiling;
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
  block.run([&](int thread, int threads, ThreadSums&) {
    fold_planes<dim>(t, t.tile(last - 1), thread, threads, terms, planes);
  });
  auto* of_thread = reinterpret_cast<std::int64_t*>(terms);  // [sum][thread]
  const int count = in.with_replicas ? ThreadSums::count : 1;
  block.run([&](int thread, int threads, ThreadSums& sums) {
    for (int i = 0; i < ThreadSums::count; ++i) {
      if (i < count) of_thread[i * threads + thread] = sums.value[i];
    }
  });
  block.run([&](int thread, int threads, ThreadSums&) {
    constexpr int parts = 4;
    if (thread >= parts * count) return;
    const int i = thread / parts;
    std::int64_t sum = 0;
    for (int j = thread % parts; j < threads; j += parts) sum += of_thread[i * threads + j];
    const int copy = i <= ThreadSums::of_replica ? a : b;
    const int place = i == 0
                          ? job.formulas.copies() * ThreadSums::of_replica + pair_of_copies(a, b, job.formulas.copies())
                          : copy * ThreadSums::of_replica + (i - 1) % ThreadSums::of_replica;
    add_atomically(totals + place, static_cast<unsigned long long>(sum));
  });
}

/// Sums of a unit by one of its `job.chunks` blocks; forms the observables at once if there is only this one.
///
/// memory: UnitSpace; then terms, where also the PairSpace lies; then the planes if `planes_in_block`
template <int dim, bool planes_in_block, class Block>
GLASSWORKS_HD void measure_unit(Block& block, const Job& job, const DeviceBatch& batch, std::int64_t unit_of_launch,
                                int chunk, UnitSpace& space, FourTerms* terms, std::int32_t* block_planes) {
  const Unit unit(batch, job.first_unit + unit_of_launch);
  const bool alone = job.d_planes == nullptr;
  const int first = static_cast<int>(std::int64_t{job.tiling.passes} * chunk / job.chunks);
  const int last = static_cast<int>(std::int64_t{job.tiling.passes} * (chunk + 1) / job.chunks);
  unsigned long long* totals = alone ? space.totals : job.d_totals + unit_of_launch * job.totals();
  if (alone) {
    load_bin(block, batch, unit, space);
    block.run([&](int thread, int threads, ThreadSums&) {
      for (int i = thread; i < job.totals(); i += threads) space.totals[i] = 0;
    });
  }
  PairInput in;
  in.spin_scale = overlap_scale(batch.lattice).multiplier();
  in.bond_scale = site_scale(batch.lattice).multiplier();
  in.energy_scale = batch.energy_scale(unit.task).multiplier();
  in.with_fields = batch.d_fields != nullptr;
  if (in.with_fields) in.fields = VectorField(batch.fields_of(unit.task), batch.sites());
  const int plane_sums = job.plane_sums();
  int pair = 0;
  for (int a = 0; a < batch.copies; ++a) {
    for (int b = a + 1; b < batch.copies; ++b, ++pair) {
      in.spins[0] = VectorField(batch.spins_of(unit.task, static_cast<int>(unit.replica(batch, a))), batch.sites());
      in.spins[1] = VectorField(batch.spins_of(unit.task, static_cast<int>(unit.replica(batch, b))), batch.sites());
      in.with_replicas = a % 2 == 0 && b == a + 1;  // every copy once
      std::int32_t* all = alone ? nullptr : job.d_planes + (unit_of_launch * job.formulas.pairs() + pair) * plane_sums;
      std::int32_t* planes = planes_in_block ? block_planes : all;
      if constexpr (planes_in_block) {
        block.run([&](int thread, int threads, ThreadSums&) {
          for (int i = thread; i < plane_sums; i += threads) planes[i] = 0;
        });
      }
      sum_pair<dim>(block, job, in, a, b, first, last, terms, planes, totals);
      if (alone) {
        form_pair<dim>(block, job, pair, planes, totals, space, *reinterpret_cast<PairSpace*>(terms));
      } else if constexpr (planes_in_block) {
        block.run([&](int thread, int threads, ThreadSums&) {
          for (int i = thread; i < plane_sums; i += threads) add_atomically(all + i, planes[i]);
        });
      }
    }
  }
  if (alone) finish_unit(block, job, batch, unit, totals, space);
}

}  // namespace glassworks::measure
