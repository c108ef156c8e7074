#include "engine/memory.hpp"

#include <unistd.h>

#include <cmath>

#include "kernels/models/model_facts.hpp"

namespace glassworks::inline engine {

double realization_bytes(const Lattice& lattice, int slots, int copies, const SpinModel& model) {
  if (!measures_tensors(model)) {
    constexpr int of_update = 24;
    const int spin = model.is_discrete() ? 1 : 4 * components_of(model);
    return (static_cast<double>(spin) * slots * copies + of_update + 4.0 * lattice.owned()) *
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

double checkpoint_bytes(const Chain& chain) {
  const SpinModel& model = chain.model;
  const double spins = static_cast<double>(chain.lattice.sites()) * chain.replicas();
  if (!model.is_discrete()) {
    constexpr double kept = 0.92;  // mantissas of random directions
    return kept * 4.0 * components_of(model) * spins;
  }
  const double bits = std::log2(facts_of(model).states) + 0.55;  // the code of zstd
  return bits / 8.0 * spins;
}

double physical_memory_bytes() {
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
}

}  // namespace glassworks::inline engine
