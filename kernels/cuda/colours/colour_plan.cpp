#include "kernels/cuda/colours/colour_plan.hpp"

#include <algorithm>

#include "kernels/cuda/colours/colour_order.hpp"

namespace glassworks { inline namespace cuda {
namespace {

constexpr int most_threads = 256;

/// Spins that the threads of a box read, for each that they update, over the part of the threads that have a cell.
double cost(const ColourPlan& box, int half, int depth) {
  const double cells = box.x * box.y * box.z, sides = depth > 1 ? 2.0 * 2 * box.y * box.x : 0.0;
  const double row = (box.x < half ? 8.0 : 0.0) + box.x;  // spins beyond the ends come in groups of 8
  const double read = box.z * (2.0 * box.y + 2) * row + sides;
  const double threads =
      static_cast<double>(parts_of(half, box.x)) * parts_of(half, box.y) * parts_of(depth, box.z) * box.threads();
  const double use = static_cast<double>(half) * half * depth / threads;
  return (2.5 + read / (2.0 * cells)) / use;
}

/// The number of runs that ends soonest: long ones load few couplings, short ones leave no places empty at the end.
int choose_runs(int places, std::int64_t boxes, int tasks, int replicas) {
  int best = parts_of(replicas, most_in_run);
  const int most = std::min(replicas, most_runs);
  double best_time = 0.0;
  for (int runs = best; runs <= most; ++runs) {
    const auto turns = static_cast<double>((boxes * tasks * runs + places - 1) / places);
    constexpr double beginning = 0.6;  // couplings and indices take about as long as a replica
    const double time = turns * (parts_of(replicas, runs) + beginning);
    if (best_time == 0.0 || time < 0.99 * best_time) {
      best = runs;
      best_time = time;
    }
  }
  return best;
}

}  // namespace

ColourRuns share_out_runs(const ColourDevice& device, std::int64_t boxes, std::int64_t bytes, int tasks, int replicas,
                          int sweeps) {
  constexpr double share = 0.45;           // more does not stay in the cache, couplings come through it too
  constexpr int worth_it = 4, fewest = 3;  // sweeps that use the spins once they are there; replicas of a run
  const auto cached = static_cast<std::int64_t>(share * static_cast<double>(device.cache)) / bytes;  // replicas
  const std::int64_t together = device.places / boxes;  // runs that fill the places once
  const auto all = std::int64_t{tasks} * replicas;
  if (all > cached && sweeps >= worth_it && 100 * together * boxes >= 85LL * device.places) {
    const std::int64_t length = std::min<std::int64_t>(cached / together, most_in_run);
    const std::int64_t runs = (replicas + length - 1) / std::max<std::int64_t>(length, 1);
    if (length >= fewest && runs <= most_runs) return {static_cast<int>(runs), together};
  }
  return {choose_runs(device.places, boxes, tasks, replicas), 0};
}

std::string ColourPlan::name(const VectorChain& chain) { return kernel_prefix(chain) + "colours"; }

std::size_t ColourPlan::spins(const Chain& chain) {
  return static_cast<std::size_t>(chain.replicas()) * colour_order_size(chain.lattice, components_of(chain.model));
}

std::string ColourPlan::description() const {
  return name(chain) + ", boxes of " + std::to_string(2 * x) + " x " + std::to_string(2 * y) + " x " +
         std::to_string(z) + " sites, spins in device memory";
}

bool colour_kernels_fit(const Chain& chain) {
  const Lattice& lattice = chain.lattice;
  const Protocol& p = chain.protocol;
  const int n = components_of(chain.model);
  constexpr std::int64_t fewest = 1024;  // with fewer sites most threads of a block have none
  constexpr std::int64_t most = (std::int64_t{1} << 32) / 16 - 64;  // places of spins are bytes in 32 bits
  return chain.has_vector_sweeps_only() && !chain.model.is_discrete() && n <= max_kernel_components &&
         !chain.model.diluted && !chain.model.anisotropic && lattice.is_hypercubic() && lattice.is_cube() &&
         lattice.dim > 1 && lattice.L % 2 == 0 && lattice.sites() >= fewest && lattice.sites() <= most &&
         (p.tile == 0 || p.tile == lattice.L) && (p.local == SiteRule::heat_bath || p.local == SiteRule::metropolis) &&
         (p.heatbath > 0 || vector_chain(chain.model).renormalizes);
}

ColourPlan plan_colours(const VectorChain& chain, const Lattice& lattice) {
  const int half = lattice.L / 2, depth = lattice.dim > 2 ? lattice.L : 1;
  ColourPlan best{chain, 1, 1, 1};
  for (int cuts = 1; cuts <= half; ++cuts) {
    const int x = parts_of(half, cuts);
    if (x > 64 || x < std::min(half, 8)) continue;
    for (int y = 1; y <= std::min(half, most_threads / x); ++y) {
      for (int z = 1; z <= std::min(depth, most_threads / (x * y)); ++z) {
        const ColourPlan box{chain, x, y, z};
        if (box.threads() <= most_threads && cost(box, half, depth) < cost(best, half, depth)) best = box;
      }
    }
  }
  return best;
}

}}  // namespace glassworks::cuda
