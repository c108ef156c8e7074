#pragma once

namespace glassworks { inline namespace tools { namespace bench {

/// Whole rounds of campaigns on a device, with what the host does: time per spin and sweep, one line each.
void time_cluster_rounds(int scale);
/// Rounds with a measurement after every step: what a measurement costs, with the update that it belongs to.
void time_cluster_measurements(int scale);

}}}  // namespace glassworks::tools::bench
