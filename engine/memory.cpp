#include "engine/memory.hpp"

#include <unistd.h>

#include "kernels/samples.hpp"

namespace glassworks {

double realization_bytes(const Lattice& lattice, int slots, int copies) {
  constexpr int lanes = 16, spin_bytes = 12;
  const int replicas = slots * copies, bundled = (replicas + lanes - 1) / lanes * lanes;
  const double per_site = spin_bytes * (static_cast<double>(replicas) + bundled + copies * lanes) + 4.0 * lattice.dim;
  return per_site * static_cast<double>(lattice.sites());
}

double sample_bytes(int dim, int slots, int copies, int samples) {
  return static_cast<double>(sizeof(float)) * slots * samples * SampleLayout(dim, copies).size();
}

double physical_memory_bytes() {
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
}

}  // namespace glassworks
