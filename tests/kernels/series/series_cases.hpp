#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "kernels/models/model_facts.hpp"
#include "kernels/series/measure_series.hpp"
#include "tests/kernels/cluster/cluster_support.hpp"

/// Realizations that a series is measured of.
namespace glassworks::test {

struct SeriesCase {
  const char* name;
  SpinModel model;
  Lattice lattice;
  int copies, slots, pairs;
  double absent = 0.0;
};

inline SpinModel diluted(SpinModel model) {
  model.diluted = true;
  return model;
}
inline Lattice prism(std::array<int, 4> lengths, unsigned open = 0) {
  Lattice lattice{0, 0, open, LatticeKind::hypercubic, lengths};
  while (lattice.dim < 4 && lengths[static_cast<std::size_t>(lattice.dim)] > 0) ++lattice.dim;
  lattice.L = *std::max_element(lengths.begin(), lengths.end());
  return lattice;
}

/// A realization at three moments, of spins that have half forgotten the moment before.
struct SeriesMoments {
  Chain chain;
  Disorder disorder;
  SeriesShape shape;
  std::vector<ChainState> states;
};

inline void forget_half(const Chain& chain, const Disorder& disorder, Source& source, ChainState& state) {
  const std::int64_t N = chain.lattice.sites();
  const int n = components_of(chain.model), states = chain.model.is_discrete() ? facts_of(chain.model).states : 0;
  for (int replica = 0; replica < chain.replicas(); ++replica) {
    for (std::int64_t i = 0; i < N; ++i) {
      const bool absent = disorder.is_absent(i);
      if (chain.model.is_discrete()) {
        std::uint8_t& s = state.states[static_cast<std::size_t>(replica * N + i)];
        const auto fresh = static_cast<std::uint8_t>(source.below(states));
        if (source.uniform() < 0.5) s = fresh;
        if (absent) s = static_cast<std::uint8_t>(facts_of(chain.model).absent);
        continue;
      }
      std::vector<double> v;
      double square = 0.0;
      for (int k = 0; k < n; ++k) {
        float& c = state.spins[static_cast<std::size_t>((replica * n + k) * N + i)];
        v.push_back(static_cast<double>(c) + (k == 0 ? 0.2 : 0.0) + 0.8 * source.normal());
        square += v.back() * v.back();
      }
      for (int k = 0; k < n; ++k) {
        state.spins[static_cast<std::size_t>((replica * n + k) * N + i)] =
            absent ? 0.0F : static_cast<float>(v[static_cast<std::size_t>(k)] / std::sqrt(square));
      }
    }
  }
}

inline SeriesMoments moments_of(const SeriesCase& one) {
  Protocol protocol;
  protocol.exchange = ExchangeSchedule::none;
  protocol.overrelaxation = 0;
  SeriesMoments m;
  m.chain = cluster_chain(one.model, one.lattice, one.copies,
                          std::vector<float>(static_cast<std::size_t>(one.slots), 1.0F), protocol, 1);
  m.disorder = gaussian_disorder(one.lattice, 11);
  Source source(17);
  const auto n = static_cast<std::size_t>(components_of(one.model));
  const auto N = static_cast<std::size_t>(one.lattice.sites());
  if (one.absent > 0.0) {
    m.disorder.fields.assign(N * n, 0.0F);
    for (std::size_t i = 0; i < N; ++i) {
      m.disorder.absent.push_back(source.uniform() < one.absent ? 1 : 0);
      for (std::size_t k = 0; k < n; ++k) {
        m.disorder.fields[i * n + k] = m.disorder.absent[i] != 0 ? 0.0F : static_cast<float>(0.5 * source.normal());
      }
    }
    for (std::int64_t i = 0; i < one.lattice.sites(); ++i) {
      for (int bond = 0; bond < one.lattice.owned(); ++bond) {
        const auto j = static_cast<std::size_t>(one.lattice.neighbour(i, bond, +1));
        if (m.disorder.absent[static_cast<std::size_t>(i)] + m.disorder.absent[j] > 0) {
          m.disorder.couplings[static_cast<std::size_t>(i * one.lattice.owned() + bond)] = 0.0F;
        }
      }
    }
  }
  m.disorder.energy_scale = choose_energy_scale(one.lattice, m.disorder.couplings, m.disorder.fields, 0.4);
  m.shape = {one.model, one.lattice, one.copies, one.pairs, {3, 100}};
  ChainState state = initial_state(m.chain, 5);
  // Half of the spins of all copies are those of the first one, so that copies have something in common.
  const std::size_t of_replica = state.states.size() / static_cast<std::size_t>(m.chain.replicas());
  for (std::size_t i = of_replica; i < state.states.size(); ++i) state.states[i] = state.states[i % of_replica];
  const std::size_t of_vectors = state.spins.size() / static_cast<std::size_t>(m.chain.replicas());
  for (std::size_t i = of_vectors; i < state.spins.size(); ++i) state.spins[i] = state.spins[i % of_vectors];
  for (const std::uint64_t t : {3, 100, 200}) {
    forget_half(m.chain, m.disorder, source, state);
    state.steps = t;
    m.states.push_back(state);
  }
  return m;
}

/// The reference states that a moment is compared with.
[[nodiscard]] inline std::vector<KeptSpins> kept_at(const SeriesMoments& m, std::size_t moment) {
  std::vector<KeptSpins> kept;
  for (std::size_t t = 0; t < std::min<std::size_t>(moment + 1, 2); ++t) {
    kept.push_back(keep_spins(m.chain, m.states[t]));
  }
  return kept;
}

[[nodiscard]] inline std::vector<double> rows_of(const SeriesMoments& m, std::size_t moment, const SeriesLayout& layout,
                                                 int threads) {
  std::vector<double> rows(static_cast<std::size_t>(m.chain.slots() * layout.size()), -7.0);
  measure_series(m.chain, m.disorder, m.states[moment], kept_at(m, moment), layout, threads, rows);
  return rows;
}

}  // namespace glassworks::test
