#pragma once

namespace glassworks { inline namespace tools { namespace bench {

/// Whole Swendsen-Wang updates of q-state Potts models on the square lattice with their stages, for Figures 2, 6 and 8
/// to 14 and Table 1 of Weigel, PRE 84, 036709 (2011): every labelling and tile edge. `scale` divides the edges.
void time_weigel_figures(int scale);

/// Labelling in every point of Figures 7 and 10 of Komura, arXiv:1603.08357 (2016): honeycomb, triangular
/// and Bethe lattices at 0.5, 1 and 1.5 p_c.
void label_komura_figures(int scale);

}}}  // namespace glassworks::tools::bench
