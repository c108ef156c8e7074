#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/rounds/local_names.hpp"
#include "tests/cuda/cluster_round_case.hpp"

/// Site fields and open ends on the device: every bit is that of the plain definition, or on large lattices of the
/// processor.
namespace glassworks { namespace {

using test::ClusterBatchOfTasks;
using test::ClusterRound;
using test::Couplings;
using test::Fields;
using test::models;
using test::Oracle;

constexpr Couplings all_couplings[] = {Couplings::pure, Couplings::bimodal, Couplings::gaussian};
constexpr Fields all_fields[] = {Fields::gaussian, Fields::uniform, Fields::sphere, Fields::homogeneous};
constexpr ProtocolKind all_kinds[] = {ProtocolKind::local, ProtocolKind::swendsen_wang, ProtocolKind::wolff,
                                      ProtocolKind::few_cluster};
constexpr ExchangeSchedule all_schedules[] = {ExchangeSchedule::even_odd, ExchangeSchedule::sequential,
                                              ExchangeSchedule::none};

Oracle oracle_of(const Lattice& lattice) { return lattice.sites() <= 100 ? Oracle::reference : Oracle::cpu; }

double coldest(const SpinModel& model) { return model.kind == ModelKind::phi4 && model.lambda < 1 ? 8.0 : 0.8; }

/// Two updates of a kind and a local sweep, twice between exchanges.
Protocol updates_of(ProtocolKind kind, const Lattice& lattice) {
  Protocol protocol = test::protocol_of(kind, kind == ProtocolKind::local ? 0 : 2, 1);
  protocol.sweeps_per_exchange = 2;
  protocol.exchanges_per_measurement = 2;
  protocol.seed_tile = lattice.L / 2;
  protocol.p_flip = 0.6;
  return protocol;
}

class ClusterRoundWithOpenEnds : public ClusterRound, public ::testing::WithParamInterface<int> {};

/// Rows of more than one word, lattices of more than one tile, L = 2, where two sites have one bond instead of two.
TEST_P(ClusterRoundWithOpenEnds, HasTheBitsOfThePlainDefinition) {
  const auto& [name, model] = models()[static_cast<std::size_t>(GetParam())];
  const Lattice lattices[] = {{1, 70, 0b1},   {1, 4, 0b1},   {2, 2, 0b11},   {2, 2, 0b01},   {2, 6, 0b10},
                              {2, 6, 0b11},   {2, 72, 0b01}, {2, 72, 0b11},  {3, 4, 0b111},  {3, 4, 0b100},
                              {3, 18, 0b101}, {3, 18, 0b10}, {4, 4, 0b1111}, {4, 4, 0b1001}, {4, 6, 0b0110}};
  unsigned turn = 0;
  for (const Lattice& lattice : lattices) {
    for (const ProtocolKind kind : all_kinds) {
      ++turn;
      if (!test::has_updates(model, kind)) continue;
      for (const Couplings couplings : all_couplings) {
        // Swendsen-Wang, which has kernels of its own, with all couplings, the others with each on some lattices.
        if (kind != ProtocolKind::swendsen_wang && couplings != all_couplings[turn % 3]) continue;
        Protocol protocol = updates_of(kind, lattice);
        if (!model.is_discrete() && couplings != Couplings::pure) protocol.overrelaxation = 2;
        protocol.exchange = all_schedules[turn % 3];
        const double T = coldest(model);
        Chain chain = test::cluster_chain(model, lattice, 2, test::geometric_betas(3, T, 2 * T), protocol, 3);
        chain.samples = 2;
        expect_same_bits(chain, couplings,
                         name + ", " + test::name_of(lattice) + ", kind " + std::to_string(static_cast<int>(kind)) +
                             ", couplings " + std::to_string(static_cast<int>(couplings)),
                         Fields::none, oracle_of(lattice));
        if (HasFatalFailure()) return;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Models, ClusterRoundWithOpenEnds, ::testing::Range(0, 10),
                         [](const auto& test) { return models()[static_cast<std::size_t>(test.param)].first; });

class ClusterRoundOnLattices : public ClusterRound, public ::testing::WithParamInterface<int> {};

/// Local updates, fields and local observables on lattices other than the hypercubic one.
TEST_P(ClusterRoundOnLattices, HasTheBitsOfThePlainDefinition) {
  const auto& [name, model] = models()[static_cast<std::size_t>(GetParam())];
  const Lattice lattices[] = {{2, 6, 0, LatticeKind::triangular},     {2, 6, 0b10, LatticeKind::triangular},
                              {2, 70, 0b11, LatticeKind::triangular}, {3, 4, 0, LatticeKind::fcc},
                              {3, 6, 0b101, LatticeKind::fcc},        {3, 6, 0, LatticeKind::bcc},
                              {3, 4, 0b111, LatticeKind::bcc}};
  unsigned turn = 0;
  for (const Lattice& lattice : lattices) {
    for (const Couplings couplings : all_couplings) {
      ++turn;
      Protocol protocol = updates_of(ProtocolKind::local, lattice);
      if (!model.is_discrete()) protocol.overrelaxation = static_cast<int>(turn % 3);
      protocol.exchange = all_schedules[turn % 3];
      const double T = 2.0 * coldest(model);
      Chain chain = test::cluster_chain(model, lattice, 2, test::geometric_betas(3, T, 2 * T), protocol, 3);
      chain.samples = 2;
      chain.local = local_observables_of(model);
      const bool fields = turn % 2 == 0 && facts_of(model).has_fields;
      expect_same_bits(
          chain, couplings,
          name + ", " + test::name_of(lattice) + ", couplings " + std::to_string(static_cast<int>(couplings)),
          fields ? Fields::gaussian : Fields::none, Oracle::reference);
      if (HasFatalFailure()) return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Models, ClusterRoundOnLattices, ::testing::Range(0, 10),
                         [](const auto& test) { return models()[static_cast<std::size_t>(test.param)].first; });

class ClusterRoundInFields : public ClusterRound, public ::testing::WithParamInterface<int> {};

/// Local updates, with over-relaxation of vectors, of one, two and four copies, on periodic and open lattices.
TEST_P(ClusterRoundInFields, HasTheBitsOfThePlainDefinition) {
  const int n = GetParam();
  const SpinModel model = n == 1 ? test::ising() : test::on(n);
  const Lattice lattices[] = {{1, 70}, {2, 2}, {2, 6}, {2, 72, 0b10}, {3, 4}, {3, 4, 0b111}, {3, 18}, {4, 4}};
  unsigned turn = 0;
  for (const Lattice& lattice : lattices) {
    for (const Fields fields : all_fields) {
      for (const int overrelaxation : {0, 2}) {
        if (model.is_discrete() && overrelaxation > 0) continue;
        ++turn;
        const int copies = turn % 5 == 0 ? 1 : (turn % 5 == 3 ? 4 : 2);
        Protocol protocol = updates_of(ProtocolKind::local, lattice);
        protocol.overrelaxation = overrelaxation;
        protocol.heatbath = turn % 2 == 0 ? 2 : 1;
        protocol.exchange = all_schedules[turn % 3];
        Chain chain = test::cluster_chain(model, lattice, copies, test::geometric_betas(3, 0.6, 1.2), protocol, 3);
        chain.samples = 2;
        const Couplings couplings = all_couplings[(turn / 3) % 3];
        expect_same_bits(chain, couplings,
                         "n " + std::to_string(n) + ", " + test::name_of(lattice) + ", fields " +
                             std::to_string(static_cast<int>(fields)) + ", couplings " +
                             std::to_string(static_cast<int>(couplings)) + ", copies " + std::to_string(copies) +
                             ", over-relaxation " + std::to_string(overrelaxation),
                         fields, oracle_of(lattice));
        if (HasFatalFailure()) return;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Components, ClusterRoundInFields, ::testing::Range(1, 5));

/// A long ladder, a batch whose realizations have all kinds of fields.
TEST_F(ClusterRound, TemperingInFieldsOfAllKinds) {
  for (const SpinModel& model : {test::ising(), test::on(2), test::on(3), test::on(4)}) {
    Protocol protocol = updates_of(ProtocolKind::local, {3, 6});
    if (!model.is_discrete()) protocol.overrelaxation = 3;
    Chain chain = test::cluster_chain(model, {3, 6, 0b010}, 2, test::geometric_betas(33, 0.3, 2.5), protocol, 4);
    std::vector<Disorder> disorder;
    for (std::uint32_t i = 0; i < 8; ++i) {
      disorder.push_back(test::disorder_of(chain, all_couplings[i % 3], i, all_fields[i % 4]));
    }
    expect_same_bits(chain, disorder, "n " + std::to_string(components_of(model)));
  }
}

/// Isolated spins: all couplings 0, which the device does not store.
TEST_F(ClusterRound, FieldsWithoutCouplings) {
  for (const SpinModel& model : {test::ising(), test::on(2), test::on(4)}) {
    Protocol protocol = updates_of(ProtocolKind::local, {2, 6});
    if (!model.is_discrete()) protocol.overrelaxation = 1;
    const Chain chain = test::cluster_chain(model, {2, 6}, 2, test::geometric_betas(3, 0.5, 2.0), protocol, 3);
    Disorder disorder = test::disorder_of(chain, Couplings::pure, 1, Fields::gaussian);
    for (float& J : disorder.couplings) J = 0.0F;
    expect_same_bits(chain, std::vector<Disorder>(2, disorder), "n " + std::to_string(components_of(model)),
                     Oracle::reference);
  }
}

/// A batch with fields after one without them, and the other way: nothing is left of the one before.
TEST_F(ClusterRound, BatchesWithAndWithoutFieldsInTurn) {
  for (const Fields fields : {Fields::none, Fields::uniform, Fields::none, Fields::homogeneous}) {
    for (const SpinModel& model : {test::on(4), test::ising(), test::on(2)}) {
      const Chain chain = test::cluster_chain(model, {2, 8}, 2, test::geometric_betas(2, 0.5, 1.0),
                                              updates_of(ProtocolKind::local, {2, 8}), 2);
      expect_same_bits(chain, Couplings::gaussian, "fields " + std::to_string(static_cast<int>(fields)), fields,
                       Oracle::reference);
    }
  }
}

TEST_F(ClusterRound, HoudayerMovesInFieldsAndWithOpenEnds) {
  for (const Lattice& lattice : {Lattice{2, 8}, Lattice{2, 34, 0b11}, Lattice{3, 6, 0b001}, Lattice{1, 40, 0b1}}) {
    for (const int copies : {2, 4}) {
      for (const bool in_fields : {false, true}) {
        Protocol protocol =
            test::protocol_of(in_fields ? ProtocolKind::local : ProtocolKind::swendsen_wang, in_fields ? 0 : 1, 1);
        protocol.sweeps_per_exchange = 2;
        protocol.isoenergetic = 2;
        Chain chain =
            test::cluster_chain(test::ising(), lattice, copies, test::geometric_betas(5, 0.5, 2.0), protocol, 3);
        chain.samples = 2;
        expect_same_bits(
            chain, lattice.dim == 2 ? Couplings::bimodal : Couplings::gaussian,
            test::name_of(lattice) + ", copies " + std::to_string(copies) + (in_fields ? ", in fields" : ""),
            in_fields ? Fields::gaussian : Fields::none, oracle_of(lattice));
      }
    }
  }
}

/// Clusters of many tiles that end at open ends, and wrap around the other axes.
TEST_F(ClusterRound, LargeLatticesWithOpenEnds) {
  const Protocol protocol = test::protocol_of(ProtocolKind::swendsen_wang, 1);
  const auto check = [&](const SpinModel& model, const Lattice& lattice, const std::vector<float>& beta,
                         Couplings couplings) {
    const Chain chain = test::cluster_chain(model, lattice, 2, beta, protocol, 3);
    expect_same_bits(chain, {test::disorder_of(chain, couplings, 3)}, test::name_of(lattice));
  };
  check(test::ising(), {2, 500, 0b01}, {1.2F, 0.63F, 0.5F}, Couplings::pure);  // J = 0.7
  check(test::ising(), {3, 66, 0b110}, {0.6F, 0.3166F}, Couplings::bimodal);
  check(test::potts(4), {2, 400, 0b11}, {2.0F, 1.5694F}, Couplings::pure);
  check(test::on(2), {3, 40, 0b100}, {1.0F, 0.649F}, Couplings::pure);
  check(test::on(3), {3, 34, 0b111}, {1.5F, 0.99F}, Couplings::gaussian);
  check(test::phi4(INFINITY), {4, 14, 0b1010}, {1.3F, 0.869F}, Couplings::pure);
}

TEST_F(ClusterRound, RefusesFieldsThatNoBackendKnows) {
  const auto refusal = [](const SpinModel& model, ProtocolKind kind) -> std::string {
    const Chain chain = test::cluster_chain(model, {2, 4}, 1, {1.0F}, test::protocol_of(kind, 1, 1), 1);
    ClusterBatchOfTasks batch(chain, {test::disorder_of(chain, Couplings::pure, 1, Fields::gaussian)});
    try {
      batch.run(*test::cuda_backend());
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(refusal(test::potts(3), ProtocolKind::swendsen_wang), testing::HasSubstr("cannot be used"));
  EXPECT_THAT(refusal(test::phi4(1.0), ProtocolKind::local), testing::HasSubstr("Site fields cannot be used"));
  EXPECT_THAT(refusal(test::ising(), ProtocolKind::wolff), testing::HasSubstr("Cluster updates cannot be used"));
}

/// The kernels that expect couplings of one modulus are not for open ends.
TEST_F(ClusterRound, KernelsForOpenEnds) {
  const auto cuda = test::cuda_backend();
  const auto kernel = [&](const SpinModel& model, const Lattice& lattice) {
    return cuda->kernel_description(
        test::cluster_chain(model, lattice, 1, {0.4F}, test::protocol_of(ProtocolKind::swendsen_wang, 1), 1));
  };
  EXPECT_THAT(kernel(test::ising(), {3, 32, 0b100}), testing::HasSubstr("plain"));
  EXPECT_THAT(kernel(test::ising(), {3, 32}), testing::HasSubstr("tiles"));
  EXPECT_THAT(kernel(test::on(3), {3, 32, 0b111}), testing::HasSubstr("tiles"));
}

}}  // namespace glassworks
