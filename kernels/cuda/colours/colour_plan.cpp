#include "kernels/cuda/colours/colour_plan.hpp"

#include <algorithm>

#include "kernels/cuda/colours/colour_order.hpp"

namespace glassworks { inline namespace cuda {
namespace {

constexpr int most_threads = 256;

int boxes(int cells, int of_box) { return (cells + of_box - 1) / of_box; }

/// Spins that the threads of a box read, for each that they update, over the part of the threads that have a cell.
double cost(const ColourPlan& box, int half, int depth) {
  const double cells = box.x * box.y * box.z, sides = depth > 1 ? 2.0 * 2 * box.y * box.x : 0.0;
  const double row = (box.x < half ? 8.0 : 0.0) + box.x;  // spins beyond the ends come in groups of 8
  const double read = box.z * (2.0 * box.y + 2) * row + sides;
  const double threads =
      static_cast<double>(boxes(half, box.x)) * boxes(half, box.y) * boxes(depth, box.z) * box.threads();
  const double use = static_cast<double>(half) * half * depth / threads;
  return (2.5 + read / (2.0 * cells)) / use;
}

}  // namespace

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
  for (int parts = 1; parts <= half; ++parts) {
    const int x = boxes(half, parts);
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
