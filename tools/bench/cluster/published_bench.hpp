#pragma once

namespace glassworks { inline namespace tools { namespace bench {

/// Labelling in every line of Table 1 of Weigel, PRE 84, 036709 (2011): bonds of Swendsen-Wang updates of the q-state
/// Potts model on the square lattice in equilibrium, every method of the square lattice. `scale` divides the edges.
void label_weigel_table(int scale);

/// Labelling in every point of Figures 7 and 10 of Komura, arXiv:1603.08357 (2016): honeycomb, triangular
/// and Bethe lattices at 0.5, 1 and 1.5 p_c.
void label_komura_figures(int scale);

}}}  // namespace glassworks::tools::bench
