#pragma once

#include <vector>

#include "analysis/field/small_k.hpp"
#include "analysis/field/wave_vectors.hpp"
#include "engine/config/config.hpp"

namespace glassworks { inline namespace analysis {

/// Everything about one size in a field, against the temperatures of its ladder.
struct FieldCurves {
  int L = 0;
  /// Those of wave_vectors(dim) that are measured: of heisenberg all, of the other models those along the axes.
  std::vector<WaveVectors> wave_vectors;
  /// Connected chi_SG(k) = N (chi_1 - 2 chi_2 + chi_3), averaged over equal wave vectors [place in wave_vectors].
  /// Normalization of four copies: without field the two-copy chi_SG divided by the components of a spin.
  /// Source: Yavors'kii & Weigel, Eur. Phys. J. Spec. Top. 210, 159 (2012), eq. (10).
  std::vector<Curve> chi;
  Curve chi_1, chi_2, chi_3;  ///< N times the three terms at k = 0
  Curve xi_over_L;            ///< second moment, from chi(0) and chi(k_min)
  /// The same of the chirality, with k_min along its axis and across; without curves where it is not measured.
  Curve chi_chiral, xi_chiral_over_L, xi_chiral_perp_over_L;
  SmallKFit small_k;  ///< from all wave vectors but k = 0
  /// R_12 = chi(k_1)/chi(k_2), k_1 = k_min, k_2 = (1,1,0), or 2 k_min where that is not measured: free of k = 0, and of
  /// size 1 without correlations. Source: Banos et al. (Janus collaboration), PNAS 109, 6452 (2012).
  Curve r_12;
  Curve overlap;                    ///< [q]
  Curve magnetization;              ///< sqrt([m^2])
  Curve identity_difference;        ///< IdentityColumns: 0 in equilibrium; empty where there is none
  Curve field_identity_difference;  ///< -(1/N) [sum H.s] + beta h^2 (1 - [q]); of heisenberg in a gaussian field
};

/// Needs the stored columns of four copies (analysis/basics/columns.hpp) in the ensemble; throws std::runtime_error
/// with one sentence where they are missing.
[[nodiscard]] FieldCurves make_field_curves(const Config& config, const Ensemble& ensemble,
                                            const ResampledAverages& averages);

}}  // namespace glassworks::analysis
