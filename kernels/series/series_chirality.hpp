#pragma once

#include "kernels/series/field_rows.hpp"
#include "kernels/series/series_sums.hpp"

namespace glassworks { inline namespace series {

/// kappa of one orientation of all copies of a slot, rounded to 2^-14 [copy]: kappa of three sites along an axis, or
/// kappa/sqrt(2) of plaquettes, which is at most 1.
void fill_chirality(const SeriesInput& in, int slot, int mu, FieldRows& fields);

}}  // namespace glassworks::series
