#include "tests/cuda/cluster_round_case.hpp"
#include "tests/kernels/site_cases.hpp"

/// Absent sites, random axes, lattices with a length of their own along each axis and vectors of many components on the
/// device: the bits of the plain definition.
namespace glassworks { namespace {

using test::ClusterRound;

class CudaSites : public test::OnDevice {
 protected:
  /// steps: made before the two rounds
  static void expect_same_bits(const Chain& chain, const Disorder& disorder, const std::string& what,
                               std::uint64_t steps = 0) {
    static const auto cuda = test::cuda_backend(), reference = test::oracle_backend(test::Oracle::reference);
    ChainState start = initial_state(chain, 5);
    start.steps = steps;
    const test::TwoRounds expected = test::two_rounds(*reference, chain, disorder, start);
    const test::TwoRounds found = test::two_rounds(*cuda, chain, disorder, start);
    EXPECT_EQ(found.state, expected.state) << what << ": " << cuda->kernel_description(chain);
    EXPECT_EQ(found.record.mean, expected.record.mean) << what;
    EXPECT_TRUE(found == expected) << what << ": record";
  }
};

/// Small lattices in plain kernels, larger ones in those that make whole steps and in tiles.
TEST_F(CudaSites, AbsentOnes) {
  std::vector<test::DilutedCase> cases = test::diluted_cases();
  const SpinModel heisenberg;
  for (const SpinModel& model : {heisenberg, test::ising(), test::on(2), test::on(3), test::on(4), test::on(8),
                                 test::blume_capel(0.4), test::clock_model(5)}) {
    for (const double field : {0.0, 0.4}) {
      cases.push_back({test::diluted_chain(model, {3, 8}), field, 0.6});
      cases.push_back({test::diluted_chain(model, {3, 10, 0b010}), field, 0.3});
    }
    cases.push_back({test::diluted_chain(model, {3, 24}), 0.0, 0.3});
  }
  for (test::DilutedCase& c : cases) {
    c.chain.samples = 2;
    const Lattice& lattice = c.chain.lattice;
    expect_same_bits(c.chain, test::diluted(c.chain, c.field, 17, c.fraction),
                     "n " + std::to_string(components_of(c.chain.model)) + ", " + test::name_of(lattice) +
                         (c.chain.model.kind == ModelKind::heisenberg ? ", heisenberg" : ""));
  }
}

/// Sweeps enough in a step for the duties of a block between them; the numbers of sweeps pass 2^32 inside of a step.
TEST_F(CudaSites, IsingStepsOfManySweeps) {
  for (const int L : {4, 6, 8, 10, 12, 14, 16, 20, 24}) {
    for (const bool fields : {false, true}) {
      Chain chain = test::cluster_chain(test::ising(), {3, L}, 2, test::geometric_betas(3, 0.4, 1.5),
                                        test::protocol_of(ProtocolKind::local, 0, 11), 2);
      chain.protocol.exchanges_per_measurement = 2;
      Disorder disorder = test::gaussian_disorder(chain.lattice, 5);
      disorder.fields = test::fields_of(chain, fields ? test::Fields::gaussian : test::Fields::none, 3);
      disorder.energy_scale = choose_energy_scale(chain.lattice, disorder.couplings, disorder.fields);
      expect_same_bits(chain, disorder, "L " + std::to_string(L) + (fields ? ", fields" : ""),
                       (std::uint64_t{1} << 32) / (2 * 11) - 1);
    }
  }
}

TEST_F(CudaSites, RandomAxes) {
  std::vector<test::AxisCase> cases = test::axis_cases();
  const SpinModel heisenberg;
  for (const SpinModel& model : {heisenberg, test::on(2), test::on(3), test::on(6)}) {
    cases.push_back({test::axis_chain(model, {3, 8}), 0.3, 1.0F});
    cases.push_back({test::axis_chain(model, {4, 4, 0b1001}, true), 0.0, 2.0F});
  }
  cases.push_back({test::axis_chain(heisenberg, {3, 24}), 0.0, 1.0F});
  for (const test::AxisCase& c : cases) {
    expect_same_bits(c.chain, test::with_axes(c.chain, c.field, c.D, 17),
                     "n " + std::to_string(components_of(c.chain.model)) + ", " + test::name_of(c.chain.lattice));
  }
}

/// Updates of single spins other than heat baths, with what they keep beside the spins: cubes, tiles, shapes and
/// lattices.
TEST_F(CudaSites, OtherUpdates) {
  const Lattice lattices[] = {
      {3, 4}, {2, 8, 0b01}, {3, 8}, {3, 6, 0, LatticeKind::hypercubic, {6, 4, 4}}, {2, 6, 0, LatticeKind::triangular}};
  for (std::size_t rule = 1; rule < SiteUpdates::size; ++rule) {
    for (const Lattice& lattice : lattices) {
      for (const SpinModel& model : {SpinModel{}, test::ising(), test::potts(3), test::blume_capel(0.4),
                                     test::clock_model(5), test::on(2), test::on(4), test::on(5)}) {
        for (const bool diluted : {false, true}) {
          Chain chain = test::short_chain(model, lattice);
          chain.protocol.local = static_cast<SiteRule>(rule);
          chain.protocol.adaptation = 6;  // within the second round
          chain.samples = 2;
          if (SiteUpdates::traits[rule].has_reserve) chain.protocol.exchange = ExchangeSchedule::none;
          chain.model.diluted = diluted;
          if (!problem_of(chain).empty() || (model.kind == ModelKind::heisenberg && !lattice.is_hypercubic())) continue;
          if (model.kind == ModelKind::heisenberg && !lattice.is_cube()) continue;
          Disorder disorder = test::diluted(chain, 0.4, 17, diluted ? 0.3 : 0.0);
          if (!diluted) disorder.absent.clear();
          if (!facts_of(model).has_fields) disorder.fields.clear();
          expect_same_bits(chain, disorder,
                           std::string(SiteUpdates::names[rule]) + ", model " +
                               std::to_string(static_cast<int>(model.kind)) + ", " + test::name_of(lattice));
        }
      }
    }
  }
}

TEST_F(CudaSites, OfPrisms) {
  const Lattice prisms[] = {{1, 7, 0b1, LatticeKind::hypercubic, {7}},
                            {2, 6, 0, LatticeKind::hypercubic, {4, 6}},
                            {2, 70, 0b10, LatticeKind::hypercubic, {70, 5}},
                            {3, 8, 0, LatticeKind::hypercubic, {8, 4, 6}},
                            {3, 8, 0b100, LatticeKind::hypercubic, {6, 8, 5}},
                            {3, 7, 0b001, LatticeKind::hypercubic, {7, 6, 4}},
                            {4, 6, 0b1001, LatticeKind::hypercubic, {3, 4, 6, 5}},
                            {3, 40, 0, LatticeKind::hypercubic, {4, 40, 10}},
                            // of which a cube would not fit into the memory of the device
                            {3, 3000, 0, LatticeKind::hypercubic, {4, 4, 3000}}};
  unsigned turn = 0;
  for (const Lattice& lattice : prisms) {
    for (const SpinModel& model : {test::ising(), test::potts(3), test::on(2), test::on(3), test::on(4), test::on(5),
                                   test::phi4(1.5), test::blume_capel(-0.4), test::clock_model(64)}) {
      const bool phi4 = model.kind == ModelKind::phi4;
      Chain chain = test::cluster_chain(model, lattice, ++turn % 3 == 0 ? 4 : 2,
                                        phi4 ? test::geometric_betas(3, 8.0, 16.0) : test::geometric_betas(3, 0.5, 1.0),
                                        test::protocol_of(ProtocolKind::local, 0, 2), 3);
      chain.samples = 1;
      chain.local =
          axis_modes | (model.components == 2 && !model.is_discrete() && lattice.dim > 1 ? chiral_overlap : 0);
      if (!model.is_discrete()) chain.protocol.overrelaxation = 1;
      const bool fields = turn % 2 == 0 && facts_of(model).has_fields;
      Disorder disorder = test::gaussian_disorder(lattice, 5);
      disorder.fields = test::fields_of(chain, fields ? test::Fields::gaussian : test::Fields::none, 3);
      disorder.energy_scale = choose_energy_scale(lattice, disorder.couplings, disorder.fields);
      expect_same_bits(
          chain, disorder,
          "n " + std::to_string(components_of(model)) + ", lengths " + std::to_string(lattice.length(0)) + ", ...");
    }
  }
}

/// Five to eight components: periodic and open cubes, other lattices, fields, one to four copies.
TEST_F(ClusterRound, VectorsOfManyComponents) {
  const Lattice lattices[] = {
      {1, 10}, {2, 6}, {2, 70, 0b01}, {3, 4}, {3, 8, 0b111}, {4, 4}, {3, 4, 0, LatticeKind::fcc}};
  unsigned turn = 0;
  for (int n = 5; n <= 8; ++n) {
    for (const Lattice& lattice : lattices) {
      const int copies = ++turn % 3 == 0 ? 4 : (turn % 3 == 1 ? 2 : 1);
      Protocol protocol = test::protocol_of(ProtocolKind::local, 0, 2);
      protocol.overrelaxation = static_cast<int>(turn % 4);
      if (lattice.L % 4 == 0 && lattice.is_hypercubic() && turn % 2 == 0) protocol.tile = lattice.L / 2;
      if (protocol.tile != 0) protocol.tile_repeats = n - 4;
      Chain chain = test::cluster_chain(test::on(n), lattice, copies, test::geometric_betas(3, 0.5, 1.2), protocol, 3);
      chain.samples = 1;
      chain.local = 1U | (copies == 4 ? field_response : 0);
      expect_same_bits(chain, test::Couplings::gaussian, "n " + std::to_string(n) + ", " + test::name_of(lattice),
                       turn % 2 == 0 ? test::Fields::gaussian : test::Fields::none, test::Oracle::reference);
      if (HasFatalFailure()) return;
    }
  }
}

}}  // namespace glassworks
