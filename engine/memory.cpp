#include "engine/memory.hpp"

#include <unistd.h>

namespace glassworks {

double realization_bytes(const Lattice& lattice, int slots, int copies, const SpinModel& model) {
  if (model.kind != ModelKind::heisenberg) {
    constexpr int of_update = 24;
    const int spin = model.is_discrete() ? 1 : 4 * (model.kind == ModelKind::phi4 ? 4 : model.components);
    return (static_cast<double>(spin) * slots * copies + of_update + 4.0 * lattice.dim) *
           static_cast<double>(lattice.sites());
  }
  constexpr int lanes = 16, spin_bytes = 12;
  const int replicas = slots * copies, bundled = (replicas + lanes - 1) / lanes * lanes;
  const double per_site = spin_bytes * (static_cast<double>(replicas) + bundled + copies * lanes) + 4.0 * lattice.dim;
  return per_site * static_cast<double>(lattice.sites());
}

double sample_bytes(const ChainObservables& observables, int slots, int samples) {
  return static_cast<double>(sizeof(float)) * slots * samples * observables.sample_size();
}

double physical_memory_bytes() {
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
}

}  // namespace glassworks
