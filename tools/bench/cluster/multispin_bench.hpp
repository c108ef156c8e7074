#pragma once

#include <string>

namespace glassworks { inline namespace tools { namespace bench {

/// One lattice to be timed alone.
struct MultispinRow {
  int L = 0, dim = 3;  ///< L = 0: all rows instead
  std::string kernel;  ///< as tests prescribe it (DeviceMultispinRounds)
  unsigned open = 0;   ///< axes with open ends, as bits
  float field = 0.0F;
};

/// Whole rounds of multi-spin coding on a device, held there: time per spin update, one line each. An exchange follows
/// every 10 sweeps and a measurement every 10 exchanges. scale: divides the numbers of realizations
void time_multispin_rounds(int scale, const MultispinRow& only = {});
/// The same on random regular graphs, one for all realizations.
void time_multispin_graphs(int scale);

}}}  // namespace glassworks::tools::bench
