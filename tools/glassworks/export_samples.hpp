#pragma once

#include <filesystem>
#include <functional>

#include "analysis/export/series_files.hpp"
#include "analysis/export/staging.hpp"
#include "db/database.hpp"

namespace glassworks { inline namespace tools {

/// Called after each realization; throwing gives up.
using SampleProgress = std::function<void(int L, int done, int total)>;

/// Writes couplings/L008-r000012.txt for every realization of a campaign: lines `site axis J`, which
/// model.couplings = files reads.
void export_couplings(const Database& database, const RealizationChoice& choice, Staging& staging,
                      const SampleProgress& progress);

/// Writes spins/L008-r000012.txt for every realization that has a checkpoint: lines `slot copy site s`, s the
/// components of the vector, the number of a discrete spin (+-1, the state of potts); slot 0 is the coldest.
void export_spins(const Database& database, const RealizationChoice& choice, Staging& staging,
                  const SampleProgress& progress);

}}  // namespace glassworks::tools
