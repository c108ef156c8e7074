#pragma once

namespace glassworks { inline namespace tools { namespace bench {

/// Swendsen-Wang updates of Ising lattices at beta_c, sizes divided by `scale`: JSON lines.
void update_ising_lattices(int scale);
/// Embedded updates of vectors at their critical points, 28^4 with n = 4 and 128^3 with n = 3.
void update_vector_lattices();

}}}  // namespace glassworks::tools::bench
