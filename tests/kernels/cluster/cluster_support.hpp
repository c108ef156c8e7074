#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "kernels/cluster/cluster_observables.hpp"
#include "kernels/cluster/cluster_round.hpp"
#include "tests/kernels/support.hpp"

/// What the tests of the cluster updates share.
namespace glassworks::test {

using O = ClusterObservables;

inline SpinModel ising() { return {ModelKind::ising, 2, 1, std::numeric_limits<double>::infinity()}; }
inline SpinModel potts(int q) { return {ModelKind::potts, q, 1, std::numeric_limits<double>::infinity()}; }
inline SpinModel on(int n) { return {ModelKind::on, 2, n, std::numeric_limits<double>::infinity()}; }
inline SpinModel phi4(double lambda) { return {ModelKind::phi4, 2, 4, lambda}; }

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

/// Means over rounds with errors from them: rounds are far longer than the autocorrelation times, so their means are
/// independent; `error` is for `rounds` - 1 degrees of freedom.
struct RoundMeans {
  std::vector<Mean> of;  ///< [slot][observable]
  int quantities = 0;
  [[nodiscard]] const Mean& at(int slot, int observable) const {
    return of[static_cast<std::size_t>(slot * quantities + observable)];
  }
};

/// Runs `rounds` rounds after `warm_up` ones. Realizations are independent chains with the same couplings.
inline RoundMeans simulate(const Chain& chain, const Disorder& disorder, int warm_up, int rounds,
                           std::uint32_t realization = 0) {
  const auto backend = fast_backend();
  ChainState state = initial_state(chain, realization);
  RoundMeans means;
  means.quantities = ClusterObservables(chain.model, chain.copies).size();
  means.of.resize(static_cast<std::size_t>(chain.slots() * means.quantities));
  for (int round = 0; round < warm_up + rounds; ++round) {
    const RoundRecord record = run_one_round(*backend, chain, disorder, realization, state);
    for (std::size_t i = 0; round >= warm_up && i < record.mean.size(); ++i) means.of[i].add(record.mean[i]);
  }
  return means;
}

/// |mean - exact| in units of the error, `other` the error of the value compared with.
inline double deviation(const Mean& mean, double exact, double other = 0.0) {
  return std::abs(mean.mean() - exact) / std::hypot(mean.error(), other);
}
/// Student's t with 63 degrees of freedom: P(|t| > 4.32) = 6e-5, what 4 sigma of a normal number has.
constexpr int rounds_per_check = 64;
constexpr double limit = 4.32;

}  // namespace glassworks::test
