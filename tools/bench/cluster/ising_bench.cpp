#include "tools/bench/cluster/ising_bench.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <vector>

#include "kernels/cluster/activation.hpp"
#include "kernels/cuda/cluster/ising_updates.hpp"
#include "tools/bench/cluster/device_timer.hpp"

namespace glassworks::bench {
namespace {

struct Case {
  int dim, L;
  unsigned systems;
};

void update(const Case& c, int variant, double beta_ratio) {
  const Lattice lattice{c.dim, c.L};
  const double critical = c.dim == 2 ? 0.44068679350977147 : 0.22165463;
  const auto beta = static_cast<float>(beta_ratio * critical);
  const auto updates = make_ising_updates(lattice, c.systems, variant);
  if (updates == nullptr) return;
  std::vector<IsingSystem> systems;
  for (unsigned i = 0; i < c.systems; ++i) systems.push_back({i, 0, bond_threshold(2.0, beta, 1.0F), 0});
  updates->set_systems(systems);
  std::vector<std::uint8_t> states(c.systems * static_cast<std::size_t>(lattice.sites()));
  std::uint32_t word = 1;
  for (std::uint8_t& state : states) {
    word = word * 1664525U + 1013904223U;
    state = static_cast<std::uint8_t>(word >> 31);
  }
  updates->set_states(states);
  std::uint64_t sweep = 0;
  DeviceTimer timer;
  const Times times = timer.measure(60, 21, [&](const StageMark& mark) {
    updates->enqueue(PhiloxKey{1, 2}, sweep, nullptr, mark);
    ++sweep;
  });
  const double spins = static_cast<double>(states.size());
  std::string stages;
  for (const auto& [name, ms] : times.stages) {
    stages += fmt::format("{}\"{}\": {:.2f}", stages.empty() ? "" : ", ", name, 1e9 * ms / spins);
  }
  fmt::print(
      "{{\"model\": \"ising\", \"dim\": {}, \"L\": {}, \"systems\": {}, \"beta_over_beta_c\": {}, \"variant\": {}, "
      "\"ps_per_spin\": {:.2f}, \"least\": {:.2f}, \"most\": {:.2f}, \"stages_ps\": {{{}}}}}\n",
      c.dim, c.L, c.systems, beta_ratio, variant, 1e9 * times.median / spins, 1e9 * times.least / spins,
      1e9 * times.most / spins, stages);
  std::fflush(stdout);
}

}  // namespace

void update_ising_lattices(int scale) {
  for (int variant = 0; variant < 4; ++variant) {
    update({2, 4096 / scale, 1}, variant, 1.0);
    update({3, 256 / scale, 1}, variant, 1.0);
  }
  update({2, 8192 / scale, 1}, 0, 1.0);
  update({2, 512 / scale, 128}, 0, 1.0);
  update({2, 1024 / scale, 32}, 0, 1.0);
  update({2, 8192 / scale, 1}, 0, 0.6);
  update({2, 8192 / scale, 1}, 0, 1.4);
  update({3, 512 / scale, 1}, 0, 1.0);
  update({2, 16384 / scale, 1}, 0, 1.0);
}

}  // namespace glassworks::bench
