#pragma once

#include <cstdint>
#include <vector>

#include "kernels/cpu/lanes/cpu_bundle.hpp"
#include "kernels/cpu/lanes/cpu_measurement.hpp"
#include "kernels/rounds/replicas.hpp"

namespace glassworks { inline namespace cpu {

/// The replicas of one realization in bundles of lanes. Bundles and groups of slots are shared out to the members.
class LaneReplicas final : public Replicas {
 public:
  LaneReplicas(const Chain& chain, const RoundTask& task, const SweepPlan& plan, int team_size);

  void step(const ChainState& state, bool observe, int member, Team& team) override;
  [[nodiscard]] std::span<const std::int64_t> energies() override { return energy_; }
  void measure(int m, const ChainState& state, RoundRecord& record, int member, Team& team) override;
  void store(ChainState& state) override;

 private:
  const Chain& chain_;
  SweepPlan plan_;
  std::vector<CpuBundle> bundles_;
  std::vector<CpuMeasurement> measurements_;  ///< [member]
  std::vector<std::int64_t> energy_;          ///< [replica]
  std::vector<int> replica_at_;               ///< [copy][slot]
};

}}  // namespace glassworks::cpu
