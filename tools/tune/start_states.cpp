#include "tools/tune/start_states.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "kernels/rounds/beside.hpp"

namespace glassworks { inline namespace tools {
namespace {

int nearest_slot(const Chain& chain, float beta) {
  const auto distance = [beta](float other) { return std::abs(std::log(other / beta)); };
  return static_cast<int>(std::ranges::min_element(chain.beta, {}, distance) - chain.beta.begin());
}

}  // namespace

ChainState moved_to_ladder(const ChainState& state, const Chain& from, const Chain& to) {
  const auto replicas_from = static_cast<std::size_t>(from.replicas());
  const std::size_t spins = state.spins.size() / replicas_from, sites = state.states.size() / replicas_from;
  ChainState moved;
  for (int copy = 0; copy < to.copies; ++copy) {
    const auto begin = state.slot.begin() + std::ptrdiff_t{copy} * from.slots();
    for (int slot = 0; slot < to.slots(); ++slot) {
      const int nearest = nearest_slot(from, to.beta[static_cast<std::size_t>(slot)]);
      const auto replica =
          static_cast<std::size_t>(std::find(begin, begin + from.slots(), nearest) - state.slot.begin());
      moved.slot.push_back(static_cast<std::uint16_t>(slot));
      const auto append = [replica](auto& out, const auto& in, std::size_t size) {
        const auto first = in.begin() + static_cast<std::ptrdiff_t>(replica * size);
        out.insert(out.end(), first, first + static_cast<std::ptrdiff_t>(size));
      };
      append(moved.spins, state.spins, spins);
      append(moved.states, state.states, sites);
    }
  }
  moved.heading.assign(moved.slot.size(), 0);
  if (to.slots() > 1) {
    for (int copy = 0; copy < to.copies; ++copy) moved.heading[static_cast<std::size_t>(copy * to.slots())] = 1;
  }
  moved.beside = initial_beside(to);
  moved.round_trips.assign(moved.slot.size(), 0);
  return moved;
}

}}  // namespace glassworks::tools
