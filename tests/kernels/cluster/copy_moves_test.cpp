#include "kernels/cpu/pairs/copy_moves.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <ostream>
#include <string>
#include <vector>

#include "kernels/core/bit_transpose.hpp"
#include "kernels/models/discrete.hpp"
#include "kernels/rounds/copy_pairs.hpp"
#include "kernels/rounds/kernel_families.hpp"
#include "tests/kernels/cluster/cluster_support.hpp"
#include "tests/kernels/site_cases.hpp"

/// Isoenergetic moves on words of pairs: the plain moves, which the reference backend makes, define every bit.
namespace glassworks { namespace {

/// absent_bonds: fraction of bonds with J = 0
struct CopyCase {
  std::string name;
  Lattice lattice;
  int copies = 2;
  double absent_bonds = 0.0, absent_sites = 0.0;
  int slots = 3;
  double field = 0.0;
};
void PrintTo(const CopyCase& c, std::ostream* out) { *out << c.name; }

const CopyCase copy_cases[] = {{"Ring", {1, 12}},
                               {"LongRing", {1, 130}, 4},
                               {"OpenChain", {1, 70, 1U}},
                               {"Square2", {2, 2}},
                               {"Square6", {2, 6}, 4},
                               {"Square14", {2, 14}, 2, 0.2},
                               {"OpenSquare", {2, 10, 0b11}, 4},
                               {"Square70", {2, 70}},
                               {"Cube2", {3, 2}, 2, 0.4},
                               {"Cube4", {3, 4}, 4},
                               {"Cube4OfManySlots", {3, 4}, 4, 0.0, 0.0, 70},
                               {"Cube6", {3, 6}, 2, 0.0, 0.0, 66},
                               {"Cube6InFields", {3, 6}, 4, 0.0, 0.0, 3, 0.4},
                               {"Cube8", {3, 8}, 4, 0.3},
                               {"Cube12", {3, 12}},
                               {"OpenCube", {3, 8, 0b111}, 4},
                               {"CubeWithOneOpenAxis", {3, 6, 0b010}, 2, 0.5},
                               {"CubeWithoutSomeSites", {3, 6}, 2, 0.0, 0.3},
                               {"OpenCubeWithoutSomeSites", {3, 8, 0b101}, 4, 0.1, 0.3},
                               {"Prism", test::prism_of({8, 4, 6, 0}, 3), 4},
                               {"OpenPrism", test::prism_of({4, 6, 5, 0}, 3, 0b100), 2, 0.1},
                               {"Hypercube4", {4, 4}, 4},
                               {"Hypercube6", {4, 6, 0b1000}, 2, 0.2}};

Chain chain_of(const CopyCase& c, int moves) {
  SpinModel model = test::ising();
  model.diluted = c.absent_sites > 0.0;
  Protocol protocol = test::protocol_of(ProtocolKind::local, 0, 1);
  protocol.isoenergetic = moves;
  return test::cluster_chain(model, c.lattice, c.copies, test::geometric_betas(c.slots, 0.4, 2.0), protocol, 2);
}

Disorder disorder_of(const CopyCase& c, const Chain& chain) {
  return test::with_absent_bonds(chain, c.field, c.absent_sites, c.absent_bonds);
}

class CopyMovesOf : public ::testing::TestWithParam<CopyCase> {};

/// Copies that differ at a fraction of their sites, by several moves, on bits and on bytes.
TEST_P(CopyMovesOf, AreThePlainOnes) {
  const CopyCase& c = GetParam();
  const Chain chain = chain_of(c, 4);
  const Disorder disorder = disorder_of(c, chain);
  const ClusterSystem system(chain, disorder, 6);
  const auto N = static_cast<std::size_t>(chain.lattice.sites()), slots = static_cast<std::size_t>(c.slots);
  std::vector<std::uint16_t> slot_of;  // turned in each copy by its number
  for (int r = 0; r < chain.replicas(); ++r) {
    slot_of.push_back(static_cast<std::uint16_t>((r % c.slots + r / c.slots) % c.slots));
  }
  std::int64_t swapped = 0;
  for (const double differing : {0.0, 0.05, 0.3, 0.5, 0.9, 1.0}) {
    test::Source source(static_cast<std::uint32_t>(100 * differing) + 3);
    std::vector<std::vector<std::uint8_t>> at(slot_of.size(), std::vector<std::uint8_t>(N));  // [copy][slot]
    for (std::size_t place = 0; place < at.size(); ++place) {
      for (std::size_t i = 0; i < N; ++i) {
        at[place][i] = place < slots ? static_cast<std::uint8_t>(source.below(2))
                                     : at[place % slots][i] ^ (source.uniform() < differing ? 1 : 0);
        if (disorder.is_absent(static_cast<std::int64_t>(i))) at[place][i] = Discrete::absent;
      }
    }
    const auto first = at;
    system.step.for_each(system.step.moves().last(1), 5, [&](const NumberedMove& move) {
      for (int slot = 0; slot < c.slots; ++slot) {
        for (int pair = 0; pair < c.copies / 2; ++pair) {
          const CopyPair p = isoenergetic_pair(c.copies, move.number, pair);
          const int a = p.first * c.slots + slot, b = p.second * c.slots + slot;
          const RandomBlock words =
              random_block(chain.key, Stream::isoenergetic, 6, static_cast<std::uint32_t>(a), move.number, 0);
          swapped += isoenergetic_move(system, words.word[0], at[static_cast<std::size_t>(a)].data(),
                                       at[static_cast<std::size_t>(b)].data());
        }
      }
    });
    for (const InstructionSet isa : available_instruction_sets()) {
      for (const int members : {1, 2, 5}) {
        CopyMoves moves(chain, disorder, 6, isa, members);
        for (std::size_t r = 0; r < slot_of.size(); ++r) {
          const auto& states = first[chain.place_of(r, slot_of[r])];
          // What stands at absent sites in the lanes of a bundle does not matter.
          for (std::size_t i = 0; i < N; ++i) {
            const std::uint64_t one = states[i] == Discrete::absent ? source.below(2) : states[i];
            moves.bits(static_cast<int>(r))[i / 64] |= one << (i % 64);
          }
        }
        for (int member = 0; member < members; ++member) {
          moves.make(system.step.moves().last(1), 5, slot_of, member);
        }
        for (std::size_t r = 0; r < slot_of.size(); ++r) {
          const auto& expected = at[chain.place_of(r, slot_of[r])];
          for (std::size_t i = 0; i < N; ++i) {
            if (expected[i] == Discrete::absent) continue;
            ASSERT_EQ(moves.bits(static_cast<int>(r))[i / 64] >> (i % 64) & 1U, expected[i])
                << to_string(isa) << ", differing " << differing << ", replica " << r << ", site " << i;
          }
        }
      }
    }
  }
  EXPECT_GT(swapped, 0);
}

/// Whole rounds, with other lists of moves too.
TEST_P(CopyMovesOf, GiveTheBitsOfTheReferenceInWholeRounds) {
  const CopyCase& c = GetParam();
  if (c.lattice.sites() * c.slots > 1 << 14) return;
  for (const int form : {0, 1, 2, 3}) {
    Chain chain = chain_of(c, form == 1 ? 2 : 1);
    chain.protocol.sweeps_per_exchange = form == 1 ? 2 : 1;
    chain.protocol.exchanges_per_measurement = 2;
    if (form == 1) chain.protocol.isoenergetic_T_max = 1.0;
    if (form == 2) set_moves(chain.protocol, {{MoveRule::isoenergetic, 1}, {MoveRule::heat_bath, 2}});
    if (form == 3) {
      chain.protocol.sweeps_per_exchange = 2;
      chain.protocol.exchange = ExchangeSchedule::none;
      set_moves(chain.protocol, {{MoveRule::heat_bath, 1},
                                 {MoveRule::isoenergetic, 2},
                                 {MoveRule::heat_bath, 2},
                                 {MoveRule::isoenergetic, 1}});
    }
    chain.samples = 1;
    const Disorder disorder = disorder_of(c, chain);
    ASSERT_TRUE(uses_kernel_kind(BackendKind::cpu, KernelKind::lanes, chain));
    const ChainState start = initial_state(chain, 5);
    const auto expected =
        test::two_rounds(*make_backend({BackendKind::reference, InstructionSet::automatic, 1}), chain, disorder, start);
    for (const InstructionSet isa : available_instruction_sets()) {
      for (const int threads : {1, 2, 3, 4}) {
        const auto found = test::two_rounds(*make_backend({BackendKind::cpu, isa, threads}), chain, disorder, start);
        EXPECT_TRUE(test::same_bytes(found.state, expected.state) && found.state.states == expected.state.states)
            << to_string(isa) << ", threads " << threads << ", form " << form;
        EXPECT_TRUE(test::same_bytes(found.record, expected.record))
            << to_string(isa) << ", threads " << threads << ", form " << form;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Lattices, CopyMovesOf, ::testing::ValuesIn(copy_cases),
                         [](const auto& test) { return test.param.name; });

TEST(BitTranspose, MovesEveryBit) {
  test::Source source(4);
  std::uint64_t words[64], quarters[16], expected[64] = {}, expected_quarters[16] = {};
  for (std::uint64_t& word : words) word = std::uint64_t{source.word()} << 32 | source.word();
  for (std::size_t i = 0; i < 16; ++i) quarters[i] = words[i];
  for (std::size_t i = 0; i < 64; ++i) {
    for (std::size_t j = 0; j < 64; ++j) expected[j] |= (words[i] >> j & 1U) << i;
  }
  for (std::size_t i = 0; i < 16; ++i) {
    for (std::size_t j = 0; j < 64; ++j) expected_quarters[j % 16] |= (words[i] >> j & 1U) << (j / 16 * 16 + i);
  }
  transpose_bits(words);
  transpose_quarters(quarters);
  for (std::size_t i = 0; i < 64; ++i) EXPECT_EQ(words[i], expected[i]) << i;
  for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(quarters[i], expected_quarters[i]) << i;
}

}}  // namespace glassworks
