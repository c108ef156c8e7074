#include "kernels/cpu/cpu_backend.hpp"

#include <unistd.h>

#include <optional>

#include "kernels/cpu/lanes/lane_replicas.hpp"
#include "kernels/cpu/lanes/lane_vector_replicas.hpp"
#include "kernels/cpu/multispin/multispin_bundle.hpp"
#include "kernels/cpu/multispin/multispin_round.hpp"
#include "kernels/cpu/round_need.hpp"
#include "kernels/cpu/rows/fast_cluster_replica.hpp"
#include "kernels/rounds/cluster_checks.hpp"
#include "kernels/rounds/cluster_replicas.hpp"
#include "kernels/rounds/round_driver.hpp"

namespace glassworks { inline namespace cpu {
namespace {

/// Fewer replicas than this are moved faster row by row: lanes without a replica are work for nothing.
constexpr int least_lane_replicas = 4;

/// Whether vectors over replicas, and not along rows, make the updates of models other than heisenberg.
bool uses_lanes(const Chain& chain) {
  return chain.has_vector_sweeps_only() && (chain.protocol.tile != 0 || chain.replicas() >= least_lane_replicas);
}

/// Whether the vector kernels know the lattice and the model; the plain code makes the others.
bool has_vector_kernels(const Chain& chain) {
  const Lattice& lattice = chain.lattice;
  const SpinModel& model = chain.model;
  if (!lattice.is_hypercubic() || components_of(model) > most_kernel_components || model.anisotropic) return false;
  if (measures_tensors(model)) return lattice.is_cube();
  if (lattice.is_cube() && !model.diluted) return true;
  return has_paired_rows(lattice) && uses_lanes(chain);
}

/// Whether the loops of multi-spin coding make the sweeps; the plain code makes those that they do not know.
bool is_multispin(const Chain& chain) {
  return chain.protocol.multispin != MultispinRule::off && has_multispin_loops(chain);
}

class CpuBackend final : public HostBackend {
 public:
  CpuBackend(InstructionSet isa, int threads, std::unique_ptr<Backend> plain)
      : isa_(isa), threads_(threads), plain_(std::move(plain)) {}

  RoundOutcome run_round(const Chain& chain, std::span<const RoundTask> batch, RoundControl& control) override;

  [[nodiscard]] std::string description() const override {
    return std::string("cpu (") + to_string(isa_) + ", " + std::to_string(threads_) +
           (threads_ == 1 ? " thread)" : " threads)");
  }

  [[nodiscard]] int preferred_batch(const Chain& chain) const override {
    return is_multispin(chain) ? multispin_lanes : 0;
  }

  [[nodiscard]] MemoryNeed round_need(const Chain& chain, double disorder) const override;

  [[nodiscard]] std::string kernel_description(const Chain& chain) const override {
    if (is_multispin(chain)) return "multi-spin coding, 512 realizations together";
    if (has_vector_kernels(chain)) return "";
    const char* const vectors = chain.model.anisotropic          ? "models without anisotropy"
                                : !chain.lattice.is_hypercubic() ? "the hypercubic lattice"
                                : chain.model.diluted && components_of(chain.model) <= most_kernel_components
                                    ? "local sweeps of four replicas or more where sites are absent"
                                : !chain.lattice.is_cube()
                                    ? "cubes, and for local sweeps of shapes with even lengths along x and y"
                                    : "up to 4 components";
    return std::string("plain (one site at a time: vectors are for ") + vectors + ")";
  }

 private:
  RoundOutcome run_lanes(const Chain& chain, std::span<const RoundTask> batch, RoundControl& control) const;
  RoundOutcome run_rows(const Chain& chain, std::span<const RoundTask> batch, RoundControl& control) const;

  InstructionSet isa_;
  int threads_;
  std::unique_ptr<Backend> plain_;  ///< for what the vector kernels do not know
};

RoundOutcome CpuBackend::run_round(const Chain& chain, std::span<const RoundTask> batch, RoundControl& control) {
  require_philox(chain);
  if (!has_vector_kernels(chain)) return plain_->run_round(chain, batch, control);
  if (measures_tensors(chain.model)) return run_lanes(chain, batch, control);
  check_cluster_batch(chain, batch);
  if (is_multispin(chain)) return run_multispin(chain, batch, control, isa_, threads_);
  if (chain.protocol.multispin != MultispinRule::off) return plain_->run_round(chain, batch, control);
  return uses_lanes(chain) ? run_lanes(chain, batch, control) : run_rows(chain, batch, control);
}

/// Vectors over replicas.
RoundOutcome CpuBackend::run_lanes(const Chain& chain, std::span<const RoundTask> batch, RoundControl& control) const {
  const CpuLattice lattice(chain.lattice);
  std::optional<CpuTiles> tiles;
  const int tile = chain.protocol.tile;
  if (tile != 0 && tile != chain.lattice.L) tiles.emplace(chain.lattice, tile);
  const SweepPlan plan{&kernels_of(isa_), &lattice, tiles ? &*tiles : nullptr,
                       choose_wavefront_depth(chain.lattice, second_level_cache_bytes(), components_of(chain.model))};
  const bool heisenberg = measures_tensors(chain.model);
  return run_rounds(chain, batch, control, threads_,
                    [&](const RoundTask& task, Team& team) -> std::unique_ptr<Replicas> {
                      if (heisenberg) return std::make_unique<LaneReplicas>(chain, task, plan, team.size);
                      return make_lane_vector_replicas(chain, task, plan, isa_, team);
                    });
}

/// Vectors along the rows of a replica.
RoundOutcome CpuBackend::run_rows(const Chain& chain, std::span<const RoundTask> batch, RoundControl& control) const {
  const auto make = [this](const ClusterSystem& system, const ChainState& state, int members) {
    const auto shared = std::make_shared<const FastClusterSystem>(system);
    std::vector<std::unique_ptr<ClusterReplica>> replicas;
    for (int r = 0; r < system.chain.replicas(); ++r) {
      replicas.push_back(make_fast_cluster_replica(shared, isa_, r, state, members));
    }
    return replicas;
  };
  return run_rounds(chain, batch, control, threads_,
                    [&](const RoundTask& task, Team& team) { return make_cluster_replicas(chain, task, team, make); });
}

MemoryNeed CpuBackend::round_need(const Chain& chain, double disorder) const {
  if (!has_vector_kernels(chain)) return plain_->round_need(chain, disorder);
  if (measures_tensors(chain.model)) return lane_need(chain, 0.0, threads_);
  if (is_multispin(chain)) return multispin_need(chain);
  if (chain.protocol.multispin != MultispinRule::off) return plain_->round_need(chain, disorder);
  return uses_lanes(chain) ? lane_need(chain, disorder, threads_) : row_need(chain, disorder, threads_);
}

}  // namespace

std::int64_t second_level_cache_bytes() {
#if defined(_SC_LEVEL2_CACHE_SIZE)
  const long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
  if (bytes > 0) return bytes;
#endif
  return 1 << 20;
}

const KernelTable& kernels_of(InstructionSet isa) {
#if defined(__x86_64__)
  if (isa == InstructionSet::avx512) return avx512_kernels();
  if (isa == InstructionSet::avx2) return avx2_kernels();
#endif
  (void)isa;
  return portable_kernels();
}

std::unique_ptr<Backend> make_cpu_backend(InstructionSet isa, int threads, std::unique_ptr<Backend> plain) {
  return std::make_unique<CpuBackend>(isa, threads, std::move(plain));
}

}}  // namespace glassworks::cpu
