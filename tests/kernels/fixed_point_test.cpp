#include "kernels/core/fixed_point.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "kernels/reference/reference_replica.hpp"
#include "tests/bin_places.hpp"
#include "tests/kernels/support.hpp"

namespace glassworks { namespace {

TEST(FixedScale, PowersOfTwoAndTiesToEven) {
  EXPECT_EQ(FixedScale{24}.multiplier(), 0x1p24F);
  EXPECT_EQ(FixedScale{-100}.multiplier(), 0x1p-100F);
  EXPECT_EQ(FixedScale{-100}.unit(), 0x1p100);
  EXPECT_EQ(FixedScale{10}.unit(), 0x1p-10);
  EXPECT_EQ(to_fixed(0.5F, 1.0F), 0);
  EXPECT_EQ(to_fixed(1.5F, 1.0F), 2);
  EXPECT_EQ(to_fixed(-2.5F, 1.0F), -2);
  EXPECT_EQ(to_fixed(0x1.8p-24F, 0x1p24F), 2);
}

/// Sum of |J| over the bonds of a site, and |H|: no term s.h can be larger.
double largest_bound(const Lattice& lattice, const Disorder& d) {
  double largest = 0.0;
  for (std::int64_t i = 0; i < lattice.sites(); ++i) {
    double bound = d.has_fields() ? test::length(test::field_at(d, i)) : 0.0;
    for (int axis = 0; axis < lattice.dim; ++axis) {
      for (const std::int64_t from : {i, lattice.neighbour(i, axis, -1)}) {
        bound += std::abs(static_cast<double>(d.couplings[static_cast<std::size_t>(from * lattice.dim + axis)]));
      }
    }
    largest = std::max(largest, bound);
  }
  return largest;
}

RC_GTEST_PROP(EnergyScale, HoldsEverySiteAndIsTheLargestThatDoes, ()) {
  const Lattice lattice{*rc::gen::inRange(1, 5), 4};
  test::Source source(*rc::gen::arbitrary<std::uint32_t>());
  const int magnitude = *rc::gen::inRange(-30, 36);
  const bool with_fields = *rc::gen::arbitrary<bool>(), equal = *rc::gen::arbitrary<bool>();
  const auto number = [&] { return static_cast<float>((equal ? 1.0 : source.normal()) * std::pow(10.0, magnitude)); };
  Disorder d;
  for (std::int64_t b = 0; b < lattice.bonds(); ++b) d.couplings.push_back(number());
  for (std::int64_t i = 0; with_fields && i < 3 * lattice.sites(); ++i) d.fields.push_back(number());
  const FixedScale scale = choose_energy_scale(lattice, d.couplings, d.fields);
  const double bound = largest_bound(lattice, d);
  RC_ASSERT(scale.exponent <= 24);
  RC_ASSERT(std::ldexp(bound, scale.exponent) < 0x1p30);
  RC_ASSERT(scale.exponent == 24 || std::ldexp(bound, scale.exponent) >= 0x1p29);
  RC_ASSERT(std::isfinite(scale.multiplier()) && scale.multiplier() > 0.0F);
}

TEST(EnergyScale, NoCouplings) {
  const Lattice lattice{3, 4};
  EXPECT_EQ(choose_energy_scale(lattice, std::vector<float>(192, 0.0F), {}).exponent, 24);
}

/// All sizes that a configuration may name: plane sums in int32, site terms in int32, and no scale that rounds away.
TEST(OverlapScale, PlaneSumsFitIntoThirtyTwoBits) {
  constexpr int largest_L[] = {0, 4096, 1024, 128, 32};
  for (int dim = 1; dim <= Lattice::max_dim; ++dim) {
    for (int L = 4; L <= largest_L[dim]; L += 2) {
      const Lattice lattice{dim, L};
      const int n = overlap_scale(lattice).exponent;
      const double plane = static_cast<double>(lattice.rows());
      ASSERT_LE(n, 24);
      ASSERT_LE(plane * (1.0 + 1e-5) * std::ldexp(1.0, n), 0x1p31 - 1.0) << dim << " " << L;
      ASSERT_TRUE(n == 24 || plane * std::ldexp(1.0, n + 1) > 0x1p30);
      ASSERT_GE(n, 15);
      ASSERT_EQ(site_scale(lattice).exponent, n - 2);
    }
  }
}

/// Each of the N terms of the fixed-point energy is off by half a unit, and by the rounding of s.h in float.
TEST(Energy, OfTheReferenceAgainstADirectSum) {
  for (int dim = 1; dim <= Lattice::max_dim; ++dim) {
    for (const double field : {0.0, 0.7}) {
      const Lattice lattice{dim, 6};
      const Disorder disorder = test::gaussian_disorder(lattice, static_cast<std::uint32_t>(50 + dim), field);
      const Chain chain = test::make_chain(lattice, 2, {1.0F, 0.5F}, {}, 1);
      ChainState state = initial_state(chain, 3);
      for (int r = 0; r < chain.replicas(); ++r) {
        const ReferenceReplica replica(chain, disorder, 3, static_cast<std::uint32_t>(r),
                                       state.spins.data() + 3 * lattice.sites() * r);
        const double found = -static_cast<double>(replica.energy()) * disorder.energy_scale.unit();
        const double N = static_cast<double>(lattice.sites());
        const double bound = N * (0.5 * disorder.energy_scale.unit() + 4e-7 * dim);
        EXPECT_NEAR(found, test::direct_energy(chain, disorder, state, r), bound) << dim;
      }
    }
  }
}

/// A fully aligned state has the largest sums there are; with sanitizers this also finds overflow in the kernels.
TEST(LongOverlapScale, AlignedSpinsOfALargeLattice) {
  for (const Lattice lattice : {Lattice{1, 4096}, Lattice{2, 256}, Lattice{3, 32}, Lattice{4, 8}}) {
    Disorder disorder;
    disorder.couplings.assign(static_cast<std::size_t>(lattice.bonds()), 1.0F);
    disorder.energy_scale = choose_energy_scale(lattice, disorder.couplings, {});
    const Chain chain = test::make_chain(lattice, 2, {1.0F}, {0, 0, 1, 1, ExchangeSchedule::even_odd, 0}, 1);
    ChainState state = initial_state(chain, 0);
    for (int r = 0; r < 2; ++r) {
      for (std::int64_t i = 0; i < lattice.sites(); ++i) test::set_spin(chain, state, r, i, {0.0, 1.0, 0.0});
    }
    for (const InstructionSet isa : available_instruction_sets()) {
      const auto backend = make_backend({BackendKind::cpu, isa, 1});
      const RoundRecord record = test::run_one_round(*backend, chain, disorder, 0, state);
      const BinLayout layout(SpinModel{}, lattice.dim, 2);
      const auto value = [&](int observable) { return record.mean[static_cast<std::size_t>(observable)]; };
      EXPECT_EQ(value(test::Tensors::energy), -lattice.dim);
      EXPECT_EQ(value(test::Tensors::overlap), 1.0);
      EXPECT_EQ(value(test::Tensors::link_overlap), 1.0);
      EXPECT_EQ(value(test::Tensors::magnetization_y), 1.0);
      for (int mode = 1; mode < Modes(layout.dim()).size(); ++mode) {
        EXPECT_LT(value(layout.at(BinQuantity::overlap_k, mode)), 1e-25)
            << layout.name(layout.at(BinQuantity::overlap_k, mode));
      }
    }
  }
}

}}  // namespace glassworks
