#include "kernels/rounds/chain.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/core/addresses.hpp"
#include "kernels/models/for_model.hpp"
#include "kernels/rounds/beside.hpp"
#include "kernels/rounds/bond_view.hpp"

namespace glassworks { inline namespace rounds {

FixedScale choose_energy_scale(const Lattice& lattice, const std::vector<float>& couplings,
                               const std::vector<float>& fields, double of_site, const SiteGraph* graph) {
  const BondView bonds(lattice, graph);
  double largest = 0.0;
  for (std::int64_t i = 0; i < lattice.sites(); ++i) {
    double bound = std::fabs(of_site);
    bonds.for_couplings(i, [&](std::int64_t place, int) {
      bound += std::fabs(static_cast<double>(couplings[static_cast<std::size_t>(place)]));
    });
    if (!fields.empty()) {
      const auto n = static_cast<std::int64_t>(fields.size()) / lattice.sites();
      double square = 0.0;
      for (std::int64_t c = 0; c < n; ++c) {
        const double h = static_cast<double>(fields[static_cast<std::size_t>(n * i + c)]);
        square += h * h;
      }
      bound += std::sqrt(square);
    }
    largest = bound > largest ? bound : largest;
  }
  int exponent = 0;  // largest < 2^exponent
  std::frexp(largest, &exponent);
  const int n = 30 - exponent;
  return {largest == 0.0 || n > 24 ? 24 : n};
}

namespace {

/// See kernels/models/README.md for the models other than heisenberg.
template <class M>
void start_replica_of(const Chain& chain, std::uint32_t realization, std::uint32_t r, ChainState& state) {
  const auto sites = static_cast<std::size_t>(chain.lattice.sites());
  const auto block = [&](std::size_t index) {
    return random_block(chain.key, Stream::initial_spins, realization, r, 0, static_cast<std::uint32_t>(index));
  };
  if constexpr (M::discrete) {
    std::uint8_t* const to = state.states.data() + r * sites;
    if (chain.start == Start::ordered) {
      std::fill_n(to, sites, static_cast<std::uint8_t>(M::ordered));
      return;
    }
    const auto states = static_cast<std::uint32_t>(M::states(chain.model));
    RandomBlock numbers;
    std::uint32_t held = 0;  // number of the block, plus 1
    for (std::size_t i = 0; i < sites; ++i) {
      const WordAddress a = initial_state_address(static_cast<std::uint32_t>(i));
      if (held != a.block + 1) numbers = block(a.block);
      held = a.block + 1;
      to[i] = static_cast<std::uint8_t>(uniform_below(numbers.word[a.word], states));
    }
  } else {
    constexpr auto n = static_cast<std::size_t>(M::components);
    float* const to = state.spins.data() + r * n * sites;
    if (chain.start == Start::ordered) {
      std::fill_n(to + (n - 1) * sites, sites, 1.0F);
      return;
    }
    for (std::size_t i = 0; i < sites; ++i) {
      const auto s = exact::random_direction<M::components>(block(i));
      for (std::size_t k = 0; k < n; ++k) to[k * sites + i] = s.c[k];
    }
  }
}

}  // namespace

ChainState state_without_spins(const Chain& chain) {
  const auto replicas = static_cast<std::size_t>(chain.replicas());
  const auto slots = static_cast<std::size_t>(chain.slots());
  const auto sites = static_cast<std::size_t>(chain.lattice.sites());
  ChainState state;
  state.slot.resize(replicas);
  state.heading.assign(replicas, 0);
  state.round_trips.assign(replicas, 0);
  if (chain.model.is_discrete()) {
    state.states.resize(replicas * sites);
  } else {
    state.spins.resize(replicas * static_cast<std::size_t>(components_of(chain.model)) * sites);
  }
  for (std::size_t r = 0; r < replicas; ++r) {
    const std::size_t slot = r % slots;
    state.slot[r] = static_cast<std::uint16_t>(slot);
    if (slots > 1 && slot == 0) state.heading[r] = 1;
  }
  state.beside = initial_beside(chain);
  return state;
}

void start_replica(const Chain& chain, std::uint32_t realization, std::size_t replica, ChainState& state) {
  for_any_model(chain.model, [&](auto m) {
    start_replica_of<decltype(m)>(chain, realization, static_cast<std::uint32_t>(replica), state);
  });
}

ChainState initial_state(const Chain& chain, std::uint32_t realization) {
  ChainState state = state_without_spins(chain);
  for (std::size_t r = 0; r < state.slot.size(); ++r) start_replica(chain, realization, r, state);
  return state;
}

}}  // namespace glassworks::rounds
