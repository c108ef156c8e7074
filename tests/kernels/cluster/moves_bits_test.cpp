#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/kernels/cluster/cluster_support.hpp"

/// Lists of moves that the short form cannot write: the plain code defines their bits, all instruction sets and numbers
/// of threads have the same ones.
namespace glassworks { namespace {

using enum MoveRule;

struct MovesCase {
  const char* name;
  SpinModel model;
  MoveList moves;
  bool bimodal = false;
  int tile = 0;
};

const MovesCase moves_cases[] = {
    {"Heisenberg", {}, {{over_relaxation, 2}, {heat_bath, 1}, {over_relaxation, 1}, {heat_bath, 2}}},
    {"HeisenbergEndsWithReflections", {}, {{heat_bath, 1}, {over_relaxation, 3}}},
    {"HeisenbergTiles", {}, {{heat_bath, 1}, {over_relaxation, 1}, {heat_bath, 1}, {over_relaxation, 2}}, false, 2},
    {"Ising",
     test::ising(),
     {{heat_bath, 1}, {swendsen_wang, 1}, {isoenergetic, 1}, {heat_bath, 2}, {isoenergetic, 1}}},
    {"IsingEndsWithClusters", test::ising(), {{isoenergetic, 1}, {heat_bath, 1}, {few_cluster, 2}}},
    {"IsingMultispin",
     test::ising(),
     {{isoenergetic, 1}, {multispin_metropolis, 2}, {isoenergetic, 2}, {multispin_metropolis, 1}},
     true},
    {"Potts", test::potts(3), {{heat_bath, 1}, {wolff, 2}, {heat_bath, 1}, {wolff, 1}}},
    {"Xy", test::on(2), {{over_relaxation, 1}, {heat_bath, 1}, {over_relaxation, 2}, {heat_bath, 1}}},
    {"XyTiles", test::on(2), {{heat_bath, 1}, {over_relaxation, 2}, {heat_bath, 1}}, false, 2},
    {"Vectors4", test::on(4), {{heat_bath, 1}, {swendsen_wang, 1}, {over_relaxation, 2}, {swendsen_wang, 1}}},
    {"Vectors6", test::on(6), {{heat_bath, 1}, {over_relaxation, 2}, {heat_bath, 1}, {wolff, 1}}},
    {"Phi4", test::phi4(1.5), {{heat_bath, 1}, {over_relaxation, 1}, {swendsen_wang, 1}, {heat_bath, 1}}},
    {"Phi4Unit", test::phi4(INFINITY), {{heat_bath, 1}, {over_relaxation, 1}, {heat_bath, 1}}}};

Disorder disorder_of_case(const MovesCase& one, const Lattice& lattice) {
  if (one.bimodal) return test::bimodal(lattice, 3);
  Disorder disorder = test::gaussian_disorder(lattice, 4);
  for (float& J : disorder.couplings) {
    if (one.model.kind == ModelKind::potts) J = std::fabs(J);
  }
  return disorder;
}

Chain chain_of_case(const MovesCase& one, const Lattice& lattice) {
  Protocol p{.sweeps_per_exchange = 2, .exchanges_per_measurement = 2, .tile = one.tile};
  p.seed_tile = 2;
  set_moves(p, one.moves);
  const double T = has_free_modulus(one.model) ? 4.0 : 1.2;
  Chain chain = test::cluster_chain(one.model, lattice, 2, test::geometric_betas(3, T, 2 * T), p, 2);
  chain.samples = 1;
  return chain;
}

test::TwoRounds rounds_of_case(const Chain& chain, const Disorder& disorder, const BackendOptions& options) {
  return test::two_rounds(*make_backend(options), chain, disorder, initial_state(chain, 5));
}

class MovesBits : public ::testing::TestWithParam<MovesCase> {};

TEST_P(MovesBits, EqualInEveryBackend) {
  for (const Lattice lattice : {Lattice{2, 8}, Lattice{3, 4}}) {
    const Chain chain = chain_of_case(GetParam(), lattice);
    const Disorder disorder = disorder_of_case(GetParam(), lattice);
    const auto expected = rounds_of_case(chain, disorder, {BackendKind::reference, InstructionSet::automatic, 1});
    for (const InstructionSet isa : available_instruction_sets()) {
      for (const int threads : {1, 5}) {
        const auto found = rounds_of_case(chain, disorder, {BackendKind::cpu, isa, threads});
        EXPECT_TRUE(test::same_bytes(found.state, expected.state) && found.state.states == expected.state.states)
            << "d = " << lattice.dim << ", " << to_string(isa) << ", threads " << threads;
        EXPECT_TRUE(test::same_bytes(found.record, expected.record))
            << "d = " << lattice.dim << ", " << to_string(isa) << ", threads " << threads;
      }
    }
  }
}

/// The numbers alone, which say how often each kind is made, give another chain.
TEST_P(MovesBits, TheOrderOfMovesCounts) {
  const Lattice lattice{2, 8};
  const Chain chain = chain_of_case(GetParam(), lattice);
  Chain sorted = chain;
  sorted.protocol.moves = {};
  const Disorder disorder = disorder_of_case(GetParam(), lattice);
  const BackendOptions reference{BackendKind::reference, InstructionSet::automatic, 1};
  EXPECT_NE(rounds_of_case(chain, disorder, reference), rounds_of_case(sorted, disorder, reference));
  Chain written = sorted;
  set_moves(written.protocol, short_form(sorted));
  ASSERT_FALSE(written.protocol.moves.empty());
  EXPECT_EQ(rounds_of_case(written, disorder, reference), rounds_of_case(sorted, disorder, reference));
}

void PrintTo(const MovesCase& one, std::ostream* out) { *out << one.name; }
INSTANTIATE_TEST_SUITE_P(Lists, MovesBits, ::testing::ValuesIn(moves_cases),
                         [](const auto& test) { return test.param.name; });

}}  // namespace glassworks
