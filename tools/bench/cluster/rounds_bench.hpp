#pragma once

namespace glassworks::inline tools::bench {

/// Whole rounds of campaigns on a device, with what the host does: time per spin and sweep, one line each.
void time_cluster_rounds(int scale);

}  // namespace glassworks::inline tools::bench
