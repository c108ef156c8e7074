#include "engine/bins/looks.hpp"

#include <algorithm>

namespace glassworks { inline namespace engine {

std::uint32_t first_look_from(const ConvergenceConfig& config, std::uint32_t rounds) {
  const auto last = static_cast<std::uint32_t>(config.max_rounds);
  if (rounds >= last) return rounds;
  if (config.lengths == Lengths::course) return last;
  auto look = static_cast<std::uint32_t>(config.min_rounds);
  while (look < rounds) look += std::max(1U, look / 4);
  return std::min(look, last);
}

std::uint32_t last_look(const ConvergenceConfig& config, std::uint32_t rounds) {
  if (first_look_from(config, 1) > rounds) return 0;
  if (rounds > static_cast<std::uint32_t>(config.max_rounds)) return rounds;
  std::uint32_t last = 0;
  for (std::uint32_t look = first_look_from(config, 1); look <= rounds; look = first_look_from(config, look + 1)) {
    last = look;
  }
  return last;
}

}}  // namespace glassworks::engine
