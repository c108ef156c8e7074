#include "kernels/cpu/pairs/spin_bits.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <ostream>
#include <string>
#include <vector>

#include "kernels/models/ising.hpp"
#include "kernels/rounds/copy_pairs.hpp"
#include "kernels/rounds/kernel_families.hpp"
#include "kernels/rounds/site_sums.hpp"
#include "tests/kernels/cluster/cluster_support.hpp"
#include "tests/kernels/site_cases.hpp"

/// Sums of a measurement over bits of Ising spins: the plain sums, site by site, define every integer.
namespace glassworks { namespace {

/// absent_bonds: fraction of bonds with J = 0
struct BitCase {
  std::string name;
  Lattice lattice;
  double absent_bonds = 0.0, absent_sites = 0.0;
};
void PrintTo(const BitCase& c, std::ostream* out) { *out << c.name; }

const BitCase bit_cases[] = {{"Ring2", {1, 2}},
                             {"Ring64", {1, 64}},
                             {"Ring70", {1, 70}, 0.2},
                             {"Ring130", {1, 130}},
                             {"OpenChain", {1, 128, 1U}},
                             {"ChainWithoutSomeSites", {1, 70, 1U}, 0.0, 0.3},
                             {"Square2", {2, 2}},
                             {"Square6", {2, 6}, 0.3},
                             {"Square64", {2, 64}},
                             {"Square70", {2, 70}, 0.2},
                             {"Square128WithoutSomeSites", {2, 128}, 0.0, 0.3},
                             {"OpenSquare", {2, 10, 0b11}},
                             {"RowsOf7", test::prism_of({7, 12, 0, 0}, 2, 0b01)},
                             {"RowsOf33", test::prism_of({33, 6, 0, 0}, 2, 0b01), 0.1},
                             {"RowsOf64", test::prism_of({64, 7, 0, 0}, 2, 0b10)},
                             {"RowsOf65", test::prism_of({65, 4, 0, 0}, 2, 0b11)},
                             {"RowsOf65WithoutSomeSites", test::prism_of({65, 4, 6, 0}, 3, 0b001), 0.1, 0.3},
                             {"Cube2", {3, 2}},
                             {"Cube4", {3, 4}, 0.4},
                             {"Cube8", {3, 8}},
                             {"Cube12", {3, 12}, 0.3},
                             {"OpenCube", {3, 6, 0b111}},
                             {"CubeWithOneOpenAxis", {3, 10, 0b010}, 0.5},
                             {"CubeWithoutSomeSites", {3, 6}, 0.0, 0.3},
                             {"OpenCubeWithoutSomeSites", {3, 8, 0b101}, 0.1, 0.3},
                             {"Prism", test::prism_of({8, 4, 6, 0}, 3)},
                             {"OpenPrism", test::prism_of({4, 6, 5, 0}, 3, 0b100), 0.1},
                             {"PrismOfLongRows", test::prism_of({70, 2, 4, 0}, 3)},
                             {"Hypercube4", {4, 4}},
                             {"Hypercube6", {4, 6, 0b1000}, 0.2},
                             {"HypercubeWithoutSomeSites", {4, 4, 0b0110}, 0.0, 0.3},
                             {"PrismOfFourAxes", test::prism_of({7, 4, 3, 6}, 4, 0b0101)}};

Chain chain_of(const BitCase& c, int copies) {
  SpinModel model = test::ising();
  model.diluted = c.absent_sites > 0.0;
  return test::cluster_chain(model, c.lattice, copies, test::geometric_betas(2, 0.4, 2.0),
                             test::protocol_of(ProtocolKind::local, 0, 1), 2);
}

Disorder disorder_of(const BitCase& c, const Chain& chain) {
  return test::with_absent_bonds(chain, 0.0, c.absent_sites, c.absent_bonds);
}

/// A replica that has states and does nothing.
class StillReplica final : public ClusterReplica {
 public:
  explicit StillReplica(std::vector<std::uint8_t> states) : states_(std::move(states)) {}
  void begin_step(const Share&) override {}
  void make(std::span<const PlacedMove>, std::uint64_t, int, bool, const Share&) override {}
  void finish_step(const Share&, bool) override {}
  void add_sites(SiteSums&, const Share&) const override {}
  [[nodiscard]] std::int64_t energy() const override { return 0; }
  [[nodiscard]] const ClusterSums& clusters() const override { return clusters_; }
  [[nodiscard]] bool too_large() const override { return false; }
  [[nodiscard]] std::uint8_t* states() override { return states_.data(); }
  [[nodiscard]] float* spins() override { return nullptr; }
  [[nodiscard]] std::int64_t stride() const override { return static_cast<std::int64_t>(states_.size()); }

