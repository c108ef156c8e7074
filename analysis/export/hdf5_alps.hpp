#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "analysis/export/snapshot.hpp"

namespace glassworks { inline namespace analysis {

/// Place of an ALPS file within an export: pyalps.getResultFiles(prefix="L8") finds those of one size.
[[nodiscard]] std::string alps_file_name(int L, std::size_t slot);

/// Writes the disorder averages of one size at one temperature as an ALPS result file, as pyalps.loadMeasurements reads
/// it:
///
///     /parameters/L, T, beta, and every key of the configuration
///     /simulation/results/OBSERVABLE/count              realizations
///     .../mean/value, mean/error                        disorder average and its jackknife error
///     .../variance/value                                count error^2
///     .../jacknife/data  [1 + block]                    the average, then without each block of realizations
///     .../timeseries/data  [block]                      pseudovalues n x - (n - 1) x_block of n blocks
///     .../@cannotrebin                                  1: most observables are no linear function of averages
///
/// The jackknife of ALPS has the same formula, so pyalps finds the same errors and propagates them through formulas.
/// An observable of pairs of slots is left out at the last one. With one realization there is no jackknife data.
///
/// path  where it is written
/// name  what messages call it
void write_alps_file(const std::filesystem::path& path, const std::string& name, const std::string& config_text,
                     const ExportedSize& size, std::size_t slot);

}}  // namespace glassworks::analysis
