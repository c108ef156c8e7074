#include <gtest/gtest.h>

#include <functional>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

#include "kernels/rounds/local_names.hpp"
#include "tests/enough.hpp"
#include "tests/kernels/cluster/cluster_support.hpp"
#include "tests/kernels/cluster/multispin_support.hpp"

/// The plain definition of the cluster updates gives every bit; the fast code must give the same ones for every
/// instruction set and number of threads: more threads than replicas share the rows of one, fewer share the replicas.
namespace glassworks { namespace {

using test::bimodal;
using test::pure;

struct Outcome {
  ChainState state;
  RoundRecord record;
};

Outcome run(Backend& backend, const Chain& chain, const Disorder& disorder, int rounds) {
  Outcome o{initial_state(chain, 7), {}};
  for (int i = 0; i < rounds; ++i) o.record = test::run_one_round(backend, chain, disorder, 7, o.state);
  return o;
}

/// Of a chain that processors run with kernels of their own, or, if they have none, with the plain code that the
/// reference has as well.
void expect_same_bits(const Chain& chain, const Disorder& disorder, const std::string& what, int rounds = 2,
                      bool plain = false) {
  ASSERT_EQ(uses_kernel_kind(BackendKind::cpu, KernelKind::plain, chain), plain) << what;
  const Outcome expected =
      run(*make_backend({BackendKind::reference, InstructionSet::automatic, 1}), chain, disorder, rounds);
  for (const InstructionSet isa : available_instruction_sets()) {
    for (const int threads : {1, 3, 5}) {
      if (isa != available_instruction_sets().back() && threads > 1) continue;
      const Outcome found = run(*make_backend({BackendKind::cpu, isa, threads}), chain, disorder, rounds);
      EXPECT_TRUE(test::same_bytes(found.state, expected.state) && found.state.states == expected.state.states)
          << "state: " << what << ", " << to_string(isa) << ", threads " << threads;
      EXPECT_TRUE(test::same_bytes(found.record, expected.record))
          << "record: " << what << ", " << to_string(isa) << ", threads " << threads;
      for (std::size_t i = 0; i < found.record.mean.size(); ++i) {
        if (found.record.mean[i] == expected.record.mean[i]) continue;
        const BinLayout layout(chain);
        ADD_FAILURE() << layout.name(static_cast<int>(i) % layout.size()) << " " << found.record.mean[i] << " "
                      << expected.record.mean[i];
        return;
      }
    }
  }
}

struct NamedModel {
  std::string name;
  SpinModel model;
  /// Also on lattices with rows of more than one word of bits, or of more sites than a vector has.
  bool on_large_lattices = false;
};
void PrintTo(const NamedModel& model, std::ostream* out) { *out << model.name; }
/// Models of which no two run the same code, and the others.
const std::vector<NamedModel> models{{"ising", test::ising(), true},
                                     {"potts3", test::potts(3), true},
                                     {"on2", test::on(2)},
                                     {"on3", test::on(3), true},
                                     {"phi4", test::phi4(1.5), true},
                                     {"blumeCapel", test::blume_capel(0.4), true},
                                     {"clock7", test::clock_model(7), true}};
const std::vector<NamedModel> more_models{{"potts20", test::potts(20)},
                                          {"on4", test::on(4)},
                                          {"phi4Free", test::phi4(0)},
                                          {"phi4Unit", test::phi4(INFINITY)}};

class ClusterBits : public ::testing::TestWithParam<NamedModel> {};

/// By default small lattices have one kind of couplings with each update, in turn.
TEST_P(ClusterBits, FastEqualsPlain) {
  const auto& [name, model, on_large_lattices] = GetParam();
  std::size_t turn = 0;
  for (const Lattice lattice : {Lattice{1, 70}, Lattice{2, 2}, Lattice{2, 6}, Lattice{2, 12}, Lattice{2, 36},
                                Lattice{2, 70}, Lattice{3, 4}, Lattice{3, 8}, Lattice{4, 4}}) {
    for (const ProtocolKind kind :
         {ProtocolKind::local, ProtocolKind::swendsen_wang, ProtocolKind::wolff, ProtocolKind::few_cluster}) {
      if (!test::has_updates(model, kind)) continue;
      ++turn;
      for (const char* couplings : {"pure", "bimodal", "gaussian"}) {
        const bool large = lattice.sites() > 256;
        if (!large && lattice.dim < 4 && !test::enough(turn++ % 3 == 0, true)) continue;
        const std::string J = couplings;
        if (large && (!on_large_lattices || J != (model.kind == ModelKind::ising ? "bimodal" : "gaussian"))) continue;
        if (lattice.dim == 4 && J != "pure") continue;
        Disorder disorder = J == "pure"      ? pure(lattice, 0.7F)
                            : J == "bimodal" ? bimodal(lattice, 3, 0.7F)
                                             : test::gaussian_disorder(lattice, 4);
        if (model.kind == ModelKind::potts && kind != ProtocolKind::local) {
          for (float& x : disorder.couplings) x = std::fabs(x);
        }
        Protocol protocol = test::protocol_of(kind, kind == ProtocolKind::local ? 0 : 2, 1);
        protocol.sweeps_per_exchange = 2;
        protocol.exchanges_per_measurement = large ? 1 : 2;
        protocol.seed_tile = lattice.L / 2;
        protocol.p_flip = 0.6;
        if (!model.is_discrete() && J != "pure") protocol.overrelaxation = 2;
        const double T = model.kind == ModelKind::phi4 && model.lambda < 1 ? 8.0 : 1.2;
        Chain chain = test::cluster_chain(model, lattice, large ? 1 : 2, test::geometric_betas(large ? 1 : 2, T, 2 * T),
                                          protocol, 2);
        chain.samples = 1;
        chain.local = local_observables_of(model) & ~triangle_chirality;  // of plain code alone
        expect_same_bits(chain, disorder,
                         name + ", d " + std::to_string(lattice.dim) + ", L " + std::to_string(lattice.L) + ", kind " +
                             std::to_string(static_cast<int>(kind)) + ", " + couplings,
                         large ? 1 : 2);
        if (HasFailure()) return;
      }
    }
  }
}

const auto name_of_model = [](const auto& test) { return test.param.name; };
INSTANTIATE_TEST_SUITE_P(Models, ClusterBits, ::testing::ValuesIn(models), name_of_model);
INSTANTIATE_TEST_SUITE_P(SlowModels, ClusterBits, ::testing::ValuesIn(more_models), name_of_model);

/// Lattices other than the hypercubic one, which processors simulate by plain code, with threads that share
/// realizations and replicas, local observables and open ends.
TEST(ClusterBitsOfLattices, WithEveryModelAndUpdate) {
  const Lattice lattices[] = {
      {2, 6, 0b10, LatticeKind::triangular}, {3, 4, 0, LatticeKind::fcc}, {3, 4, 0b101, LatticeKind::bcc}};
  std::vector<NamedModel> every_model = models;
  every_model.insert(every_model.end(), more_models.begin(), more_models.end());
  for (const Lattice& lattice : lattices) {
    for (const auto& [name, model, _] : every_model) {
      for (const ProtocolKind kind :
           {ProtocolKind::local, ProtocolKind::swendsen_wang, ProtocolKind::wolff, ProtocolKind::few_cluster}) {
        if (!test::has_updates(model, kind)) continue;
        Disorder disorder = test::gaussian_disorder(lattice, 4);
        if (model.kind == ModelKind::potts) {
          for (float& x : disorder.couplings) x = std::fabs(x);
        }
        Protocol protocol = test::protocol_of(kind, kind == ProtocolKind::local ? 0 : 2, 1);
        protocol.seed_tile = 2;
        protocol.p_flip = 0.6;
        if (!model.is_discrete()) protocol.overrelaxation = 1;
        if (model.kind == ModelKind::ising) protocol.isoenergetic = 1;
        const double T = model.kind == ModelKind::phi4 && model.lambda < 2 ? 16.0 : 1.2;
        Chain chain = test::cluster_chain(model, lattice, 2, test::geometric_betas(2, T, 2 * T), protocol, 2);
        chain.samples = 1;
        chain.local = local_observables_of(model);
        expect_same_bits(chain, disorder,
                         name + " on the " + bonds_of(lattice.kind).name + " lattice, kind " +
                             std::to_string(static_cast<int>(kind)),
                         2, /*plain=*/true);
        if (HasFailure()) return;
      }
    }
  }
}

/// The double checkerboard of vectors, for one copy of few slots too.
TEST(ClusterBitsOfTiles, InEveryDimension) {
  for (const int n : {2, 3, 4}) {
    for (const auto& [lattice, tile] : {std::pair{Lattice{1, 16}, 4}, std::pair{Lattice{2, 8}, 2},
                                        std::pair{Lattice{3, 8}, 4}, std::pair{Lattice{4, 4}, 2}}) {
      Protocol protocol = test::protocol_of(ProtocolKind::local, 0, 2);
      protocol.overrelaxation = 1;
      protocol.sweeps_per_exchange = 2;
      protocol.tile = tile;
      protocol.tile_repeats = n - 1;
      const int slots = lattice.dim == 2 ? 5 : 1;
      const Chain chain = test::cluster_chain(test::on(n), lattice, lattice.dim == 2 ? 2 : 1,
                                              test::geometric_betas(slots, 0.5, 2.0), protocol, 1);
      expect_same_bits(chain, test::gaussian_disorder(lattice, 4),
                       "tiles of n = " + std::to_string(n) + ", d = " + std::to_string(lattice.dim));
      Chain whole = chain;
      whole.protocol.tile = 0;
      whole.protocol.tile_repeats = 1;
      const auto backend = make_backend({BackendKind::reference, InstructionSet::automatic, 1});
      EXPECT_FALSE(test::same_bytes(run(*backend, chain, test::gaussian_disorder(lattice, 4), 1).state,
                                    run(*backend, whole, test::gaussian_disorder(lattice, 4), 1).state))
          << "tiles change the order of updates";
    }
  }
}

/// Couplings of one modulus whose sums are exact: local sweeps count bonds instead of adding floats. Many replicas of
/// ising have lanes of their own.
TEST(ClusterBitsOfLocalSweeps, WithBondsThatAreCounted) {
  for (const auto& [name, model] :
       {std::pair{"ising", test::ising()}, {"potts3", test::potts(3)}, {"potts20", test::potts(20)}}) {
    const bool ising = model.kind == ModelKind::ising;
    for (const Lattice lattice : {Lattice{2, 2}, Lattice{2, 6}, Lattice{2, 10}, Lattice{2, 20}, Lattice{2, 36},
                                  Lattice{3, 4}, Lattice{3, 8}, Lattice{4, 4}}) {
      for (const char* couplings : {"1", "-0.5", "+-1", "0.7"}) {
        const std::string J = couplings;
        if (J == "0.7" ? lattice.dim != 3 : !ising && J != "1") continue;
        const Disorder disorder = J == "+-1" ? bimodal(lattice, 3) : pure(lattice, std::stof(J));
        const bool many = ising && lattice.dim == 3;
        Protocol protocol = test::protocol_of(ProtocolKind::local, 0, 2);
        protocol.exchanges_per_measurement = 3;
        const Chain chain = test::cluster_chain(model, lattice, many ? 4 : 1,
                                                test::geometric_betas(many ? 5 : 3, 0.04, 12.0), protocol, 2);
        expect_same_bits(chain, disorder,
                         std::string(name) + ", d " + std::to_string(lattice.dim) + ", L " + std::to_string(lattice.L) +
                             ", J = " + J,
                         1);
      }
    }
  }
}

/// Too few replicas for lanes of their own, with a field at each site.
TEST(ClusterBitsOfLocalSweeps, InFields) {
  for (const auto& [name, model] : {std::pair{"ising", test::ising()}, {"on2", test::on(2)}, {"on3", test::on(3)}}) {
    for (const Lattice lattice : {Lattice{1, 36}, Lattice{2, 6}, Lattice{3, 8}}) {
      Disorder disorder = test::gaussian_disorder(lattice, 4, 1.0);
      const int n = model.kind == ModelKind::ising ? 1 : model.components;
      disorder.fields.resize(static_cast<std::size_t>(n * lattice.sites()));
      disorder.energy_scale = choose_energy_scale(lattice, disorder.couplings, disorder.fields);
      Protocol protocol = test::protocol_of(ProtocolKind::local, 0, 2);
      protocol.overrelaxation = model.is_discrete() ? 0 : 1;
      const Chain chain = test::cluster_chain(model, lattice, 1, test::geometric_betas(3, 0.5, 3.0), protocol, 2);
      expect_same_bits(chain, disorder, std::string(name) + " in fields, d " + std::to_string(lattice.dim), 1);
    }
  }
}

/// Steps of single clusters alone: small ones grow and change the energy by differences, large ones are labelled and
/// the energy is summed. A ladder from the ordered phase to a hot system has both, and its exchanges depend on every
/// energy.
TEST(ClusterBitsOfSingleClusters, WithEnergiesByDifferences) {
  for (const Lattice lattice : {Lattice{2, 36}, Lattice{3, 8}}) {
    for (const ProtocolKind kind : {ProtocolKind::wolff, ProtocolKind::few_cluster}) {
      for (const auto& [name, model, T] : {std::tuple{"ising", test::ising(), 1.5}, {"potts", test::potts(4), 0.6}}) {
        for (const bool pure_couplings : {true, false}) {
          if (lattice.dim == 3 && pure_couplings) continue;
          Disorder disorder = pure_couplings ? pure(lattice) : test::gaussian_disorder(lattice, 4);
          for (float& J : disorder.couplings) J = model.kind == ModelKind::potts ? std::fabs(J) : J;
          Protocol protocol = test::protocol_of(kind, 1);
          protocol.sweeps_per_exchange = 2;
          protocol.exchanges_per_measurement = 8;
          protocol.seed_tile = lattice.L / 4;
          protocol.p_flip = 0.6;
          const Chain chain = test::cluster_chain(model, lattice, 1, test::geometric_betas(4, T, 6 * T), protocol, 2);
          expect_same_bits(chain, disorder,
                           std::string(name) + ", d " + std::to_string(lattice.dim) + ", kind " +
                               std::to_string(static_cast<int>(kind)) + (pure_couplings ? ", pure" : ", gaussian"),
                           1);
        }
      }
    }
  }
}

TEST(ClusterBitsOfCopies, IsoenergeticMovesAndFourCopies) {
  for (const int copies : {2, 4}) {
    const Lattice lattice{3, 4};
    Protocol protocol = test::protocol_of(ProtocolKind::swendsen_wang, 1, 1);
    protocol.sweeps_per_exchange = 2;
    protocol.isoenergetic = 2;
    Chain chain = test::cluster_chain(test::ising(), lattice, copies, test::geometric_betas(5, 0.5, 2.0), protocol, 3);
    chain.samples = 2;
    expect_same_bits(chain, bimodal(lattice, 9), "copies " + std::to_string(copies));
  }
}

/// Without exchanges slots are independent: up to T_max they are those of a chain with moves, above it those of one
/// without.
TEST(ClusterBitsOfCopies, IsoenergeticMovesUpToATemperature) {
  const auto states_after = [](MultispinRule words, int moves, double T_max, const BackendOptions& backend) {
    const Lattice lattice{2, 4};
    Protocol protocol =
        words == MultispinRule::off ? test::protocol_of(ProtocolKind::local, 0, 1) : test::multispin_protocol(words, 1);
    protocol.exchange = ExchangeSchedule::none;
    protocol.isoenergetic = moves;
    protocol.isoenergetic_T_max = T_max;
    const Chain chain = test::cluster_chain(test::ising(), lattice, 2, {1.0F, 0.5F}, protocol, 4);
    test::Ensemble ensemble(chain, {3}, [&](std::uint32_t) { return bimodal(lattice, 9); });
    ensemble.round(*make_backend(backend), chain, {0});
    return ensemble.state[0].states;  // [copy][slot][site]
  };
  for (const MultispinRule words : {MultispinRule::off, MultispinRule::heat_bath}) {
    for (const BackendKind kind : {BackendKind::reference, BackendKind::cpu}) {
      const BackendOptions backend{kind, InstructionSet::automatic, 1};
      const auto with = states_after(words, 3, 0.0, backend), without = states_after(words, 0, 0.0, backend);
      const auto some = states_after(words, 3, 1.0, backend);
      ASSERT_EQ(some.size(), 64U);
      EXPECT_NE(with, without);
      for (std::size_t i = 0; i < some.size(); ++i) {
        const bool cold = i / 16 % 2 == 0;
        ASSERT_EQ(some[i], (cold ? with : without)[i]) << i;
      }
      EXPECT_EQ(states_after(words, 3, 2.0, backend), with);
    }
  }
}

}}  // namespace glassworks
