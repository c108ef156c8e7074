#include "tools/bench/cluster/update_bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/cuda/cluster/ising_updates.hpp"
#include "kernels/cuda/cluster/vector_updates.hpp"
#include "kernels/models/activation.hpp"
#include "tools/bench/cluster/device_timer.hpp"
#include "tools/bench/cluster/json_line.hpp"

namespace glassworks { inline namespace tools { namespace bench {
namespace {

struct Case {
  int dim, L;
  unsigned systems;
};

void print(const std::string& model, const Case& c, int variant, double beta, const Times& times, double spins) {
  const auto ps = [spins](double ms) { return rounded(1e9 * ms / spins, 2); };
  JsonWriter json;
  json.begin_object().field("model", model).field("dim", c.dim).field("L", c.L).field("systems", c.systems);
  json.field("beta", rounded(beta, 6)).field("variant", variant).field("ps_per_spin", ps(times.median));
  json.field("least", ps(times.least)).field("most", ps(times.most)).key("stages_ps").begin_object();
  for (const auto& [name, ms] : times.stages) json.field(name, ps(ms));
  print_line(json.end_object().end_object());
}

/// Updates in a row, as a round has them.
template <class Updates>
Times time_updates(Updates& updates, int warm_up) {
  std::uint64_t sweep = 0;
  const auto work = [&](const StageMark& mark) {
    updates.enqueue(PhiloxKey{1, 2}, sweep, nullptr, mark);
    ++sweep;
  };
  return DeviceTimer().measure(warm_up, 21, work, 10);
}

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
  const Times times = time_updates(*updates, 60);
  print("ising", c, variant, static_cast<double>(beta), times, static_cast<double>(states.size()));
}

/// The model on at `beta`, started from the reflections of one direction.
void update_vectors(const Case& c, int components, double beta, int variant) {
  const Lattice lattice{c.dim, c.L};
  const auto updates = make_vector_updates(lattice, components, c.systems, variant);
  if (updates == nullptr) return;
  std::vector<VectorSystem> systems;
  for (unsigned i = 0; i < c.systems; ++i) systems.push_back({i, 0, static_cast<float>(beta), 0});
  updates->set_systems(systems);
  const std::vector<float> couplings(static_cast<std::size_t>(lattice.bonds()), 1.0F);
  const std::vector<const std::vector<float>*> sets{&couplings};
  updates->set_couplings(sets);
  const auto sites = static_cast<std::size_t>(lattice.sites());
  std::vector<float> spins(c.systems * sites * static_cast<std::size_t>(components), 0.0F);
  for (unsigned i = 0; i < c.systems; ++i) {
    const auto first = spins.begin() + static_cast<std::ptrdiff_t>(i * sites * static_cast<std::size_t>(components));
    std::fill(first, first + static_cast<std::ptrdiff_t>(sites), 1.0F);
  }
  updates->set_spins(spins);
  const Times times = time_updates(*updates, 100);
  print(fmt::format("on, n = {}", components), c, variant, beta, times, static_cast<double>(c.systems * sites));
}

}  // namespace

void update_vector_lattices() {
  for (int variant = 0; variant < 4; ++variant) {
    update_vectors({4, 28, 1}, 4, 0.608, variant);
    update_vectors({4, 28, 32}, 4, 0.608, variant);
    update_vectors({3, 128, 8}, 3, 0.6930, variant);
  }
}

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
  for (int variant = 0; variant < 4; ++variant) update({3, 512 / scale, 1}, variant, 1.0);
  update({2, 16384 / scale, 1}, 0, 1.0);
}

}}}  // namespace glassworks::tools::bench
