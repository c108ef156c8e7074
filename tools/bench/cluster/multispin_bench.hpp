#pragma once

namespace glassworks::inline tools::bench {

/// Whole rounds of multi-spin coding on a device, held there: time per spin update, one line each. An exchange follows
/// every 10 sweeps and a measurement every 10 exchanges. scale: divides the numbers of realizations
void time_multispin_rounds(int scale);

}  // namespace glassworks::inline tools::bench
