#pragma once

#include <span>

#include "analysis/export/hdf5_file.hpp"
#include "analysis/export/snapshot.hpp"

namespace glassworks { inline namespace analysis {

/// The raw bins of a realization as arrays over its rounds, to the bit as the database holds them:
///
///     means [round][slot][observable], exchange_attempts, exchange_accepted [round][pair], walk_up, walk_down
///     [round][slot], walk_mean [round][replica][function], round_trips [round][replica], measurements, seconds,
///     provenance [round], and samples [round][slot][sample][quantity] where the campaign takes some
///
/// and its row of the database as attributes. replica = copy * slots + k.
void write_bins(Hdf5Group& group, const ExportedRealization& realization, std::span<const RoundRow> rounds);

}}  // namespace glassworks::analysis
