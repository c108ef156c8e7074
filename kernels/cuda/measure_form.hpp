#pragma once

#include "kernels/cuda/measure_job.hpp"

/// From the integer sums of a unit to its observables. `Block::run(step)` calls step(thread, threads, sums) for every
/// thread of a block of at least 64 and waits for all of them; sums is kept by the thread from step to step.
namespace glassworks::measure {

template <class Block>
GLASSWORKS_HD void load_bin(Block& block, const DeviceBatch& batch, const Unit& unit, UnitSpace& space) {
  block.run([&](int thread, int threads, ThreadSums&) {
    for (int i = thread; i < batch.observables; i += threads) space.bin[i] = unit.bin(batch)[i];
  });
}

/// Adds the observables of a pair to the bin. `planes` and `totals` hold all its sums.
template <int dim, class Block>
GLASSWORKS_HD void form_pair(Block& block, const Job& job, int pair, const std::int32_t* planes,
                             const unsigned long long* totals, UnitSpace& space, PairSpace& work) {
  constexpr int components = 9 + dim;
  const MeasurementFormulas& formulas = job.formulas;
  const Modes& modes = formulas.layout().modes();
  const int L = job.tiling.L;
  block.run([&](int thread, int threads, ThreadSums&) {
    for (int i = thread; i < modes.size() * components; i += threads) {
      const int mode = i / components, component = i % components;
      const Modes::Mode m = modes[mode];
      Complex sum;
      transform_planes<1>(planes + (m.direction * components + component) * L, 1, L, m.multiple, job.d_phase, &sum);
      if (component < 9) {
        work.q[mode * 9 + component] = formulas.per_site(sum);
      } else {
        work.squares[(component - 9) * Modes::max_modes + mode] = formulas.chirality_square(sum);
      }
    }
  });
  block.run([&](int thread, int, ThreadSums&) {  // one warp each for overlaps and chiralities
    constexpr int first = ObservableLayout::chiral_4, places = ObservableLayout::fixed_count - first;
    const int other = thread - 32;
    if (thread < modes.size()) {
      space.trace[pair * Modes::max_modes + thread] = formulas.add_overlap(thread, work.q + thread * 9, space.bin);
    } else if (other >= 0 && other < places) {
      formulas.add_chirality(first + other, work.squares, space.bin);
    } else if (other == places) {
      const auto link = totals[formulas.copies() * ThreadSums::of_replica + pair];
      formulas.add_link(static_cast<std::int64_t>(link), space.bin);
    }
  });
}

/// The walk of the replica of one copy in the slot of a unit.
GLASSWORKS_HD void add_walk(const Job& job, const DeviceBatch& batch, const Unit& unit, int copy) {
  const std::int64_t replica = std::int64_t{unit.task} * batch.replicas() + unit.replica(batch, copy);
  add_walk_functions(unit.slot, batch.slots, job.d_walk_phase, batch.d_walk_mean + replica * walk_functions);
}

GLASSWORKS_HD void count_headings(const DeviceBatch& batch, const Unit& unit) {
  std::uint32_t up = 0, down = 0;
  for (int copy = 0; copy < batch.copies; ++copy) {
    const int heading = batch.d_heading[std::int64_t{unit.task} * batch.replicas() + unit.replica(batch, copy)];
    up += heading > 0 ? 1U : 0U;
    down += heading < 0 ? 1U : 0U;
  }
  batch.d_walk_up[std::int64_t{unit.task} * batch.slots + unit.slot] += up;
  batch.d_walk_down[std::int64_t{unit.task} * batch.slots + unit.slot] += down;
}

/// After all pairs: what belongs to single copies and to four copies, and the walk. Writes the bin.
template <class Block>
GLASSWORKS_HD void finish_unit(Block& block, const Job& job, const DeviceBatch& batch, const Unit& unit,
                               const unsigned long long* totals, UnitSpace& space) {
  const MeasurementFormulas& formulas = job.formulas;
  block.run(
      [&](int thread, int, ThreadSums&) {  // one warp for the copies, one for the rest: 19 + 4 + 1 threads at most
        if (thread == 0) {
          const double energy_unit = batch.energy_scale(unit.task).unit();
          for (int copy = 0; copy < batch.copies; ++copy) {
            const std::int64_t replica = std::int64_t{unit.task} * batch.replicas() + unit.replica(batch, copy);
            const unsigned long long* sum = totals + copy * ThreadSums::of_replica;
            ReplicaSums r;
            r.energy = -batch.d_energy[replica];
            r.field = static_cast<std::int64_t>(sum[0]);
            r.q_s = static_cast<std::int64_t>(sum[1]);
            for (int c = 0; c < 3; ++c) r.magnetization[c] = static_cast<std::int64_t>(sum[2 + c]);
            formulas.add_replica(copy, r, energy_unit, space.bin);
          }
        }
        const int modes = formulas.layout().modes().size(), other = thread - 32;
        if (other >= 0 && other < modes) {
          if (batch.copies == 4) formulas.add_four_copies(other, space.trace, space.bin);
        } else if (other >= modes && other < modes + batch.copies) {
          add_walk(job, batch, unit, other - modes);
        } else if (other == modes + batch.copies) {
          count_headings(batch, unit);
        }
      });
  block.run([&](int thread, int threads, ThreadSums&) {
    for (int i = thread; i < batch.observables; i += threads) unit.bin(batch)[i] = space.bin[i];
  });
}

/// Forms the observables of a unit that several blocks have summed.
template <int dim, class Block>
GLASSWORKS_HD void form_unit(Block& block, const Job& job, const DeviceBatch& batch, std::int64_t unit_of_launch,
                             UnitSpace& space, PairSpace& work) {
  const Unit unit(batch, job.first_unit + unit_of_launch);
  const unsigned long long* totals = job.d_totals + unit_of_launch * job.totals();
  load_bin(block, batch, unit, space);
  for (int pair = 0; pair < job.formulas.pairs(); ++pair) {
    const std::int32_t* planes = job.d_planes + (unit_of_launch * job.formulas.pairs() + pair) * job.plane_sums();
    form_pair<dim>(block, job, pair, planes, totals, space, work);
  }
  finish_unit(block, job, batch, unit, totals, space);
}

}  // namespace glassworks::measure