 private:
  std::vector<std::uint8_t> states_;
  ClusterSums clusters_;
};

class SpinBitsOf : public ::testing::TestWithParam<BitCase> {};

TEST_P(SpinBitsOf, GiveThePlainSums) {
  const BitCase& c = GetParam();
  const Chain chain = chain_of(c, 2);
  const Disorder disorder = disorder_of(c, chain);
  const ClusterSystem system(chain, disorder, 6);
  const ClusterMeasurement measurement(chain, disorder.energy_scale);
  test::Source source(3);
  // All down, all up, and with few and many spins that are up.
  const double differing[] = {0.0, 1.0, 0.1, 0.5};
  std::vector<StillReplica> replicas;
  for (const double fraction : differing) {
    std::vector<std::uint8_t> states;
    for (std::int64_t i = 0; i < chain.lattice.sites(); ++i) {
      const std::uint8_t state = source.uniform() < fraction ? 1 : 0;
      states.push_back(disorder.is_absent(i) ? Discrete::absent : state);
    }
    replicas.emplace_back(std::move(states));
  }
  for (const InstructionSet isa : available_instruction_sets()) {
    SpinBits bits(chain, disorder, isa);
    for (int r = 0; r < 4; ++r) {
      for (std::int64_t i = 0; i < bits.words() * 64; ++i) {
        const bool beyond = i >= chain.lattice.sites();
        const std::uint8_t state = beyond ? Discrete::absent : replicas[static_cast<std::size_t>(r)].states()[i];
        const std::uint64_t down = state == Discrete::absent ? source.below(2) : 1U - state;
        bits.bits(r)[i / 64] |= down << (i % 64);
      }
    }
    for (int a = 0; a < 4; ++a) {
      StillReplica& replica = replicas[static_cast<std::size_t>(a)];
      SiteSums expected = measurement.empty_sites(), found = measurement.empty_sites();
      add_site_sums<DilutedIsing>(
          system, [&](std::int64_t i) { return replica.states()[i]; }, expected);
      bits.add_sites(a, found);
      EXPECT_EQ(found.planes, expected.planes) << to_string(isa) << ", replica " << a;
      for (int b = 0; b < 4; ++b) {
        OverlapSums of_pair = measurement.empty_overlap(), plain = measurement.empty_overlap();
        of_pair.link = plain.link = 5;  // sums are added to what is there
        add_overlap(system, replica, replicas[static_cast<std::size_t>(b)], plain);
        bits.add_overlap(a, b, of_pair);
        EXPECT_EQ(of_pair.planes, plain.planes) << to_string(isa) << ", pair " << a << ", " << b;
        EXPECT_EQ(of_pair.link, plain.link) << to_string(isa) << ", pair " << a << ", " << b;
      }
    }
  }
}

TEST_P(SpinBitsOf, AreThoseOfTheStates) {
  const BitCase& c = GetParam();
  const Chain chain = chain_of(c, 2);
  SpinBits bits(chain, disorder_of(c, chain), InstructionSet::portable);
  test::Source source(7);
  std::vector<std::uint8_t> states(static_cast<std::size_t>(64 * bits.words()));
  for (std::uint8_t& state : states) state = static_cast<std::uint8_t>(source.below(2));
  const std::int64_t half = bits.words() / 2;
  bits.read_states(3, states.data(), half, bits.words());
  bits.read_states(3, states.data(), 0, half);
  for (std::size_t i = 0; i < states.size(); ++i) {
    ASSERT_EQ(bits.bits(3)[i / 64] >> (i % 64) & 1U, 1U - states[i]) << i;
  }
}

/// Two rounds on every instruction set and several numbers of threads against the reference.
void expect_the_reference(const Chain& chain, const Disorder& disorder, const std::string& what) {
  const ChainState start = initial_state(chain, 5);
  const auto expected =
      test::two_rounds(*make_backend({BackendKind::reference, InstructionSet::automatic, 1}), chain, disorder, start);
  for (const InstructionSet isa : available_instruction_sets()) {
    for (const int threads : {1, 2, 11}) {
      const auto found = test::two_rounds(*make_backend({BackendKind::cpu, isa, threads}), chain, disorder, start);
      EXPECT_TRUE(test::same_bytes(found.state, expected.state) && found.state.states == expected.state.states)
          << to_string(isa) << ", threads " << threads << what;
      EXPECT_TRUE(test::same_bytes(found.record, expected.record)) << to_string(isa) << ", threads " << threads << what;
    }
  }
}

/// Whole rounds of two and four copies, with local sweeps and with clusters, with more threads than replicas and with
/// sums over states.
TEST_P(SpinBitsOf, GiveTheBitsOfTheReferenceInWholeRounds) {
  const BitCase& c = GetParam();
  if (c.lattice.sites() > 5000) return;
  for (const int copies : {2, 4}) {
    for (const ProtocolKind kind : {ProtocolKind::local, ProtocolKind::swendsen_wang}) {
      for (const bool locals : {false, true}) {
        Chain chain = chain_of(c, copies);
        if (kind != ProtocolKind::local) chain.protocol = test::protocol_of(kind, 1, 0);
        chain.samples = 1;
        if (locals) chain.local = local_observables_of(chain.model);
        const Disorder disorder = disorder_of(c, chain);
        if (!refusal_of(BackendKind::cpu, chain).empty()) continue;
        const bool moves_clusters = kind != ProtocolKind::local;
        expect_the_reference(chain, disorder,
                             ", copies " + std::to_string(copies) + (moves_clusters ? ", clusters" : "") +
                                 (locals ? ", local observables" : ""));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Lattices, SpinBitsOf, ::testing::ValuesIn(bit_cases),
                         [](const auto& test) { return test.param.name; });

}}  // namespace glassworks
