#include "analysis/linear/matrices.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>

namespace glassworks { inline namespace analysis {

Eigen::MatrixXd product(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B) { return A * B; }

Eigen::MatrixXd transposed_product(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B) { return A.transpose() * B; }

Eigen::MatrixXd propagated(const Eigen::MatrixXd& A, const Eigen::MatrixXd& C) {
  return product(product(A, C), A.transpose());
}

Eigen::MatrixXd solve(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B) { return A.partialPivLu().solve(B); }

SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& A) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& A) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

Cholesky::Cholesky(const Eigen::MatrixXd& A) {
  const Eigen::LLT<Eigen::MatrixXd> decomposition(A);
  positive_ = decomposition.info() == Eigen::Success;
  L_ = decomposition.matrixLLT();
}

Eigen::MatrixXd Cholesky::solve(const Eigen::MatrixXd& B) const {
  return L_.transpose().triangularView<Eigen::Upper>().solve(whitened(B));
}

Eigen::MatrixXd Cholesky::whitened(const Eigen::MatrixXd& B) const {
  return L_.triangularView<Eigen::Lower>().solve(B);
}

}}  // namespace glassworks::analysis
