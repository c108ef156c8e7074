#pragma once

#include "tools/glassworks/run_course.hpp"

namespace glassworks {

/// `glassworks run` as one of several ranks: rank 0 opens the campaign, shows what goes on and gives the others work.
/// Returns the exit status, which is that of the run for rank 0 and 0 for the others.
int run_as_rank(const RunRequest& request);

}  // namespace glassworks
