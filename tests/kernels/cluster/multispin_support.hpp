#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/core/open_ends.hpp"
#include "tests/kernels/cluster/cluster_support.hpp"

/// What the tests of multi-spin coding share.
namespace glassworks::test {

[[nodiscard]] inline Protocol multispin_protocol(MultispinRule rule, int sweeps = 1) {
  Protocol p = protocol_of(ProtocolKind::local, 0, sweeps);
  p.multispin = rule;
  return p;
}

/// A chain whose copies are lanes.
[[nodiscard]] inline Chain copy_chain(const Lattice& lattice, MultispinRule rule, int copies, std::vector<float> beta,
                                      int measurements) {
  Protocol p = multispin_protocol(rule);
  p.lanes = MultispinLanes::copies;
  p.exchange = ExchangeSchedule::none;
  return cluster_chain(ising(), lattice, copies, std::move(beta), p, measurements);
}

/// The same field at every site.
[[nodiscard]] inline Disorder in_field(const Lattice& lattice, Disorder disorder, float H) {
  disorder.fields.assign(static_cast<std::size_t>(lattice.sites()), H);
  disorder.energy_scale = choose_energy_scale(lattice, disorder.couplings, disorder.fields);
  return disorder;
}

/// J = +-1, a fraction of them and all past open ends absent, in a constant field.
[[nodiscard]] inline Disorder diluted(const Lattice& lattice, std::uint32_t seed, double absent, float H = 0.0F) {
  Source source(seed);
  std::vector<float> couplings = bimodal({lattice.dim, lattice.L}, seed + 1).couplings;
  for (float& J : couplings) {
    if (source.uniform() < absent) J = 0.0F;
  }
  cut_open_ends(lattice, couplings);
  const Disorder disorder = with_scale(lattice, couplings);
  return H == 0.0F ? disorder : in_field(lattice, disorder, H);
}

/// Realizations of a chain with their couplings, states and last records.
struct Ensemble {
  std::vector<std::uint32_t> number;
  std::vector<Disorder> disorder;
  std::vector<ChainState> state;
  std::vector<RoundRecord> record;

  Ensemble(const Chain& chain, std::vector<std::uint32_t> numbers, const std::function<Disorder(std::uint32_t)>& draw)
      : number(std::move(numbers)), record(number.size()) {
    for (const std::uint32_t n : number) {
      disorder.push_back(draw(n));
      state.push_back(initial_state(chain, n));
    }
  }
  /// One round of some of them, in one batch.
  void round(Backend& backend, const Chain& chain, const std::vector<std::size_t>& which) {
    std::vector<RoundTask> batch;
    for (const std::size_t i : which) batch.push_back({number[i], &disorder[i], &state[i], &record[i]});
    RoundControl control;
    ASSERT_EQ(backend.run_round(chain, batch, control), RoundOutcome::finished);
  }
  [[nodiscard]] std::vector<std::size_t> all() const {
    std::vector<std::size_t> which(number.size());
    for (std::size_t i = 0; i < which.size(); ++i) which[i] = i;
    return which;
  }
};

inline void expect_same(const Ensemble& here, const Ensemble& there, const std::string& when = {}) {
  for (const std::size_t i : here.all()) {
    ASSERT_TRUE(same_bytes(here.state[i], there.state[i]) && here.state[i].states == there.state[i].states)
        << when << "state of realization " << here.number[i];
    ASSERT_TRUE(same_bytes(here.record[i], there.record[i])) << when << "record of realization " << here.number[i];
  }
}

/// Two rounds of all realizations by two backends, from these states: the same states and records.
inline void expect_equal_rounds(const Chain& chain, Ensemble here, Backend& one, Backend& other) {
  Ensemble there = here;
  for (int round = 0; round < 2; ++round) {
    here.round(one, chain, here.all());
    there.round(other, chain, there.all());
  }
  expect_same(here, there);
}

}  // namespace glassworks::test
