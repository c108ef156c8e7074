#pragma once

#include "scheduler/ranks/launch.hpp"
#include "tools/glassworks/run_course.hpp"

namespace glassworks { inline namespace tools {

/// `glassworks run` as one of several ranks: rank 0 opens the campaign, shows what goes on and gives the others work.
/// Returns the exit status, which is that of the run for rank 0 and 0 for the others. Throws InputError if MPI and the
/// launcher disagree on the ranks.
int run_as_rank(const RunRequest& request, const Launch& launch);

}}  // namespace glassworks::tools
