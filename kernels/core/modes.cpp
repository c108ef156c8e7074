#include "kernels/core/modes.hpp"

namespace glassworks { inline namespace core {
namespace {

/// cos and sin of 2 pi j / n for an angle in [0, pi/4], by their Taylor series (12 terms: error far below one ulp).
struct Point {
  double cosine, sine;
};

Point first_octant(int j, int n) {
  constexpr double two_pi = 6.283185307179586476925286766559;
  const double angle = two_pi * j / n;
  const double square = angle * angle;
  double cosine = 1.0, sine = 1.0;
  for (int k = 12; k >= 1; --k) {
    cosine = 1.0 - square / ((2.0 * k - 1.0) * (2.0 * k)) * cosine;
    sine = 1.0 - square / ((2.0 * k) * (2.0 * k + 1.0)) * sine;
  }
  return {cosine, sine * angle};
}

/// Reduces by the symmetries of the circle, so that cos(pi/2) = 0 and the like hold exactly.
Point on_circle(int j, int n) {
  if (2 * j > n) {
    const Point p = on_circle(n - j, n);
    return {p.cosine, -p.sine};
  }
  if (4 * j > n) {  // pi - angle = 2 pi (n - 2 j) / (2 n)
    const Point p = on_circle(n - 2 * j, 2 * n);
    return {-p.cosine, p.sine};
  }
  if (8 * j > n) {  // pi/2 - angle = 2 pi (n - 4 j) / (4 n)
    const Point p = first_octant(n - 4 * j, 4 * n);
    return {p.sine, p.cosine};
  }
  return first_octant(j, n);
}

}  // namespace

PhaseTable::PhaseTable(int n) {
  for (int j = 0; j < n; ++j) {
    const Point p = on_circle(j, n);
    cosine.push_back(p.cosine);
    sine.push_back(p.sine);
  }
}

std::vector<double> PhaseTable::joined() const {
  std::vector<double> both = cosine;
  both.insert(both.end(), sine.begin(), sine.end());
  return both;
}

}}  // namespace glassworks::core
