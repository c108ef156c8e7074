#pragma once

#include <functional>
#include <memory>
#include <span>

#include "kernels/rounds/replicas.hpp"

namespace glassworks { inline namespace rounds {

/// Makes the replicas of a task; called by member 0 of the team that will run it.
using MakeReplicas = std::function<std::unique_ptr<Replicas>(const RoundTask& task, Team& team)>;

/// One round of every task of a batch, on the processor, for every model: `exchanges_per_measurement` times updates and
/// an exchange, then a measurement, `measurements` times. The only place that says so outside the device code.
RoundOutcome run_rounds(const Chain& chain, std::span<const RoundTask> batch, RoundControl& control, int threads,
                        const MakeReplicas& make);

}}  // namespace glassworks::rounds
