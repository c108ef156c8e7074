#pragma once

#include "kernels/make_backend.hpp"
#include "scheduler/campaign/campaign.hpp"
#include "scheduler/campaign/run_observer.hpp"

namespace glassworks { inline namespace scheduler {

/// Adapts and freezes every ladder of the campaign that is not frozen yet (ladder.adapt): rounds of the pilots,
/// realizations 0 .. pilots - 1 of each size, whose states go on from stage to stage. Stages are stored one by one, so
/// that a kill costs the running one. The result is a pure function of configuration and seed: the pilots start anew
/// with the frozen ladder, like all other realizations. Waits while another worker adapts.
///
/// worker    id of this process in the database
/// observer  is told of each stage (ladder), and of stages that are simulated again (note)
/// returns false if `control` asked to stop
/// Throws LeaseLost if the worker has been removed from the database: what is stored stays and is continued by others.
bool adapt_ladders(Campaign& campaign, std::int64_t worker, Backend& backend, RoundControl& control,
                   const RunObserver& observer);

}}  // namespace glassworks::scheduler
