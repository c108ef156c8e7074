#pragma once

#include <Eigen/Core>

namespace glassworks { inline namespace analysis {

// Products and decompositions of matrices of any size. They are instantiated in matrices.cpp alone: each expression of
// Eigen that needs one of its own takes seconds to compile.

/// A B.
[[nodiscard]] Eigen::MatrixXd product(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);
/// A^T B.
[[nodiscard]] Eigen::MatrixXd transposed_product(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);
/// A C A^T: the covariance of A x if C is that of x.
[[nodiscard]] Eigen::MatrixXd propagated(const Eigen::MatrixXd& A, const Eigen::MatrixXd& C);

/// X with A X = B, A square, by LU decomposition with partial pivoting.
[[nodiscard]] Eigen::MatrixXd solve(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);

/// A = V diag(values) V^T of a symmetric matrix, of which the lower half is read.
struct SymmetricEigen {
  Eigen::VectorXd values;   ///< ascending
  Eigen::MatrixXd vectors;  ///< [component, eigenvalue]
};
[[nodiscard]] SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& A);
[[nodiscard]] Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& A);

/// A = L L^T of a symmetric matrix, of which the lower half is read.
class Cholesky {
 public:
  Cholesky() = default;
  explicit Cholesky(const Eigen::MatrixXd& A);

  /// Whether A is positive definite to rounding; nothing else holds if it is not.
  [[nodiscard]] bool positive() const { return positive_; }
  /// A^{-1} B.
  [[nodiscard]] Eigen::MatrixXd solve(const Eigen::MatrixXd& B) const;
  [[nodiscard]] Eigen::MatrixXd inverse() const { return solve(Eigen::MatrixXd::Identity(L_.rows(), L_.rows())); }
  /// L^{-1} B, whose covariance is the unit matrix if that of B is A.
  [[nodiscard]] Eigen::MatrixXd whitened(const Eigen::MatrixXd& B) const;
  /// ln det A.
  [[nodiscard]] double log_determinant() const { return 2.0 * L_.diagonal().array().log().sum(); }

 private:
  Eigen::MatrixXd L_;
  bool positive_ = false;
};

}}  // namespace glassworks::analysis
