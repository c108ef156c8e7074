#pragma once

namespace glassworks::bench {

/// Swendsen-Wang updates of Ising lattices at beta_c, sizes divided by `scale`: JSON lines.
void update_ising_lattices(int scale);

}  // namespace glassworks::bench
