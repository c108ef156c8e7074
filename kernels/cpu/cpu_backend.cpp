#include "kernels/cpu/cpu_backend.hpp"

#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

#include "kernels/cpu/lanes/lane_replicas.hpp"
#include "kernels/cpu/lanes/lane_vector_replicas.hpp"
#include "kernels/cpu/multispin/copy_round.hpp"
#include "kernels/cpu/multispin/multispin_bundle.hpp"
#include "kernels/cpu/multispin/multispin_round.hpp"
#include "kernels/cpu/neighbours/graph_replicas.hpp"
#include "kernels/cpu/neighbours/graph_table.hpp"
#include "kernels/cpu/pairs/spin_bits.hpp"
#include "kernels/cpu/round_need.hpp"
#include "kernels/cpu/rows/fast_cluster_replica.hpp"
#include "kernels/rounds/cluster_replicas.hpp"
#include "kernels/rounds/kernel_families.hpp"
#include "kernels/rounds/round_driver.hpp"

namespace glassworks { inline namespace cpu {
namespace {

/// The kernels that run the chain; plain if no family supports it.
KernelKind kernels_for(const Chain& chain) {
  const KernelFamily* const family = family_of(BackendKind::cpu, chain);
  return family == nullptr ? KernelKind::plain : family->kind;
}

/// Those with vector instructions.
std::vector<KernelFamily> vector_families() {
  std::vector<KernelFamily> families;
  std::ranges::copy_if(families_of(BackendKind::cpu), std::back_inserter(families),
                       [](const KernelFamily& family) { return family.kind != KernelKind::plain; });
  return families;
}

class CpuBackend final : public HostBackend {
 public:
  CpuBackend(InstructionSet isa, int threads, std::unique_ptr<Backend> plain)
      : isa_(isa), threads_(threads), plain_(std::move(plain)) {}

  RoundOutcome run_round(const Chain& chain, std::span<const RoundTask> batch, RoundControl& control) override;

  [[nodiscard]] std::unique_ptr<HeldBatch> hold(const Chain& chain, std::vector<HeldTask> tasks) override;

  [[nodiscard]] std::string refusal(const Chain& chain) const override { return refusal_of(BackendKind::cpu, chain); }

  [[nodiscard]] std::string description() const override {
    return std::string("cpu (") + to_string(isa_) + ", " + std::to_string(threads_) +
           (threads_ == 1 ? " thread)" : " threads)");
  }

  [[nodiscard]] int preferred_batch(const Chain& chain) const override {
    return kernels_for(chain) == KernelKind::bits ? multispin_lanes : 0;
  }

  [[nodiscard]] MemoryNeed round_need(const Chain& chain, double disorder) const override;

  [[nodiscard]] std::string kernel_description(const Chain& chain) const override {
    const KernelKind kernels = kernels_for(chain);
    if (kernels == KernelKind::bits) return "multi-spin coding, 512 realizations together";
    if (kernels == KernelKind::copies) return "words of copies, up to 512 together";
    if (kernels != KernelKind::plain) return "";
    return "plain (one site at a time: vector kernels do not support " +
           unsupported_part(vector_families(), needs_of(chain)).text + ")";
  }

 private:
  RoundOutcome run_lanes(const Chain& chain, std::span<const RoundTask> batch, RoundControl& control) const;
  RoundOutcome run_rows(const Chain& chain, std::span<const RoundTask> batch, RoundControl& control) const;
  [[nodiscard]] std::unique_ptr<Replicas> make_rows(const Chain& chain, const RoundTask& task, Team& team) const;

