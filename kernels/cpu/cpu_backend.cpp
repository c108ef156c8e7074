#include "kernels/cpu/cpu_backend.hpp"

#include <unistd.h>

#include <optional>

#include "kernels/cluster/cluster_round.hpp"
#include "kernels/cpu/cpu_round.hpp"

namespace glassworks {
namespace {

class CpuBackend final : public Backend {
 public:
  CpuBackend(InstructionSet isa, int threads) : isa_(isa), threads_(threads) {}

  RoundOutcome run_round(const Chain& chain, std::span<const RoundTask> batch, RoundControl& control) override;

  [[nodiscard]] std::string description() const override {
    return std::string("cpu (") + to_string(isa_) + ", " + std::to_string(threads_) +
           (threads_ == 1 ? " thread)" : " threads)");
  }

 private:
  InstructionSet isa_;
  int threads_;
};

RoundOutcome CpuBackend::run_round(const Chain& chain, std::span<const RoundTask> batch, RoundControl& control) {
  if (chain.model.kind != ModelKind::heisenberg) return run_cluster_round(chain, batch, control, threads_, isa_);
  const CpuLattice lattice(chain.lattice);
  std::optional<CpuTiles> tiles;
  const int tile = chain.protocol.tile;
  if (tile != 0 && tile != chain.lattice.L) tiles.emplace(chain.lattice, tile);
  const SweepPlan plan{&kernels_of(isa_), &lattice, tiles ? &*tiles : nullptr,
                       choose_wavefront_depth(chain.lattice, second_level_cache_bytes())};
  return run_in_teams<CpuRound>(batch.size(), threads_, control,
                                [&](std::optional<CpuRound>& round, std::size_t task, const CpuTeam& team) {
                                  round.emplace(chain, batch[task], plan, team.size);
                                });
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

std::unique_ptr<Backend> make_cpu_backend(InstructionSet isa, int threads) {
  return std::make_unique<CpuBackend>(isa, threads);
}

}  // namespace glassworks
