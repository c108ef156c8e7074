#pragma once

namespace glassworks { inline namespace tools { namespace bench {

/// Whole rounds of multi-spin coding on a device, held there: time per spin update, one line each. An exchange follows
/// every 10 sweeps and a measurement every 10 exchanges. scale: divides the numbers of realizations;
/// only_L: of three dimensions this size alone, if not 0
void time_multispin_rounds(int scale, int only_L);
/// The same on random regular graphs, one for all realizations.
void time_multispin_graphs(int scale);

}}}  // namespace glassworks::tools::bench
