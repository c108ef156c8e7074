#include <vector>

#include "kernels/cuda/cluster/ising_updates.hpp"
#include "kernels/cuda/cluster/round/system_launch.cuh"
#include "kernels/cuda/cluster/round/tiled_updates.hpp"
#include "kernels/cuda/cluster/tile_labelling.hpp"
#include "kernels/cuda/cluster/vector_updates.hpp"
#include "kernels/rounds/kernel_families.hpp"

namespace glassworks { inline namespace cuda {
namespace {

__global__ void assign_kernel(const __grid_constant__ ClusterBatch b, std::uint64_t per_step, IsingSystem* systems) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= static_cast<unsigned>(b.systems())) return;
  const auto task = static_cast<unsigned>(b.task_of(i));
  const int slot = b.common.d_slot[i];
  systems[i] = {b.common.d_realization[task], i % static_cast<unsigned>(b.common.replicas()),
                b.d_threshold[task * static_cast<unsigned>(b.common.slots) + static_cast<unsigned>(slot)], task,
                b.common.d_first_step[task] * per_step};
}

__global__ void assign_kernel(const __grid_constant__ ClusterBatch b, std::uint64_t per_step, VectorSystem* systems) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= static_cast<unsigned>(b.systems())) return;
  const auto task = static_cast<unsigned>(b.task_of(i));
  systems[i] = {b.common.d_realization[task], i % static_cast<unsigned>(b.common.replicas()), b.beta_of(i), task,
                b.common.d_first_step[task] * per_step};
}

template <class System>
void start_assign(const ClusterBatch& b, System* systems, cudaStream_t stream) {
  const auto per_step = static_cast<std::uint64_t>(b.common.protocol.sweeps_per_exchange) *
                        static_cast<std::uint64_t>(b.common.protocol.cluster_sweeps);
  launch_kernel("assigning temperatures", static_cast<void (*)(ClusterBatch, std::uint64_t, System*)>(assign_kernel),
                blocks_for(static_cast<std::size_t>(b.systems()), 128), 128, 0, stream, b, per_step, systems);
}

std::vector<const std::vector<float>*> couplings_of(std::span<const HeldTask> tasks) {
  std::vector<const std::vector<float>*> sets;
  for (const HeldTask& task : tasks) sets.push_back(&task.disorder->couplings);
  return sets;
}

/// Number of an update for a system whose updates before this round are counted in first_sweep.
std::uint64_t in_round(const UpdateNumber& update) { return update.step * update.per_step + update.in_step; }

// What differs between the two kinds of updates.

void take_couplings(IsingUpdates& updates, const ClusterBatch& b, std::span<const HeldTask> tasks) {
  if (b.common.d_couplings == nullptr && b.common.coupling > 0.0F) return updates.set_couplings({});
  updates.set_couplings(couplings_of(tasks));
}
void take_couplings(VectorUpdates& updates, const ClusterBatch& b, std::span<const HeldTask> tasks) {
  // One set says it all if all couplings are equal: it takes no memory then.
  updates.set_couplings(couplings_of(b.common.d_couplings == nullptr ? tasks.first(1) : tasks));
}
void import_spins(IsingUpdates& updates, const ClusterBatch& b, cudaStream_t stream) {
  updates.import_states(b.common.d_states, stream);
}
void import_spins(VectorUpdates& updates, const ClusterBatch& b, cudaStream_t stream) {
  updates.import_spins(b.common.d_spins, stream);
}
void export_spins(IsingUpdates& updates, const ClusterBatch& b, cudaStream_t stream) {
  updates.export_states(b.common.d_states, stream);
}
void export_spins(VectorUpdates& updates, const ClusterBatch& b, cudaStream_t stream) {
  updates.export_spins(b.common.d_spins, stream);
}

/// Updates: IsingUpdates or VectorUpdates.
template <class Updates>
class TiledUpdatesOf final : public TiledUpdates {
 public:
  explicit TiledUpdatesOf(std::unique_ptr<Updates> updates) : updates_(std::move(updates)) {}

  void begin(const ClusterBatch& b, std::span<const HeldTask> tasks) override { take_couplings(*updates_, b, tasks); }
  void assign(const ClusterBatch& b, cudaStream_t stream) override {
    start_assign(b, updates_->device_systems(), stream);
  }
  void run(const ClusterBatch& b, const PhiloxKey& key, const UpdateNumber& first, int count,
           cudaStream_t stream) override {
    import_spins(*updates_, b, stream);
    for (int c = 0; c < count; ++c) {
      updates_->enqueue(key, in_round(first) + static_cast<std::uint64_t>(c), stream, [](const char*) {});
    }
    export_spins(*updates_, b, stream);
  }

 private:
  std::unique_ptr<Updates> updates_;
};

enum class Known { none, ising, vectors };

Known known_chain(const Chain& chain) {
  if (!uses_kernel_kind(BackendKind::cuda, KernelKind::cluster_tiles, chain) || chain.cluster_sweeps() == 0)
    return Known::none;
  return chain.model.is_discrete() ? Known::ising : Known::vectors;
}

}  // namespace

std::unique_ptr<TiledUpdates> make_tiled_updates(const Chain& chain, int systems, bool uniform) {
  constexpr int most_systems = 65535;  // of one launch
  const Known known = known_chain(chain);
  if (known == Known::none || systems > most_systems || (known == Known::ising && !uniform)) return nullptr;
  const auto count = static_cast<unsigned>(systems);
  if (known == Known::ising) {
    return std::make_unique<TiledUpdatesOf<IsingUpdates>>(make_ising_updates(chain.lattice, count));
  }
  return std::make_unique<TiledUpdatesOf<VectorUpdates>>(
      make_vector_updates(chain.lattice, components_of(chain.model), count));
}

bool has_tiled_updates(const Chain& chain) { return known_chain(chain) != Known::none; }

double tiled_update_bytes(const Chain& chain) {
  const Known known = known_chain(chain);
  if (known == Known::none) return 0.0;
  const auto sites = static_cast<double>(chain.lattice.sites());
  const double spins = known == Known::ising ? 0.125 : 4.0 * components_of(chain.model);
  return tile_labelling_bytes(chain.lattice) + sites * (spins + 0.125 * (1 + chain.lattice.dim));
}

}}  // namespace glassworks::cuda
