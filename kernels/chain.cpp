#include "kernels/chain.hpp"

#include <cmath>

#include "kernels/formulas.hpp"

namespace glassworks {

FixedScale choose_energy_scale(const Lattice& lattice, const std::vector<float>& couplings,
                               const std::vector<float>& fields) {
  double largest = 0.0;
  for (std::int64_t i = 0; i < lattice.sites(); ++i) {
    double bound = 0.0;
    for (int axis = 0; axis < lattice.dim; ++axis) {
      const std::int64_t back = lattice.neighbour(i, axis, -1);
      bound += std::fabs(static_cast<double>(couplings[static_cast<std::size_t>(i * lattice.dim + axis)]));
      bound += std::fabs(static_cast<double>(couplings[static_cast<std::size_t>(back * lattice.dim + axis)]));
    }
    if (!fields.empty()) {
      double square = 0.0;
      for (int c = 0; c < 3; ++c) {
        const double h = static_cast<double>(fields[static_cast<std::size_t>(3 * i + c)]);
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

ChainState initial_state(const Chain& chain, std::uint32_t realization) {
  const auto replicas = static_cast<std::size_t>(chain.replicas());
  const auto slots = static_cast<std::size_t>(chain.slots());
  const auto sites = static_cast<std::size_t>(chain.lattice.sites());
  ChainState state;
  state.slot.resize(replicas);
  state.heading.assign(replicas, 0);
  state.round_trips.assign(replicas, 0);
  state.spins.resize(replicas * 3 * sites);
  for (std::size_t r = 0; r < replicas; ++r) {
    const std::size_t slot = r % slots;
    state.slot[r] = static_cast<std::uint16_t>(slot);
    if (slots > 1 && slot == 0) state.heading[r] = 1;
    float* x = state.spins.data() + r * 3 * sites;
    for (std::size_t i = 0; i < sites; ++i) {
      const RandomBlock u = random_block(chain.key, Stream::initial_spins, realization, static_cast<std::uint32_t>(r),
                                         0, static_cast<std::uint32_t>(i));
      const auto s = exact::random_spin<float>(u.word[0], u.word[1]);
      x[i] = s.x;
      x[sites + i] = s.y;
      x[2 * sites + i] = s.z;
    }
  }
  return state;
}

}  // namespace glassworks
