#include "kernels/rounds/exchange.hpp"

#include <utility>

namespace glassworks { inline namespace rounds {

void exchange_replicas(const Chain& chain, std::uint32_t realization, std::uint64_t step, const std::int64_t* energy,
                       double energy_unit, ChainState& state, RoundRecord& record, int* replica_at) {
  const int slots = chain.slots();
  const ExchangePairs pairs = exchange_pairs(chain.protocol.exchange, step);
  for (int copy = 0; copy < chain.copies; ++copy) {
    const int first_replica = copy * slots;
    for (int r = first_replica; r < first_replica + slots; ++r) replica_at[state.slot[static_cast<std::size_t>(r)]] = r;

    for (int t = pairs.first; t + 1 < slots; t += pairs.stride) {
      const auto pair = static_cast<std::size_t>(t);
      int& low = replica_at[t];
      int& high = replica_at[t + 1];
      const RandomBlock u =
          random_block(chain.key, Stream::exchange, realization, static_cast<std::uint32_t>(first_replica), step,
                       static_cast<std::uint32_t>(t));
      ++record.exchange_attempts[pair];
      if (exchange_accepted(chain.beta[pair], chain.beta[pair + 1], energy[low], energy[high], energy_unit,
                            u.word[0])) {
        ++record.exchange_accepted[pair];
        std::swap(low, high);
      }
    }

    for (int t = 0; t < slots; ++t) {
      const auto r = static_cast<std::size_t>(replica_at[t]);
      state.slot[r] = static_cast<std::uint16_t>(t);
      const Heading next = next_heading(state.heading[r], t, slots);
      state.heading[r] = next.heading;
      if (next.round_trip) {
        ++state.round_trips[r];
        ++record.round_trips[r];
      }
    }
  }
}

}}  // namespace glassworks::rounds
