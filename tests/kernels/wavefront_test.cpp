#include "kernels/cpu/lanes/wavefront.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "kernels/cpu/cpu_backend.hpp"
#include "kernels/cpu/lanes/cpu_bundle.hpp"
#include "kernels/reference/reference_replica.hpp"
#include "tests/kernels/support.hpp"

namespace glassworks { namespace {

/// Stage j of a slice comes after stage j - 1 of the slice and its neighbours, and before their stage j + 1.
RC_GTEST_PROP(Wavefront, KeepsTheOrderOfNeighbours, ()) {
  const int slices = *rc::gen::inRange(2, 40), depth = *rc::gen::inRange(1, slices / 2 + 1);
  const int stages = *rc::gen::inRange(0, 60);
  std::vector<int> done(static_cast<std::size_t>(slices), 0);  // stages finished in each slice
  run_wavefront(stages, slices, depth, [&](int stage, int slice) {
    RC_ASSERT(slice >= 0 && slice < slices);
    RC_ASSERT(done[static_cast<std::size_t>(slice)] == stage);
    for (const int side : {1, slices - 1}) {
      const int neighbour = done[static_cast<std::size_t>((slice + side) % slices)];
      RC_ASSERT(neighbour == stage || neighbour == stage + 1);
    }
    ++done[static_cast<std::size_t>(slice)];
  });
  for (const int n : done) RC_ASSERT(n == stages);
}

TEST(Wavefront, DepthFitsTheCacheAndTheLattice) {
  EXPECT_EQ(choose_wavefront_depth({3, 8}, 1 << 20), 1);
  EXPECT_EQ(choose_wavefront_depth({2, 1024}, 1 << 20), 1);
  for (const Lattice lattice : {Lattice{3, 32}, Lattice{3, 64}, Lattice{4, 16}, Lattice{3, 128}}) {
    for (std::int64_t cache = 1 << 16; cache <= 1 << 29; cache += cache / 4) {
      const int depth = choose_wavefront_depth(lattice, cache);
      EXPECT_GE(depth, 1);
      EXPECT_LE(depth, lattice.L / 2);
    }
  }
}

/// Spins and energies of one bundle for every depth and instruction set, against the reference backend's definition.
TEST(LongWavefront, EveryDepthGivesTheSameBits) {
  for (const auto& [lattice, field] : {std::pair{Lattice{3, 12}, 0.0}, {Lattice{3, 6}, 0.4}, {Lattice{4, 4}, 0.3}}) {
    for (const int heatbath : {0, 1, 2}) {
      const Chain chain = test::make_chain(lattice, 2, test::geometric_betas(2, 0.3, 0.9),
                                           {3, heatbath, heatbath == 2 ? 2 : 1, 1, ExchangeSchedule::even_odd, 0}, 1);
      const Disorder disorder = test::gaussian_disorder(lattice, 107, field);
      const ChainState start = initial_state(chain, 4);
      ChainState expected = start;
      std::vector<std::int64_t> expected_energy;
      for (std::uint32_t r = 0; r < 4; ++r) {
        ReferenceReplica replica(chain, disorder, 4, r, expected.spins.data() + 3 * lattice.sites() * r);
        for (const std::uint64_t step : {7U, 8U}) replica.sweep(step, start.slot[r]);
        expected_energy.push_back(-replica.energy());
      }
      const CpuLattice cpu_lattice(lattice);
      for (const InstructionSet isa : available_instruction_sets()) {
        for (int depth = 1; depth <= lattice.L / 2; ++depth) {
          const SweepPlan plan{&kernels_of(isa), &cpu_lattice, nullptr, depth};
          CpuBundle bundle(chain, disorder, 4, 0);
          ChainState state = start;
          std::vector<std::int64_t> energy(4);
          bundle.load(state);
          for (const std::uint64_t step : {7U, 8U}) bundle.sweep(plan, step, state.slot.data(), energy.data());
          bundle.store(state);
          EXPECT_TRUE(test::same_bytes(state.spins, expected.spins)) << to_string(isa) << " depth " << depth;
          EXPECT_EQ(energy, expected_energy) << to_string(isa) << " depth " << depth;
        }
      }
    }
  }
}

}}  // namespace glassworks
