#pragma once

#include <cstdint>
#include <vector>

#include "kernels/rounds/chain.hpp"

namespace glassworks { inline namespace tools {

/// A straightforward implementation: a union-find over sites with path halving, bond by bond, and a coin for each
/// root. It takes the same random words as the engine, so it must end in the same state. 2D Ising ferromagnets.
class PlainSwendsenWang {
 public:
  PlainSwendsenWang(const Chain& chain, const ChainState& state);

  void sweep(std::uint64_t update);

  [[nodiscard]] const std::vector<std::uint8_t>& state() const { return state_; }

 private:
  void activate(std::uint32_t a, std::uint32_t b, std::uint32_t word);
  [[nodiscard]] std::uint32_t find(std::uint32_t i);

  const Chain& chain_;
  std::vector<std::uint8_t> state_;
  std::vector<std::uint32_t> parent_;
  std::uint32_t threshold_;
};

}}  // namespace glassworks::tools
