#pragma once

#include "analysis/report/figure.hpp"

namespace glassworks::testing {

/// A document with everything that a report may hold: every style of series, logarithmic axes, guides, huge, tiny and
/// missing numbers, no points, one point, 5000 points, hostile names. The curves look like those of a spin glass; the
/// numbers are made up.
[[nodiscard]] Document demo_document();

/// As many figures, each with a band of 300 temperatures and 64 points for each of four sizes: 60 of them are 5 MB.
[[nodiscard]] Document large_document(int figures);

}  // namespace glassworks::testing
