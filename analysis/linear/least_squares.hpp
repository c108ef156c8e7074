#pragma once

#include <Eigen/Core>
#include <optional>

namespace glassworks { inline namespace analysis {

/// x of least |A x - b|^2, by QR decomposition with pivoting of the columns.
[[nodiscard]] Eigen::VectorXd least_squares(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);
/// The matrix whose product with b is this x.
[[nodiscard]] Eigen::MatrixXd pseudo_inverse(const Eigen::MatrixXd& A);

/// The same; nothing if the columns of A depend on each other: if a pivot is below `threshold` of the largest.
[[nodiscard]] std::optional<Eigen::MatrixXd> left_inverse(const Eigen::MatrixXd& A, double threshold);

/// Residuals r(p) and their derivatives dr/dp; false where they are not finite.
class Residuals {
 public:
  virtual ~Residuals() = default;
  [[nodiscard]] virtual Eigen::Index points() const = 0;
  [[nodiscard]] virtual bool values(const Eigen::VectorXd& p, Eigen::VectorXd& r) const = 0;
  [[nodiscard]] virtual bool derivatives(const Eigen::VectorXd& p, Eigen::MatrixXd& jacobian) const = 0;
};

/// Where |r(p)|^2 has the minimum that the Levenberg-Marquardt method finds from a start; not finite if it fails.
[[nodiscard]] Eigen::VectorXd minimize_squares(const Residuals& residuals, Eigen::VectorXd start);

}}  // namespace glassworks::analysis
