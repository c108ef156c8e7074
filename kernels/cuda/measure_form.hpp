#pragma once

#include "kernels/cuda/measure_job.hpp"

/// From the integer sums of a unit to its observables. `Block::run(step)` calls step(thread, threads, sums) for every
/// thread of a block and waits for all of them; sums is kept by the thread from step to step.
namespace glassworks { inline namespace cuda { namespace measure {

/// The walk of the replica of one copy in the slot of a unit. walk_phase: cos of 2 pi j / (2 slots) [2 slots]
GLASSWORKS_HD void add_walk(const double* walk_phase, const DeviceBatch& batch, const Unit& unit, int copy) {
  const std::int64_t replica = std::int64_t{unit.task} * batch.replicas() + unit.replica(batch, copy);
  add_walk_functions(unit.slot, batch.slots, walk_phase, batch.d_walk_mean + replica * walk_functions);
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

/// What needs no sums, as a part of a step: loads the bin and the energies, records the walk.
template <int dim>
GLASSWORKS_HD void begin_unit(const Job& job, const DeviceBatch& batch, const Unit& unit, int thread, int threads,
                              UnitSpace& space) {
  double* const bin = bin_of<dim>(batch, unit, space);
  for (int i = thread; i < batch.observables; i += threads) bin[i] = unit.bin(batch)[i];
  const int from_last = threads - 1 - thread;
  if (from_last < batch.copies) {
    const std::int64_t replica = std::int64_t{unit.task} * batch.replicas() + unit.replica(batch, from_last);
    space.energy[from_last] = batch.d_energy[replica];
    add_walk(job.d_walk_phase, batch, unit, from_last);
  } else if (from_last == batch.copies) {
    space.energy_unit = batch.energy_scale(unit.task).unit();
    count_headings(batch, unit);
  }
}

/// Adds the observables of single copies to the bin.
GLASSWORKS_HD void add_copies(const MeasurementFormulas& formulas, const unsigned long long* totals, double* bin,
                              const UnitSpace& space) {
  for (int copy = 0; copy < formulas.copies(); ++copy) {
    const unsigned long long* sum = totals + copy * ThreadSums::of_replica;
    ReplicaSums r;
    r.energy = -space.energy[copy];
    r.field = static_cast<std::int64_t>(sum[0]);
    r.q_s = static_cast<std::int64_t>(sum[1]);
    for (int c = 0; c < 3; ++c) r.magnetization[c] = static_cast<std::int64_t>(sum[2 + c]);
    formulas.add_replica(copy, r, space.energy_unit, bin);
  }
}

/// Adds the observables of a pair to `bin`; with the last pair of a unit those of single copies. `planes` and
/// `totals` hold all sums that are needed. kept: of the pair, where the job keeps chiralities
template <int dim, class Block, class Tiling>
GLASSWORKS_HD void form_pair(Block& block, const Job& job, const Tiling& t, int pair, const std::int32_t* planes,
                             const unsigned long long* totals, double* bin, UnitSpace& space, PairSpace& work,
                             Complex* kept) {
  constexpr int components = SiteTerms<dim>::components, mode_count = Modes(dim).size();
  const MeasurementFormulas& formulas = job.formulas;
  block.run([&](int thread, int threads, ThreadSums&) {
    for (int i = thread; i < mode_count * components; i += threads) {
      const int mode = i / components, component = i - mode * components;
      const Modes::Mode m = formulas.modes()[mode];
      Complex sum;
      transform_planes<1>(planes + (m.direction * components + component) * t.L, 1, t.L, m.multiple, job.d_phase, &sum);
      if (component < 9) {
        work.q[mode * 9 + component] = formulas.per_site(sum);
      } else {
        const int place = (component - 9) * Modes::max_modes + mode;
        work.squares[place] = formulas.chirality_square(sum);
        if (job.d_kept != nullptr) kept[place] = formulas.per_site(sum);
      }
    }
  });
  block.run([&](int thread, int threads, ThreadSums&) {
    constexpr int chiralities = MeasurementFormulas::chiralities;
    for (int i = thread; i < 3 * 32; i += threads) {  // one warp each for overlaps, chiralities, single copies
      const int part = i / 32, n = i % 32;
      if (part == 0 && n < mode_count) {
        space.trace[pair * Modes::max_modes + n] = formulas.add_overlap(n, work.q + n * 9, bin);
      } else if (part == 1 && n < chiralities) {
        formulas.add_chirality(n, work.squares, bin);
      } else if (part == 1 && n == chiralities) {
        const auto link = totals[formulas.copies() * ThreadSums::of_replica + pair];
        formulas.add_link(static_cast<std::int64_t>(link), bin);
      } else if (part == 1 && n <= chiralities + dim) {
        formulas.add_chirality_of_axis(n - chiralities - 1, work.squares, bin);
      } else if (part == 2 && n == 0 && pair == formulas.pairs() - 1) {
        add_copies(formulas, totals, bin, space);
      }
    }
  });
}

/// After all pairs: what belongs to four copies. Writes the bin, and the overlaps of single pairs where they are
/// wanted.
template <int dim, class Block>
GLASSWORKS_HD void finish_unit(Block& block, const Job& job, const DeviceBatch& batch, std::int64_t unit_of_launch,
                               UnitSpace& space) {
  const Unit unit(batch, job.first_unit + unit_of_launch);
  double* const bin = bin_of<dim>(batch, unit, space);
  if (batch.copies == 4) {
    block.run([&](int thread, int, ThreadSums&) {
      if (thread < Modes(dim).size()) job.formulas.add_four_copies(thread, space.trace, bin);
      if (const int n = thread - 32; job.d_kept != nullptr && n >= 0 && n < chiral_means) {
        job.formulas.add_chiral_response(n, job.kept(unit_of_launch, 0), bin);
      }
      if (batch.d_pair_overlap != nullptr && thread < max_pairs) {
        batch.d_pair_overlap[(std::int64_t{unit.task} * batch.slots + unit.slot) * max_pairs + thread] =
            space.trace[thread * Modes::max_modes].re;
      }
    });
  }
  block.run([&](int thread, int threads, ThreadSums&) {
    for (int i = thread; i < batch.observables; i += threads) unit.bin(batch)[i] = bin[i];
  });
}

/// Forms the observables of a unit that several blocks have summed.
template <int dim, class Block>
GLASSWORKS_HD void form_unit(Block& block, const Job& job, const DeviceBatch& batch, std::int64_t unit_of_launch,
                             UnitSpace& space, PairSpace& work) {
  const Unit unit(batch, job.first_unit + unit_of_launch);
  const unsigned long long* totals = job.d_totals + unit_of_launch * job.totals();
  block.run([&](int thread, int threads, ThreadSums&) { begin_unit<dim>(job, batch, unit, thread, threads, space); });
  for (int pair = 0; pair < job.formulas.pairs(); ++pair) {
    const std::int32_t* planes = job.d_planes + (unit_of_launch * job.formulas.pairs() + pair) * job.plane_sums();
    form_pair<dim>(block, job, job.tiling, pair, planes, totals, bin_of<dim>(batch, unit, space), space, work,
                   job.kept(unit_of_launch, pair));
  }
  finish_unit<dim>(block, job, batch, unit_of_launch, space);
}

}}}  // namespace glassworks::cuda::measure
