#include <gtest/gtest.h>

#include <limits>

#include "kernels/rounds/moves.hpp"
#include "tests/cuda/cluster_round_case.hpp"

/// Isoenergetic moves on the device, by rows of bits, and the heat-bath sweeps between them by kernels for whole steps,
/// must give the bits of the other backends.
namespace glassworks { namespace {

using test::ClusterBatchOfTasks;
using test::Couplings;
using test::Fields;
using test::Oracle;

class MovesBetweenCopies : public test::OnDevice {
 protected:
  /// Two rounds of three realizations, of which the last one has made a round already, by each of the kernels for
  /// sweeps.
  static void expect_same_bits(const Chain& chain, Couplings couplings, const std::string& what,
                               Oracle oracle = Oracle::cpu) {
    ASSERT_EQ(problem_of(chain), "") << what;
    std::vector<Disorder> disorder;
    for (std::uint32_t i = 0; i < 3; ++i) disorder.push_back(test::disorder_of(chain, couplings, 4 + i));
    const auto plain = test::oracle_backend(oracle);
    ClusterBatchOfTasks before(chain, disorder);
    before.run(*plain, disorder.size() - 1);
    ClusterBatchOfTasks first = before;
    first.run(*plain);
    ClusterBatchOfTasks second = first;
    second.run(*plain);
    for (const char* kernel : {"", "resident", "plain"}) {
      const auto cuda = test::cuda_backend(0, {.kernel = kernel});
      ClusterBatchOfTasks found = before;
      const std::string name = what + ", " + cuda->kernel_description(chain);
      ASSERT_EQ(found.run(*cuda), RoundOutcome::finished);
      found.expect_same(first, name + ", round 0");
      if (HasFatalFailure()) return;
      ASSERT_EQ(found.run(*cuda), RoundOutcome::finished);
      found.expect_same(second, name + ", round 1");
      if (HasFatalFailure()) return;
    }
  }

  static Chain chain_of(const Lattice& lattice, int copies, int sweeps, int moves, int repetitions, double T_max) {
    Protocol protocol = test::protocol_of(ProtocolKind::local, 0, sweeps);
    protocol.isoenergetic = moves;
    protocol.isoenergetic_T_max = T_max;
    protocol.sweeps_per_exchange = repetitions;
    protocol.exchanges_per_measurement = 5;
    Chain chain = test::cluster_chain(test::ising(), lattice, copies, test::geometric_betas(5, 0.5, 2.0), protocol, 3);
    chain.samples = 2;
    return chain;
  }
};

/// Every size that has kernels for whole steps, and one that has none.
TEST_F(MovesBetweenCopies, WithSweepsByWholeSteps) {
  unsigned turn = 0;
  for (const int L : {4, 6, 8, 10, 12, 14, 16, 18, 20, 24}) {
    for (const Couplings couplings : {Couplings::gaussian, Couplings::bimodal}) {
      const int copies = turn % 3 == 2 ? 4 : 2, repetitions = 1 + static_cast<int>(turn % 2);
      const Chain chain = chain_of({3, L}, copies, 1 + static_cast<int>(turn % 4), 1 + static_cast<int>(turn % 3 / 2),
                                   repetitions, turn % 5 == 4 ? 1.0 : 0.0);
      ++turn;
      expect_same_bits(chain, couplings, "L " + std::to_string(L) + ", copies " + std::to_string(copies),
                       L <= 10 ? Oracle::reference : Oracle::cpu);
      if (HasFatalFailure()) return;
    }
  }
}

/// Before the sweeps, on both sides of them, among two groups of them; without exchanges; at one temperature.
TEST_F(MovesBetweenCopies, InAnyOrder) {
  const Move sweep{MoveRule::heat_bath, 2}, move{MoveRule::isoenergetic, 1};
  for (const MoveList& moves :
       {MoveList{move, sweep}, MoveList{move, sweep, move}, MoveList{sweep, move, {MoveRule::heat_bath, 1}}}) {
    for (const int slots : {1, 5}) {
      for (const ExchangeSchedule exchange :
           {ExchangeSchedule::sequential, ExchangeSchedule::even_odd, ExchangeSchedule::none}) {
        Chain chain = chain_of({3, 8}, 2, 2, 1, 2, 0.0);
        set_moves(chain.protocol, moves);
        chain.protocol.exchange = exchange;
        chain.beta = test::geometric_betas(slots, 0.6, 2.0);
        expect_same_bits(chain, Couplings::gaussian, std::to_string(slots) + " slots", Oracle::reference);
        if (HasFatalFailure()) return;
      }
    }
  }
}

/// Rows of less than a word, of a word, and of several; bonds that are absent; axes of different lengths; lattices
/// whose bits do not fit into shared memory.
TEST_F(MovesBetweenCopies, ByRowsOfAnyLattice) {
  for (const Lattice& lattice :
       {Lattice{1, 70}, Lattice{2, 2}, Lattice{2, 6}, Lattice{2, 32}, Lattice{2, 34}, Lattice{2, 128},
        Lattice{2, 6, 0b11}, Lattice{2, 66, 0b01}, Lattice{2, 66, 0b10}, Lattice{3, 2}, Lattice{3, 6, 0b101},
        Lattice{3, 12, 0b111}, Lattice{3, 34}, Lattice{4, 4}, Lattice{4, 6, 0b1000},
        Lattice{2, 70, 0b10, LatticeKind::hypercubic, {70, 5}}, Lattice{3, 8, 0, LatticeKind::hypercubic, {8, 4, 6}},
        Lattice{2, 6, 0b10, LatticeKind::triangular}, Lattice{3, 4, 0, LatticeKind::fcc}}) {
    const Chain chain = chain_of(lattice, lattice.sites() < 2000 ? 4 : 2, 1, 2, 1, 0.0);
    expect_same_bits(chain, Couplings::bimodal, test::name_of(lattice),
                     lattice.sites() < 2000 ? Oracle::reference : Oracle::cpu);
    if (HasFatalFailure()) return;
  }
}

/// Two bits a site in more than 48 KiB; 64^3 sites have 64 KiB.
TEST_F(MovesBetweenCopies, ByRowsOfLargeLattices) {
  for (const Lattice& lattice : {Lattice{3, 64}, Lattice{2, 512}, Lattice{3, 74}}) {
    Chain chain = chain_of(lattice, 2, 1, 1, 1, 0.0);
    chain.measurements = 1;
    chain.samples = 0;
    expect_same_bits(chain, Couplings::gaussian, test::name_of(lattice));
    if (HasFatalFailure()) return;
  }
}

}}  // namespace glassworks
