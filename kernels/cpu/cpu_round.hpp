#pragma once

#include <cstdint>
#include <vector>

#include "kernels/backend.hpp"
#include "kernels/cpu/cpu_bundle.hpp"
#include "kernels/cpu/cpu_measurement.hpp"
#include "kernels/cpu/team.hpp"

namespace glassworks {

/// One round of one realization, run by a team: bundles and slot groups are shared out, exchanges are done by member 0.
class CpuRound {
 public:
  CpuRound(const Chain& chain, const RoundTask& task, const SweepPlan& plan, int team_size);

  /// Called by every member with its own index; all return the same outcome.
  RoundOutcome run(int member, CpuTeam& team, RoundControl& control);
  /// Hands state and record to the task. After all rounds of the batch are finished.
  void store();

 private:
  void step(int member, CpuTeam& team);
  void measure(int m, int member, CpuTeam& team);

  const Chain& chain_;
  const RoundTask& task_;
  SweepPlan plan_;
  ChainState state_;  ///< without spins: those are in the bundles
  std::vector<CpuBundle> bundles_;
  std::vector<CpuMeasurement> measurements_;  ///< [member]
  RoundRecord record_;
  std::vector<std::int64_t> energy_;  ///< [replica]
  std::vector<int> replica_at_;       ///< [copy][slot]
  bool abandon_ = false;
};

}  // namespace glassworks
