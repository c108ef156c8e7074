#include <array>
#include <numbers>

#include "tests/physics/corner_fixture.hpp"

/// Chirality of triangles against quadratures.
///
/// Every comparison fails by chance with probability 6.3e-5 (4 sigma, Student's t for the number of realizations).
namespace glassworks::testing { namespace {

class StatisticsOfTriangles : public StatisticsOfCorners {
 protected:
  using Keys = std::vector<std::string>;
};

/// <kappa^2> of a triangle of XY or Heisenberg spins with couplings J of 0-1, 1-2 and 2-0, and <chi^2> of the chirality
/// that overlaps are formed of; midpoints in the angles and, of
/// Heisenberg spins, in the cosines: their error is below 1e-3.
struct ExactTriangle {
  double square = 0.0, chirality_2 = 0.0, chirality_4 = 0.0;
};
ExactTriangle exact_triangle(int n, const std::array<double, 3>& J, double beta) {
  constexpr int steps = 40;
  ExactTriangle exact;
  double Z = 0.0;
  // Spin 0 along x, spin 1 in the plane of x and y at an angle, spin 2 anywhere.
  const auto add = [&](double weight, double along_1, double across_1, const std::array<double, 3>& s) {
    const double J_01 = J[0] > 0.0 ? -1.0 : 1.0, J_12 = J[1] > 0.0 ? -1.0 : 1.0, J_20 = J[2] > 0.0 ? -1.0 : 1.0;
    const std::array<double, 3> of_01{0.0, 0.0, across_1}, of_20{0.0, s[2], -s[1]};
    const std::array<double, 3> of_12{across_1 * s[2], -along_1 * s[2], along_1 * s[1] - across_1 * s[0]};
    double square = 0.0, last = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
      last = J_01 * of_01[k] + J_12 * of_12[k] + J_20 * of_20[k];
      square += 4.0 / 27.0 * last * last;
    }
    const double chi_2 = n == 2 ? square : across_1 * s[2] * across_1 * s[2];
    const double w =
        weight * std::exp(beta * (J[0] * along_1 + J[1] * (along_1 * s[0] + across_1 * s[1]) + J[2] * s[0]));
    Z += w;
    exact.square += w * square;
    exact.chirality_2 += w * chi_2;
    exact.chirality_4 += w * chi_2 * chi_2;
  };
  constexpr double pi = std::numbers::pi;
  for (int i = 0; i < steps; ++i) {
    for (int j = 0; j < steps; ++j) {
      if (n == 2) {
        const double a = 2.0 * pi * i / steps, b = 2.0 * pi * j / steps;
        add(1.0, std::cos(a), std::sin(a), {std::cos(b), std::sin(b), 0.0});
        continue;
      }
      const double u = -1.0 + (2.0 * i + 1.0) / steps, v = -1.0 + (2.0 * j + 1.0) / steps;
      for (int k = 0; k < steps; ++k) {
        const double r = std::sqrt(1.0 - v * v), angle = 2.0 * pi * (k + 0.5) / steps;
        add(1.0, u, std::sqrt(1.0 - u * u), {v, r * std::cos(angle), r * std::sin(angle)});
      }
    }
  }
  exact.square /= Z;
  exact.chirality_2 /= Z;
  exact.chirality_4 /= Z;
  return exact;
}

/// The overlap of the chiralities of two copies of a triangle is their product over N = 3, so that its squared mean is
/// that of two independent copies.
TEST_F(StatisticsOfTriangles, ChiralityOfATriangle) {
  const std::array<double, 3> J = {-1.0, -1.5, -0.75};  // 0-1, 1-2, 2-0
  for (const int n : {2, 3}) {
    for (const char* update : {"protocol.kind=local", "protocol.kind=wolff"}) {
      const Simulated s = simulate(load({"model.type=on", fmt::format("model.n={}", n), "model.lattice=graph",
                                         "model.graph=" + write("edges.txt", "0 1 -1\n1 2 -1.5\n0 2 -0.75\n").string(),
                                         "ladder.temperatures=0.3, 1", "protocol.heatbath=4", "round.measurements=100",
                                         "round.observables=triangle_chirality", "replicas.copies=2", update}));
      for (int slot = 0; slot < 2; ++slot) {
        const ExactTriangle exact =
            exact_triangle(n, J, static_cast<double>(s.chain.beta[static_cast<std::size_t>(slot)]));
        const auto expect = [&](const char* name, double value, double rounding) {
          const std::size_t at = place_of(s.chain, name);
          expect_zero(
              s, slot, [&](const std::vector<double>& x, std::uint32_t) { return x[at] - value; }, rounding,
              fmt::format("{}, n = {}, {}", name, n, update));
        };
        expect("triangle_chirality_2", exact.square, n == 2 ? 1e-6 : 5e-4);
        expect("chiral_zero", exact.chirality_2 * exact.chirality_2 / 9.0, n == 2 ? 1e-6 : 1e-5);
        expect("chiral_4", exact.chirality_4 * exact.chirality_4 / 81.0, n == 2 ? 1e-6 : 1e-7);
      }
    }
  }
  EXPECT_EQ(converged_, 4);
}

}}  // namespace glassworks::testing
