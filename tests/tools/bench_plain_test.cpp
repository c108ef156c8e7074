#include <gtest/gtest.h>

#include <cmath>
#include <ostream>
#include <string>
#include <vector>

#include "kernels/make_backend.hpp"
#include "tests/enough.hpp"
#include "tools/bench/model_rows.hpp"
#include "tools/bench/plain_loops.hpp"

namespace glassworks { namespace {

struct Sampled {
  BenchSystem system;
  std::vector<PlainUpdate> updates;  ///< of the plain loop, in turn
};

/// For the names of the tests: not the bytes, which differ from run to run.
void PrintTo(const Sampled& of, std::ostream* out) { *out << of.system.name; }

struct Mean {
  double value = 0.0, error = 0.0;
};

Mean mean_of(const std::vector<double>& blocks) {
  double sum = 0.0, squares = 0.0;
  for (const double x : blocks) sum += x;
  const auto n = static_cast<double>(blocks.size());
  for (const double x : blocks) squares += (x - sum / n) * (x - sum / n);
  return {sum / n, std::sqrt(squares / (n * (n - 1.0)))};
}

const Lattice lattice{3, 4};

/// Energy per site by local sweeps of the engine: 64 independent chains.
Mean engine_energy(const BenchSystem& system, const Disorder& disorder) {
  Chain chain;
  chain.model = system.spins;
  chain.lattice = lattice;
  chain.copies = 1;
  chain.beta.assign(64, static_cast<float>(1.0 / system.T));
  chain.protocol.overrelaxation = 0;
  chain.protocol.exchanges_per_measurement = 2;
  chain.protocol.exchange = ExchangeSchedule::none;
  chain.measurements = test::enough(400, 500);
  chain.key = size_key(5, lattice.dim, lattice.L);
  ChainState state = initial_state(chain, 0);
  RoundRecord record;
  const RoundTask task{0, &disorder, &state, &record};
  const auto backend = make_backend({.kind = BackendKind::cpu, .threads = 1});
  RoundControl control;
  for (int round = 0; round < 2; ++round) backend->run_round(chain, {&task, 1}, control);  // the first one warms up
  const std::size_t quantities = record.mean.size() / chain.beta.size();
  std::vector<double> energy;
  for (std::size_t slot = 0; slot < chain.beta.size(); ++slot) energy.push_back(record.mean[slot * quantities]);
  return mean_of(energy);
}

/// The same by the plain loop: 64 blocks, far longer than the autocorrelation times.
Mean plain_energy(const Sampled& sampled, const Disorder& disorder) {
  const auto loop = make_plain_loop(sampled.system.spins, lattice, disorder, 1.0 / sampled.system.T, 7);
  const auto block = [&] {
    const int sweeps = test::enough(400, 500);
    double sum = 0.0;
    for (int i = 0; i < sweeps; ++i) {
      for (const PlainUpdate update : sampled.updates) loop->update(update);
      sum += loop->energy();
    }
    return sum / sweeps;
  };
  block();
  std::vector<double> energy;
  for (int b = 0; b < 64; ++b) energy.push_back(block());
  return mean_of(energy);
}

class PlainLoops : public testing::TestWithParam<Sampled> {};

/// One fixed seed; the bound of 4 standard deviations of the difference of two means of 64 has a false-alarm
/// probability of 8e-5 for each case.
TEST_P(PlainLoops, SampleTheEnergyOfTheEngine) {
  const Disorder disorder = disorder_of(GetParam().system, lattice, 0);
  const Mean ours = engine_energy(GetParam().system, disorder), plain = plain_energy(GetParam(), disorder);
  EXPECT_NEAR(plain.value, ours.value, 4.0 * std::hypot(plain.error, ours.error));
  EXPECT_LT(plain.error, -0.01 * plain.value);
  EXPECT_LT(ours.error, -0.01 * ours.value);
}

std::vector<Sampled> cases() {
  using enum PlainUpdate;
  constexpr CouplingKind pure = CouplingKind::ferromagnet, gaussian = CouplingKind::gaussian;
  const double infinite = SpinModel{}.lambda;
  const SpinModel ising{ModelKind::ising, 2, 1};
  std::vector<Sampled> all = {
      {{"IsingBimodalHeatBath", ising, CouplingKind::bimodal, 2.0}, {heat_bath}},
      {{"IsingBimodalMetropolis", ising, CouplingKind::bimodal, 2.0}, {metropolis}},
      {{"IsingGaussian", ising, gaussian, 2.0}, {heat_bath}},
      {{"IsingRandomField", ising, pure, 4.0, 1.0}, {heat_bath}},
  };
  const auto add = [&](const std::string& name, const SpinModel& spins, double T, const PlainUpdate local) {
    all.push_back({{name + "Local", spins, pure, T}, {local}});
    // A cluster update of phi4 at finite lambda leaves every |phi|, so that each goes with a local sweep.
    const bool alone = !has_free_modulus(spins);
    for (const PlainUpdate clusters : {swendsen_wang, wolff}) {
      std::vector<PlainUpdate> updates{clusters};
      if (!alone) updates.push_back(local);
      all.push_back({{name + (clusters == wolff ? "Wolff" : "SwendsenWang"), spins, pure, T}, updates});
    }
    if (!spins.is_discrete()) all.push_back({{name + "OverRelaxation", spins, pure, T}, {over_relaxation, local}});
  };
  add("Ising", ising, 4.5, heat_bath);
  add("Potts3", {ModelKind::potts, 3, 1}, 1.9, heat_bath);
  add("Potts10", {ModelKind::potts, 10, 1}, 1.3, heat_bath);
  for (int n = 2; n <= 4; ++n) {
    const std::string name = "On" + std::to_string(n);
    all.push_back({{name + "Gaussian", {ModelKind::on, 2, n}, gaussian, 0.7}, {heat_bath}});
    all.push_back(
        {{name + "GaussianOverRelaxation", {ModelKind::on, 2, n}, gaussian, 0.7}, {over_relaxation, heat_bath}});
    add(name, {ModelKind::on, 2, n}, 4.5 / n, heat_bath);
  }
  add("Phi4Infinite", {ModelKind::phi4, 2, 4, infinite}, 1.1, heat_bath);
  add("Phi4", {ModelKind::phi4, 2, 4, 1.0}, 1.25, metropolis);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Models, PlainLoops, testing::ValuesIn(cases()),
                         [](const auto& test) { return test.param.system.name; });

}}  // namespace glassworks
