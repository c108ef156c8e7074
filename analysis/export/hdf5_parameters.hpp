#pragma once

#include <string>

#include "analysis/export/hdf5_file.hpp"

namespace glassworks { inline namespace analysis {

/// Every key of a canonical configuration text as a scalar data set "section.key": whole numbers as uint64, other
/// numbers as float64, the rest as text. Keys without a value are left out.
void write_parameters(Hdf5Group& group, const std::string& config_text);

}}  // namespace glassworks::analysis
