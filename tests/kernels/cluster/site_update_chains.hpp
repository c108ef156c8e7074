#pragma once

#include "tests/kernels/cluster/cluster_support.hpp"

/// Chains of updates of single spins.
namespace glassworks::test {

/// Two sweeps of an update for each exchange; no exchanges with demons.
inline Protocol protocol_of(SiteRule rule, int adaptation = 0) {
  Protocol p = test::protocol_of(ProtocolKind::local, 0, 1);
  p.local = rule;
  p.adaptation = adaptation;
  p.sweeps_per_exchange = 2;
  if (traits_of(rule).has_reserve) p.exchange = ExchangeSchedule::none;
  return p;
}

/// Two copies at three temperatures.
inline Chain chain_with(SiteRule rule, const SpinModel& model, const Lattice& lattice, int measurements,
                        int adaptation = 0) {
  return cluster_chain(model, lattice, 2, {1.1F, 0.7F, 0.4F}, protocol_of(rule, adaptation), measurements);
}

}  // namespace glassworks::test
