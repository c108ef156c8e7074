#include "kernels/rounds/beside.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/models/for_model.hpp"
#include "kernels/rounds/bond_view.hpp"

namespace glassworks { inline namespace rounds {

BesideLayout::BesideLayout(const Chain& chain) : sites(chain.lattice.sites()) {
  const UpdateTraits& traits = traits_of(chain.protocol.local);
  if (traits.has_width && !chain.model.is_discrete()) widths = chain.slots();
  if (traits.has_reserve) reserves = chain.replicas() * sites;
}

std::vector<std::int64_t> initial_beside(const Chain& chain) {
  const BesideLayout layout(chain);
  std::vector<std::int64_t> beside(layout.size(), 0);
  std::fill_n(beside.begin(), layout.widths, first_width);
  return beside;
}

std::int64_t energy_quantum(const Chain& chain, const Disorder& disorder) {
  return for_any_model(chain.model, [&](auto m) -> std::int64_t {
    using M = decltype(m);
    if constexpr (!M::discrete) {
      return 1;
    } else {
      const Lattice& lattice = chain.lattice;
      const BondView bonds(lattice, disorder.graph.get());
      const float multiplier = disorder.energy_scale.multiplier();
      const auto fixed = [&](float x) -> std::int64_t { return to_fixed_clamped(x, multiplier); };
      const int q = M::states(chain.model);
      std::int64_t quantum = 0;
      // What a change of state 0 costs with all neighbours in state 0, and what other neighbours make of it.
      for (std::int64_t i = 0; i < lattice.sites(); ++i) {
        if (disorder.is_absent(i)) continue;
        for (int to = 1; to < q; ++to) {
          const auto s = static_cast<std::uint8_t>(to);
          std::int64_t cost = fixed(static_cast<float>(M::site_energy(chain.model, s))) -
                              fixed(static_cast<float>(M::site_energy(chain.model, 0)));
          if constexpr (M::has_fields) {
            if (disorder.has_fields()) {
              exact::Vector<M::components> H;
              for (int k = 0; k < M::components; ++k) {
                H.c[k] = disorder.fields[static_cast<std::size_t>(i * M::components + k)];
              }
              cost -= fixed(M::in_field(chain.model, H, s)) - fixed(M::in_field(chain.model, H, 0));
            }
          }
          bonds.for_couplings(i, [&](std::int64_t place, int) {
            const float J = disorder.couplings[static_cast<std::size_t>(place)];
            const auto of_bond = [&](std::uint8_t neighbour) {
              return fixed(exact::mul(J, M::product(chain.model, s, neighbour))) -
                     fixed(exact::mul(J, M::product(chain.model, 0, neighbour)));
            };
            cost -= of_bond(0);
            for (int k = 1; k < q; ++k) {
              quantum = std::gcd(quantum, of_bond(static_cast<std::uint8_t>(k)) - of_bond(0));
            }
          });
          quantum = std::gcd(quantum, cost);
          if (quantum == 1) return quantum;
        }
      }
      return quantum;
    }
  });
}

std::vector<std::int64_t> beside_at_start(const Chain& chain, const Disorder& disorder, std::uint32_t realization,
                                          const ChainState& state) {
  std::vector<std::int64_t> beside = state.beside;
  const BesideLayout layout(chain);
  if (state.steps > 0 || !layout.has_reserves()) return beside;
  const std::int64_t quantum = energy_quantum(chain, disorder);
  for (int r = 0; r < chain.replicas(); ++r) {
    const auto beta = static_cast<double>(chain.beta[state.slot[static_cast<std::size_t>(r)]]);
    const double rate = beta * static_cast<double>(quantum) * disorder.energy_scale.unit();
    for (std::int64_t i = 0; i < layout.sites && quantum > 0; ++i) {
      const RandomBlock words = random_block(chain.key, Stream::initial_spins, realization,
                                             static_cast<std::uint32_t>(r), 1, static_cast<std::uint32_t>(i));
      const auto u = static_cast<double>(exact::uniform<float>(words.word[0]));
      beside[static_cast<std::size_t>(layout.reserves_of(r) + i)] =
          quantum * static_cast<std::int64_t>(std::log(u) / -rate);
    }
  }
  return beside;
}

bool adapts_after(const Chain& chain, std::uint64_t steps) {
  return BesideLayout(chain).widths > 0 && is_adapting(chain.protocol, steps);
}

std::uint64_t proposals_of_step(const Chain& chain, const Disorder& disorder) {
  const auto absent = static_cast<std::uint64_t>(std::ranges::count_if(disorder.absent, [](auto a) { return a != 0; }));
  return (static_cast<std::uint64_t>(chain.lattice.sites()) - absent) *
         static_cast<std::uint64_t>(chain.protocol.sweeps_per_exchange) *
         static_cast<std::uint64_t>(chain.protocol.tile_repeats) * static_cast<std::uint64_t>(chain.protocol.heatbath);
}

void adapt_widths(const Chain& chain, std::span<const std::uint64_t> accepted, std::uint64_t proposed,
                  std::vector<std::int64_t>& beside) {
  const auto of_slot = proposed * static_cast<std::uint64_t>(chain.copies);
  for (std::size_t slot = 0; slot < accepted.size(); ++slot) {
    beside[slot] = adapted(beside[slot], accepted[slot], of_slot);
  }
}

}}  // namespace glassworks::rounds
