#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "kernels/cpu/cpu_backend.hpp"
#include "kernels/cpu/lanes/aligned_buffer.hpp"
#include "kernels/cpu/lanes/cpu_lattice.hpp"
#include "kernels/cpu/lanes/lane_decision.hpp"
#include "kernels/cpu/lanes/lanes_portable.hpp"
#include "kernels/models/unit_vectors.hpp"
#include "tests/kernels/support.hpp"

/// What the lanes of processors take instead of the definition of an Ising heat bath: the same words, the same spins.
namespace glassworks { namespace {

float exact_spin(float h, const exact::HeatBathTemperature<float>& t, std::uint32_t word) {
  return exact::local_update<float>(exact::Vector<1>{}, {{h}}, t, 0, word, 0U).c[0];
}
exact::HeatBathTemperature<float> temperature(double beta) {
  const auto b = static_cast<float>(beta);
  return {-2.0F * b, -1.0F / b};
}
/// The word at the border between the two spins.
double border(double beta, double h) { return 0x1p32 / (1.0 + std::exp(-2.0 * beta * std::abs(h))); }

TEST(LaneDecision, IsTheHeatBathWhereItIsSure) {
  using F = exact::F128;
  test::Source source(33);
  int sure = 0, unsure = 0;
  for (int i = 0; i < 300000; ++i) {
    const double beta = i % 89 == 0 ? 0.0 : std::exp((i % 7 == 0 ? 28.0 : 6.0) * (source.uniform() - 0.5));
    const double size = i % 11 == 0 ? 80.0 : 4.0;
    const auto h = i % 97 == 0 ? 0.0F : static_cast<float>(source.normal() * std::exp(size * (source.uniform() - 0.8)));
    const double near =
        border(beta, double{h}) + std::exp2(20.0 * source.uniform()) * (source.word() % 2 == 0 ? 1 : -1);
    const auto word = i % 3 == 0 ? source.word() : static_cast<std::uint32_t>(std::clamp(near, 0.0, 0x1p32 - 1.0));
    const exact::HeatBathTemperature<float> t = temperature(beta);
    F nearest(3.0e38F);
    const F spin = exact::LaneDecision<F>(F(t.minus_two_beta)).spin(F(h), exact::U128(word), nearest);
    ++(exact::LaneDecision<F>::unsure(nearest) ? unsure : sure);
    if (exact::LaneDecision<F>::unsure(nearest)) continue;
    ASSERT_EQ(spin.v[0], exact_spin(h, t, word)) << "h " << h << ", beta " << beta << ", word " << word;
  }
  EXPECT_GT(sure, 150000);
  EXPECT_GT(unsure, 20000);
}

/// The sites of one parity of a small lattice by the definition, and by the kernels of each instruction set.
class HalfSweeps {
 public:
  HalfSweeps(const Lattice& lattice, double field, std::uint32_t seed)
      : lattice_(lattice), source_(seed), spins_(static_cast<std::size_t>(lattice.sites() * bundle_lanes)) {
    disorder_ = test::gaussian_disorder(lattice, seed, 0.0);
    if (field > 0.0) {
      for (std::int64_t i = 0; i < lattice.sites(); ++i) {
        disorder_.fields.push_back(static_cast<float>(field * source_.normal()));
      }
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(lattice.sites() * bundle_lanes); ++i) {
      spins_.data()[i] = source_.word() % 2 == 0 ? 1.0F : -1.0F;
    }
    for (double& b : beta) b = std::exp(3.0 * source_.uniform() - 1.5);
  }

  Disorder& disorder() { return disorder_; }
  test::Source& source() { return source_; }
  double beta[bundle_lanes];  ///< of the lanes

  /// Local field of a site, in the order of the bonds that the chain defines.
  float field(std::int64_t site, int lane) const {
    const auto s = [&](std::int64_t i) { return exact::Vector<1>{{spins_.data()[i * bundle_lanes + lane]}}; };
    const auto J = [&](std::int64_t i, int axis) {
      return disorder_.couplings[static_cast<std::size_t>(i * lattice_.dim + axis)];
    };
    exact::Vector<1> h{{disorder_.fields.empty() ? 0.0F : disorder_.fields[static_cast<std::size_t>(site)]}};
    for (int axis = 0; axis < lattice_.dim; ++axis) {
      const std::int64_t up = lattice_.neighbour(site, axis, +1), down = lattice_.neighbour(site, axis, -1);
      const bool first = axis == 0 && disorder_.fields.empty();
      h = first ? exact::first_bond(J(site, axis), s(up)) : exact::add_bond(h, J(site, axis), s(up));
      h = exact::add_bond(h, J(down, axis), s(down));
    }
    return h.c[0];
  }
  std::uint32_t word(std::int64_t site, int lane, int parity) const {
    const HeatBathAddress a = heat_bath_address(lattice_, lattice_.coordinates(site));
    return random_block(key, Stream::local_update, realization, static_cast<std::uint32_t>(lane), sweep(parity), a.cell)
        .word[2 * a.member];
  }

