#include "analysis/linear/least_squares.hpp"

#include <Eigen/QR>
#include <unsupported/Eigen/LevenbergMarquardt>

namespace glassworks { inline namespace analysis {
namespace {

/// Residuals as Eigen's Levenberg-Marquardt wants them.
class Functor : public Eigen::DenseFunctor<double> {
 public:
  Functor(const Residuals& residuals, Eigen::Index parameters)
      : Eigen::DenseFunctor<double>(static_cast<int>(parameters), static_cast<int>(residuals.points())),
        residuals_(residuals) {}

  int operator()(const Eigen::VectorXd& p, Eigen::VectorXd& r) const { return residuals_.values(p, r) ? 0 : -1; }
  int df(const Eigen::VectorXd& p, Eigen::MatrixXd& jacobian) const {
    return residuals_.derivatives(p, jacobian) ? 0 : -1;
  }

 private:
  const Residuals& residuals_;
};

Eigen::MatrixXd inverse_of(const Eigen::ColPivHouseholderQR<Eigen::MatrixXd>& qr) {
  return qr.solve(Eigen::MatrixXd::Identity(qr.rows(), qr.rows()));
}

}  // namespace

Eigen::VectorXd least_squares(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
  return A.colPivHouseholderQr().solve(b);
}

Eigen::MatrixXd pseudo_inverse(const Eigen::MatrixXd& A) { return inverse_of(A.colPivHouseholderQr()); }

std::optional<Eigen::MatrixXd> left_inverse(const Eigen::MatrixXd& A, double threshold) {
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(A);
  qr.setThreshold(threshold);
  if (qr.rank() < A.cols()) return {};
  return inverse_of(qr);
}

Eigen::VectorXd minimize_squares(const Residuals& residuals, Eigen::VectorXd start) {
  Functor functor(residuals, start.size());
  Eigen::LevenbergMarquardt<Functor> solver(functor);
  solver.setXtol(1e-8);
  solver.setFtol(1e-13);
  solver.setMaxfev(150);
  solver.minimize(start);
  return start;
}

}}  // namespace glassworks::analysis
