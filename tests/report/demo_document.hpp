#pragma once

#include "analysis/report/figure.hpp"

namespace glassworks::testing {

/// A document with everything that a report may hold: every style of series, logarithmic axes, guides, huge, tiny and
/// missing numbers, no points, one point, 5000 points, hostile names. The curves look like those of a spin glass; the
/// numbers are made up.
[[nodiscard]] Document demo_document();

/// Figures of one point series with as many points each, for measuring times.
[[nodiscard]] Document large_document(int figures, int points);

}  // namespace glassworks::testing
