#include "kernels/cpu/cpu_backend.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <optional>
#include <thread>
#include <vector>

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

/// Threads are shared out in teams: one realization per team at a time, the next one from a common queue.
RoundOutcome CpuBackend::run_round(const Chain& chain, std::span<const RoundTask> batch, RoundControl& control) {
  if (batch.empty()) return RoundOutcome::finished;
  const CpuLattice lattice(chain.lattice);
  std::optional<CpuTiles> tiles;
  const int tile = chain.protocol.tile;
  if (tile != 0 && tile != chain.lattice.L) tiles.emplace(chain.lattice, tile);
  const SweepPlan plan{&kernels_of(isa_), &lattice, tiles ? &*tiles : nullptr,
                       choose_wavefront_depth(chain.lattice, second_level_cache_bytes())};

  const int team_count = std::min(threads_, static_cast<int>(batch.size()));
  std::deque<CpuTeam> teams;
  for (int t = 0; t < team_count; ++t) teams.emplace_back(threads_ / team_count + (t < threads_ % team_count ? 1 : 0));

  std::vector<std::optional<CpuRound>> rounds(batch.size());
  std::vector<std::size_t> current(teams.size());
  std::atomic<std::size_t> next{0}, finished{0};
  const auto work = [&](std::size_t t, int member) {
    CpuTeam& team = teams[t];
    while (true) {
      if (member == 0) {
        current[t] = next.fetch_add(1);
        if (current[t] < batch.size()) rounds[current[t]].emplace(chain, batch[current[t]], plan, team.size);
      }
      if (team.size > 1) team.barrier.arrive_and_wait();
      const std::size_t task = current[t];
      if (task >= batch.size() || rounds[task]->run(member, team, control) == RoundOutcome::abandoned) return;
      if (member == 0) ++finished;
    }
  };
  {
    std::vector<std::jthread> helpers;
    for (std::size_t t = 0; t < teams.size(); ++t) {
      for (int member = 0; member < teams[t].size; ++member) {
        if (t > 0 || member > 0) helpers.emplace_back(work, t, member);
      }
    }
    work(0, 0);
  }
  if (finished != batch.size()) return RoundOutcome::abandoned;
  for (auto& round : rounds) round->store();
  return RoundOutcome::finished;
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
