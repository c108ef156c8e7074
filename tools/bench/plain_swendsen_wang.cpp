#include "tools/bench/plain_swendsen_wang.hpp"

#include "kernels/core/addresses.hpp"
#include "kernels/models/activation.hpp"

namespace glassworks { inline namespace tools {

PlainSwendsenWang::PlainSwendsenWang(const Chain& chain, const ChainState& state)
    : chain_(chain),
      state_(state.states),
      parent_(state_.size()),
      threshold_(bond_threshold(2.0, chain.beta[0], 1.0F)) {}

inline std::uint32_t PlainSwendsenWang::find(std::uint32_t i) {
  while (parent_[i] != i) {
    parent_[i] = parent_[parent_[i]];
    i = parent_[i];
  }
  return i;
}

inline void PlainSwendsenWang::activate(std::uint32_t a, std::uint32_t b, std::uint32_t word) {
  if (state_[a] != state_[b] || word >= threshold_) return;
  a = find(a);
  b = find(b);
  if (a < b) {
    parent_[b] = a;
  } else {
    parent_[a] = b;
  }
}

void PlainSwendsenWang::sweep(std::uint64_t update) {
  constexpr std::uint32_t flipped = 1U << 31;
  const auto L = static_cast<std::uint32_t>(chain_.lattice.L);
  for (std::uint32_t i = 0; i < parent_.size(); ++i) parent_[i] = i;
  for (std::uint32_t y = 0; y < L; y += 2) {
    for (std::uint32_t x = 0; x < L; ++x) {
      const RandomBlock words =
          random_block(chain_.key, Stream::bonds, 0, 0, update, bond_address(chain_.lattice, y * L + x, 0).block);
      const std::uint32_t right = x + 1 == L ? 0 : x + 1;
      for (std::uint32_t k = 0; k < 2; ++k) {
        const std::uint32_t site = (y + k) * L + x, down = y + k + 1 == L ? x : site + L;
        activate(site, (y + k) * L + right, words.word[2 * k]);
        activate(site, down, words.word[2 * k + 1]);
      }
    }
  }
  RandomBlock coins{};
  for (std::uint32_t i = 0; i < parent_.size(); ++i) {
    const BitAddress own = reflection_coin_address(i);
    if (i % 128 == 0) coins = random_block(chain_.key, Stream::cluster, 0, 0, update, own.block);
    parent_[i] = parent_[i] == i ? i | ((coins.word[own.word] >> own.bit) & 1U) << 31 : parent_[parent_[i]];
    if ((parent_[i] & flipped) != 0U) state_[i] ^= 1U;
  }
}

}}  // namespace glassworks::tools
