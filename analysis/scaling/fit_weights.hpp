#pragma once

#include <Eigen/Core>

#include "analysis/scaling/scaling_curve.hpp"

namespace glassworks { inline namespace analysis {

enum class Weighting {
  uncorrelated,  ///< chi^2 = sum (y - f)^2/sigma^2; not chi^2 distributed; expected value and p value account for it
  correlated     ///< chi^2 = (y - f)^T C^{-1} (y - f)
};

/// What a fit does with the points of one size: chi^2 = |root (y - f)|^2.
///
/// Correlated: C is estimated from n samples (blocks of realizations), so its inverse is noisy. With n >= 4 points the
/// plain inverse is used and chi^2 is multiplied with (n - points - 2)/(n - 1), which makes it unbiased [1]; with fewer
/// samples the correlation matrix is shrunk towards the unit matrix with the intensity of least expected error [2] and
/// chi^2 is not corrected. Eigenvalues of the correlation matrix below 1e-4 of the largest are raised to this: such
/// combinations of points are known better than any truncated scaling function describes them.
/// Sources: [1] Hartlap, Simon & Schneider, A&A 464, 399 (2007). [2] Schaefer & Strimmer, Stat. Appl. Genet. Mol. Biol.
/// 4, 32 (2005).
struct FitWeights {
  Eigen::MatrixXd root;      ///< (point, point)
  Eigen::MatrixXd noise;     ///< (point, point), root C root^T
  double chi2_factor = 1.0;  ///< of Hartlap et al.
  double shrinkage = 0.0;    ///< intensity; 0: plain
  Eigen::Index raised = 0;   ///< eigenvalues that were raised
  double freedom = 0.0;      ///< n - points, of the estimated inverse; 0 if it is not one (no correction needed)
};

/// Throws std::invalid_argument if a point has no error bar or one of 0.
[[nodiscard]] FitWeights fit_weights(const ScalingCurve& curve, Weighting weighting);

/// Probability that sum_k lambda_k z_k^2, z_k standard normal, exceeds chi2: the p value of any weighted fit, lambda
/// the eigenvalues of (1 - H) root C root^T (1 - H), H the projector on the derivatives of the model. All lambda = 1 is
/// the chi^2 distribution. Three moments are matched by a chi^2 distribution. `freedom` > 4: lambda from a covariance
/// matrix that was inverted; the variance is that of Hotelling's T^2 instead. Sources: Bruno & Sommer, Comput. Phys.
/// Commun. 285, 108643 (2023); Buckley & Eagleson, Aust. J. Stat. 30A, 150 (1988).
[[nodiscard]] double goodness_of_fit(double chi2, const Eigen::VectorXd& lambda, double freedom);

}}  // namespace glassworks::analysis
