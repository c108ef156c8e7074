#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "kernels/models/model_facts.hpp"
#include "kernels/rounds/bin_layout.hpp"
#include "kernels/rounds/cluster_checks.hpp"
#include "kernels/rounds/cluster_replica.hpp"
#include "tests/bin_places.hpp"
#include "tests/kernels/support.hpp"

/// What the tests of the cluster updates share.
namespace glassworks::test {

using O = test::Moments;

inline SpinModel ising() { return {ModelKind::ising, 2, 1, std::numeric_limits<double>::infinity()}; }
inline SpinModel potts(int q) { return {ModelKind::potts, q, 1, std::numeric_limits<double>::infinity()}; }
inline SpinModel on(int n) { return {ModelKind::on, 2, n, std::numeric_limits<double>::infinity()}; }
inline SpinModel blume_capel(double crystal_field) {
  SpinModel model = ising();
  model.kind = ModelKind::blume_capel;
  model.crystal_field = crystal_field;
  return model;
}
inline SpinModel clock_model(int q) { return {ModelKind::clock, q, 2, std::numeric_limits<double>::infinity()}; }
inline SpinModel phi4(double lambda) { return {ModelKind::phi4, 2, 4, lambda}; }

/// Whether a model has updates of a kind.
inline bool has_updates(const SpinModel& model, ProtocolKind kind) {
  return kind == ProtocolKind::local || facts_of(model).cluster_move != ClusterMove::none;
}

/// `sweeps` updates of a kind and `heatbath` local sweeps between exchanges; one exchange per measurement.
inline Protocol protocol_of(ProtocolKind kind, int sweeps, int heatbath = 0) {
  Protocol p;
  p.overrelaxation = 0;
  p.heatbath = heatbath;
  p.exchanges_per_measurement = 1;
  p.kind = kind;
  p.cluster_sweeps = sweeps;
  return p;
}

/// A way to update, with its name in the tests.
struct Method {
  const char* name;
  ProtocolKind kind;
  int sweeps, heatbath;
};
/// On a lattice of edge L, with two tiles along each axis where there are seeds.
inline Protocol protocol_of(const Method& method, int L) {
  Protocol protocol = protocol_of(method.kind, method.sweeps, method.heatbath);
  protocol.seed_tile = L / 2;
  protocol.p_flip = 0.7;
  return protocol;
}

inline Chain cluster_chain(const SpinModel& model, const Lattice& lattice, int copies, std::vector<float> beta,
                           const Protocol& protocol, int measurements, std::uint64_t seed = 1) {
  return {
      model,        lattice, copies, std::move(beta), protocol, measurements, size_key(seed, lattice.dim, lattice.L),
      /*samples=*/0};
}

inline Disorder with_scale(const Lattice& lattice, std::vector<float> couplings) {
  Disorder d;
  d.couplings = std::move(couplings);
  d.energy_scale = choose_energy_scale(lattice, d.couplings, d.fields);
  return d;
}
inline Disorder pure(const Lattice& lattice, float J = 1.0F) {
  return with_scale(lattice, std::vector<float>(static_cast<std::size_t>(lattice.bonds()), J));
}
/// J = +-1 with equal probability.
inline Disorder bimodal(const Lattice& lattice, std::uint32_t seed, float J = 1.0F) {
  Source source(seed);
  std::vector<float> couplings;
  for (std::int64_t b = 0; b < lattice.bonds(); ++b) couplings.push_back(source.uniform() < 0.5 ? J : -J);
  return with_scale(lattice, couplings);
}

/// All moves of step `step` of a replica, of a chain without moves between copies.
inline void make_step(const ClusterSystem& system, ClusterReplica& replica, std::uint64_t step, int slot) {
  replica.begin_step({});
  for (int t = 0; t < system.step.repetitions(); ++t) {
    replica.make(system.step.moves(), system.step.repetition(step, t), slot, false, {});
  }
}

/// Three temperatures, two copies, over-relaxation of vectors and a heat bath: for comparisons of bits.
inline Chain short_chain(const SpinModel& model, const Lattice& lattice) {
  Protocol p;
  p.overrelaxation = model.is_discrete() ? 0 : 2;
  p.exchanges_per_measurement = 2;
  return {model, lattice, 2, {1.4F, 0.9F, 0.5F}, p, 4, size_key(3, lattice.dim, lattice.L), /*samples=*/0};
}

/// A state after two rounds, and the record of the second.
struct TwoRounds {
  ChainState state;
  RoundRecord record;
  bool operator==(const TwoRounds&) const = default;
};
inline TwoRounds two_rounds(Backend& backend, const Chain& chain, const Disorder& disorder, ChainState state) {
  static_cast<void>(run_one_round(backend, chain, disorder, 5, state));
  const RoundRecord record = run_one_round(backend, chain, disorder, 5, state);
  return {state, record};
}

/// Means of all observables over each of some rounds. The rounds are far longer than the autocorrelation times, so that
/// their means are independent of each other and nearly normal.
struct Rounds {
  std::vector<std::vector<double>> mean;  ///< [round][slot * quantities + observable]
  int quantities = 0;
};

/// `rounds_per_check` rounds after `warm_up` ones.
constexpr int rounds_per_check = 64;
inline Rounds simulate(const Chain& chain, const Disorder& disorder, int warm_up) {
  const auto backend = fast_backend();
  ChainState state = initial_state(chain, 0);
  Rounds rounds{{}, BinLayout(chain).size()};
  for (int round = 0; round < warm_up + rounds_per_check; ++round) {
    const RoundRecord record = run_one_round(*backend, chain, disorder, 0, state);
    if (round >= warm_up) rounds.mean.push_back(record.mean);
  }
  return rounds;
}

/// A function of the means of one slot against its known value, error by the jackknife over rounds, in units of the
/// error. Student's t with 63 degrees of freedom: P(|t| > `limit`) = 6e-5, as 4 sigma of a normal number.
constexpr double limit = 4.32;
using Means = std::vector<double>;  ///< [observable]
inline ::testing::AssertionResult agrees(const Rounds& rounds, int slot, const std::function<double(const Means&)>& f,
                                         double exact, double error_of_exact = 0.0) {
  const auto quantities = static_cast<std::size_t>(rounds.quantities), n = rounds.mean.size();
  const std::size_t first = static_cast<std::size_t>(slot) * quantities;
  Means total(quantities, 0.0);
  for (const Means& round : rounds.mean) {
    for (std::size_t i = 0; i < quantities; ++i) total[i] += round[first + i];
  }
  const auto value_without = [&](const Means* round) {
    Means mean = total;
    for (std::size_t i = 0; i < quantities; ++i) {
      mean[i] = (total[i] - (round == nullptr ? 0.0 : (*round)[first + i])) /
                (static_cast<double>(n) - (round == nullptr ? 0.0 : 1.0));
    }
    return f(mean);
  };
  double sum = 0.0, squares = 0.0;
  for (const Means& round : rounds.mean) {
    const double value = value_without(&round);
    sum += value;
    squares += value * value;
  }
  const auto count = static_cast<double>(n);
  const double variance = (squares / count - sum / count * (sum / count)) * (count - 1.0);
  const double found = value_without(nullptr), error = std::hypot(std::sqrt(std::max(0.0, variance)), error_of_exact);
  const double deviation = std::abs(found - exact);
  if (deviation <= limit * error || deviation < 1e-9) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << found << " (" << error << "), expected " << exact << ": " << deviation / error
                                       << " errors";
}
inline ::testing::AssertionResult agrees(const Rounds& rounds, int slot, int observable, double exact,
                                         double error_of_exact = 0.0) {
  const auto i = static_cast<std::size_t>(observable);
  return agrees(
      rounds, slot, [i](const Means& m) { return m[i]; }, exact, error_of_exact);
}

/// xi/L of the second moment: xi = sqrt(<m^2>/<|m(k_min)|^2> - 1)/(2 sin(pi/L)).
inline double xi_over_L(const Means& m, int L) {
  return std::sqrt(m[O::magnetization_2] / m[O::magnetization_kmin] - 1.0) / (2.0 * std::sin(std::numbers::pi / L)) / L;
}
inline double fourth_moment_ratio(const Means& m) {
  return m[O::magnetization_4] / (m[O::magnetization_2] * m[O::magnetization_2]);
}
/// c = beta^2 N (<e^2> - <e>^2) of one copy.
inline double specific_heat(const Means& m, double beta, double sites) {
  return beta * beta * sites * (m[O::energy_squared] - m[O::energy] * m[O::energy]);
}

/// A model that has local updates alone is refused with clusters.
inline void expect_refused_with_clusters(const SpinModel& model) {
  for (const ProtocolKind kind : {ProtocolKind::swendsen_wang, ProtocolKind::wolff}) {
    EXPECT_NE(problem_of(cluster_chain(model, {2, 6}, 2, {0.7F}, protocol_of(kind, 1, 1), 1)), "");
  }
}

}  // namespace glassworks::test