  InstructionSet isa_;
  int threads_;
  std::unique_ptr<Backend> plain_;  ///< for chains that the vector kernels do not support
};

RoundOutcome CpuBackend::run_round(const Chain& chain, std::span<const RoundTask> batch, RoundControl& control) {
  check_batch(BackendKind::cpu, chain, batch);
  switch (kernels_for(chain)) {
    case KernelKind::lanes:
      return run_lanes(chain, batch, control);
    case KernelKind::rows:
      return run_rows(chain, batch, control);
    case KernelKind::bits:
      if (!has_words(chain, batch)) break;
      return run_multispin(chain, batch, control, isa_, threads_);
    case KernelKind::copies:
      return run_copies(chain, batch, control, isa_, threads_);
    case KernelKind::plain:
    case KernelKind::steps:
    case KernelKind::cluster_tiles:
    case KernelKind::clusters:
      break;
  }
  return plain_->run_round(chain, batch, control);
}

std::unique_ptr<HeldBatch> CpuBackend::hold(const Chain& chain, std::vector<HeldTask> tasks) {
  if (kernels_for(chain) != KernelKind::copies) return HostBackend::hold(chain, std::move(tasks));
  return hold_copies(chain, std::move(tasks), isa_, threads_);
}

/// Vectors over replicas.
RoundOutcome CpuBackend::run_lanes(const Chain& chain, std::span<const RoundTask> batch, RoundControl& control) const {
  if (chain.lattice.is_graph()) {
    return run_rounds(chain, batch, control, threads_,
                      [&](const RoundTask& task, Team& team) { return make_graph_replicas(chain, task, isa_, team); });
  }
  const CpuLattice lattice(chain.lattice);
  std::optional<CpuTiles> tiles;
  const int tile = chain.protocol.tile;
  if (tile != 0 && tile != chain.lattice.L) tiles.emplace(chain.lattice, tile);
  const SweepPlan plan{&kernels_of(isa_), &lattice, tiles ? &*tiles : nullptr,
                       choose_wavefront_depth(chain.lattice, second_level_cache_bytes(), components_of(chain.model))};
  return run_rounds(chain, batch, control, threads_,
                    [&](const RoundTask& task, Team& team) -> std::unique_ptr<Replicas> {
                      if (has_cluster_replicas(chain)) return make_lane_vector_replicas(chain, task, plan, isa_, team);
                      return std::make_unique<LaneReplicas>(chain, task, plan, team.size);
                    });
}

/// Vectors along the rows of a replica.
std::unique_ptr<Replicas> CpuBackend::make_rows(const Chain& chain, const RoundTask& task, Team& team) const {
  std::shared_ptr<SpinBits> bits;
  AddOverlap overlap;
  if (chain.model.kind == ModelKind::ising && chain.copies > 1) {
    bits = std::make_shared<SpinBits>(chain, *task.disorder, isa_);
    overlap = bits->overlaps();  // the replicas keep them
  }
  const auto make = [&](const ClusterSystem& system, const ChainState& state, int members) {
    const auto shared = std::make_shared<const FastClusterSystem>(system);
    std::vector<std::unique_ptr<ClusterReplica>> replicas;
    for (int r = 0; r < system.chain.replicas(); ++r) {
      replicas.push_back(make_fast_cluster_replica(shared, isa_, r, state, members, bits));
    }
    return replicas;
  };
  return make_cluster_replicas(chain, task, team, make, overlap);
}
RoundOutcome CpuBackend::run_rows(const Chain& chain, std::span<const RoundTask> batch, RoundControl& control) const {
  return run_rounds(chain, batch, control, threads_,
                    [&](const RoundTask& task, Team& team) { return make_rows(chain, task, team); });
}

MemoryNeed CpuBackend::round_need(const Chain& chain, double disorder) const {
  switch (kernels_for(chain)) {
    case KernelKind::lanes:
      return lane_need(chain, disorder, threads_);
    case KernelKind::rows:
      return row_need(chain, disorder);
    case KernelKind::bits:
      return multispin_need(chain);
    case KernelKind::copies:
      return copy_need(chain, threads_);
    case KernelKind::plain:
    case KernelKind::steps:
    case KernelKind::cluster_tiles:
    case KernelKind::clusters:
      break;
  }
  return plain_->round_need(chain, disorder);
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

const GraphTable& graph_kernels(InstructionSet isa, const SpinModel& model) {
#if defined(__x86_64__)
  if (isa == InstructionSet::avx512) return *avx512_graph_kernels(model);
  if (isa == InstructionSet::avx2) return *avx2_graph_kernels(model);
#endif
  (void)isa;
  return *portable_graph_kernels(model);
}

std::unique_ptr<Backend> make_cpu_backend(InstructionSet isa, int threads, std::unique_ptr<Backend> plain) {
  return std::make_unique<CpuBackend>(isa, threads, std::move(plain));
}

}}  // namespace glassworks::cpu
