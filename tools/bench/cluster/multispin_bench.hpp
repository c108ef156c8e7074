#pragma once

#include <string>

namespace glassworks { inline namespace tools { namespace bench {

/// Whole rounds of multi-spin coding on a device, held there: time per spin update, one line each. An exchange follows
/// every 10 sweeps and a measurement every 10 exchanges. scale: divides the numbers of realizations;
/// only_L: this size of `dim` dimensions alone, if not 0; kernel: as tests prescribe it (DeviceMultispinRounds)
void time_multispin_rounds(int scale, int only_L = 0, int dim = 3, const std::string& kernel = {});
/// The same on random regular graphs, one for all realizations.
void time_multispin_graphs(int scale);

}}}  // namespace glassworks::tools::bench