  /// Compares all instruction sets; keeps the new spins.
  void half_sweep(int parity) {
    const auto size = static_cast<std::size_t>(lattice_.sites() * bundle_lanes);
    std::vector<float> expected(spins_.data(), spins_.data() + size);
    for (std::int64_t site = 0; site < lattice_.sites(); ++site) {
      if (lattice_.parity(site) != parity) continue;
      for (int lane = 0; lane < bundle_lanes; ++lane) {
        expected[static_cast<std::size_t>(site * bundle_lanes + lane)] =
            exact_spin(field(site, lane), temperature(beta[lane]), word(site, lane, parity));
      }
    }
    for (const InstructionSet isa : available_instruction_sets()) {
      AlignedBuffer<float> found(size);
      std::copy_n(spins_.data(), size, found.data());
      run(kernels_of(isa), parity, found.data());
      for (std::size_t i = 0; i < size; ++i) {
        ASSERT_EQ(found.data()[i], expected[i])
            << to_string(isa) << ", L " << lattice_.L << ", dim " << lattice_.dim << ", site " << i / bundle_lanes
            << ", lane " << i % bundle_lanes << ", beta " << beta[i % bundle_lanes];
      }
    }
    std::ranges::copy(expected, spins_.data());
    number_ += 1;
  }

 private:
  static constexpr PhiloxKey key{0x1234567U, 0x89ABCDEFU};
  static constexpr std::uint32_t realization = 77;
  /// With a part in the high word of the counter.
  std::uint64_t sweep(int parity) const {
    return (std::uint64_t{5} << 32) + 2 * number_ + static_cast<unsigned>(parity);
  }

  void run(const KernelTable& kernels, int parity, float* spins) const {
    const CpuLattice rows(lattice_);
    alignas(64) float minus_two_beta[bundle_lanes], minus_inverse_beta[bundle_lanes];
    alignas(64) std::uint32_t word3[bundle_lanes];
    for (int lane = 0; lane < bundle_lanes; ++lane) {
      minus_two_beta[lane] = temperature(beta[lane]).minus_two_beta;
      minus_inverse_beta[lane] = temperature(beta[lane]).minus_inverse_beta;
      word3[lane] = counter_word3(Stream::local_update, static_cast<std::uint32_t>(lane), sweep(parity));
    }
    const HeatBathSweep hb{minus_two_beta, minus_inverse_beta, word3,   key, static_cast<std::uint32_t>(sweep(parity)),
                           realization,    sweep(parity) / 2,  nullptr, 1.0F};
    sweeps_of(kernels, 1).heat_bath(rows.geometry(disorder_), rows.rows(0, lattice_.rows(), parity), hb, spins);
  }

  Lattice lattice_;
  test::Source source_;
  Disorder disorder_;
  AlignedBuffer<float> spins_;
  std::uint64_t number_ = 0;
};

std::vector<Lattice> lattices() {
  std::vector<Lattice> all{{2, 70}, {3, 24}, {4, 4}, {4, 6}};
  for (int L = 2; L <= 12; L += 2) all.insert(all.end(), {{1, 2 * L}, {2, L}, {3, L}});
  return all;
}

TEST(IsingLanes, MakeTheBitsOfTheDefinition) {
  for (const Lattice& lattice : lattices()) {
    for (const double field : {0.0, 0.7}) {
      HalfSweeps sweeps(lattice, field, 91U + static_cast<std::uint32_t>(lattice.sites()));
      for (int half = 0; half < 6; ++half) sweeps.half_sweep(half % 2);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(IsingLanes, MakeTheBitsOfTheDefinitionAtTheEnds) {
  const double betas[] = {0.0, 1e-45, 1e-38, 1e-6, 1e-3, 1.0, 1e3, 1e6, 1e38};
  const float couplings[] = {0.0F, -0.0F, 1e-45F, -1e-38F, 1.0F, -1.0F, 1e6F, -1e30F, 3e37F};
  for (const Lattice& lattice : {Lattice{2, 6}, Lattice{3, 4}, Lattice{3, 6}}) {
    for (const double field : {0.0, 0.5}) {
      HalfSweeps sweeps(lattice, field, 17);
      for (int half = 0; half < 60; ++half) {
        test::Source& source = sweeps.source();
        for (double& b : sweeps.beta) b = betas[source.below(9)];
        for (float& J : sweeps.disorder().couplings) J = couplings[source.below(half < 30 ? 9 : 3)];
        for (float& H : sweeps.disorder().fields) H = couplings[source.below(9)];
        sweeps.half_sweep(half % 2);
        if (HasFatalFailure()) return;
      }
    }
  }
}

/// Each lane has the temperature at which the word of one of its sites is at the border between the spins, so the
/// approximation is wrong in about half of the cases.
TEST(IsingLanes, RepeatWhatIsInDoubt) {
  for (const Lattice& lattice : {Lattice{2, 8}, Lattice{3, 6}, Lattice{2, 40}}) {
    for (const double field : {0.0, 0.5}) {
      HalfSweeps sweeps(lattice, field, 23);
      for (int half = 0; half < 120; ++half) {
        for (int lane = 0; lane < bundle_lanes; ++lane) {
          for (;;) {
            const std::int64_t site = sweeps.source().below(static_cast<int>(lattice.sites()));
            const double w = sweeps.word(site, lane, half % 2), h = std::abs(double{sweeps.field(site, lane)});
            if (lattice.parity(site) != half % 2 || w <= 0x1.01p31 || h < 0.05) continue;
            sweeps.beta[lane] = std::log(w / (0x1p32 - w)) / (2.0 * h);
            break;
          }
        }
        sweeps.half_sweep(half % 2);
        if (HasFatalFailure()) return;
      }
    }
  }
}

}}  // namespace glassworks
