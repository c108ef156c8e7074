#include "kernels/rounds/kept_spins.hpp"

#include <algorithm>
#include <bit>

#include "kernels/models/model_facts.hpp"

namespace glassworks { inline namespace rounds {
namespace {

constexpr std::size_t word_bits = 64;

/// Bits of a value.
std::size_t width_of(const SpinModel& model) {
  const ModelFacts facts = facts_of(model);
  return static_cast<std::size_t>(std::bit_width(static_cast<unsigned>(std::max(facts.states - 1, facts.absent))));
}

/// States from number `first` of all replicas and sites on.
void put_states(const SpinModel& model, const KeptSpins& kept, std::size_t first, std::span<std::uint8_t> states) {
  const std::size_t width = width_of(model), of_word = word_bits / width;
  const std::uint64_t mask = (std::uint64_t{1} << width) - 1;
  for (std::size_t i = 0; i < states.size(); ++i) {
    const std::size_t place = first + i;
    states[i] = static_cast<std::uint8_t>(kept.bits[place / of_word] >> (place % of_word * width) & mask);
  }
}

/// States one after the other, `width` bits of each.
std::uint64_t packed(std::span<const std::uint8_t> states, std::size_t width) {
  std::uint64_t bits = 0;
  if (width == 1 && states.size() == word_bits) {
    for (std::size_t i = 0; i < word_bits; i += 8) {
      std::uint64_t eight = 0;
      for (std::size_t k = 0; k < 8; ++k) eight |= std::uint64_t{states[i + k]} << (8 * k);
      bits |= (eight * 0x0102040810204080U) >> 56 << i;  // bit 0 of byte k moves to bit k of the highest byte
    }
    return bits;
  }
  for (std::size_t i = 0; i < states.size(); ++i) bits |= std::uint64_t{states[i]} << (i * width);
  return bits;
}

}  // namespace

std::uint64_t kept_words(const Chain& chain) {
  if (!chain.model.is_discrete()) return 0;
  const std::size_t of_word = word_bits / width_of(chain.model);
  return (static_cast<std::uint64_t>(chain.replicas()) * static_cast<std::uint64_t>(chain.lattice.sites()) + of_word -
          1) /
         of_word;
}

KeptSpins keep_spins(const Chain& chain, const ChainState& state) {
  KeptSpins kept{.time = state.steps, .bits = {}, .spins = state.spins};
  if (!chain.model.is_discrete()) return kept;
  const std::size_t width = width_of(chain.model), of_word = word_bits / width;
  kept.bits.assign((state.states.size() + of_word - 1) / of_word, 0);
  for (std::size_t word = 0; word < kept.bits.size(); ++word) {
    const std::size_t first = word * of_word;
    kept.bits[word] =
        packed(std::span(state.states).subspan(first, std::min(of_word, state.states.size() - first)), width);
  }
  return kept;
}

void put_spins(const Chain& chain, const KeptSpins& kept, ChainState& state) {
  state.spins = kept.spins;
  if (!chain.model.is_discrete()) return;
  state.states.resize(static_cast<std::size_t>(chain.replicas()) * static_cast<std::size_t>(chain.lattice.sites()));
  put_states(chain.model, kept, 0, state.states);
}

void kept_states(const Chain& chain, const KeptSpins& kept, int replica, std::span<std::uint8_t> states) {
  put_states(chain.model, kept, static_cast<std::size_t>(replica) * static_cast<std::size_t>(chain.lattice.sites()),
             states);
}

}}  // namespace glassworks::rounds
