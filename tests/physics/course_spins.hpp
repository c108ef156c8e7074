#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <utility>
#include <vector>

#include "kernels/make_backend.hpp"
#include "tests/kernels/cluster/multispin_support.hpp"
#include "tests/kernels/series/course_runs.hpp"

/// What tests of single spins in courses share: short courses of one realization, and integrals over what a spin does.
namespace glassworks::testing {

/// Sum of what deviates from its expectation, in units of its error.
class Deviation {
 public:
  void add(double value, double mean, double variance) {
    sum_ += value - mean;
    variance_ += variance;
  }
  [[nodiscard]] double sigma() const { return sum_ / std::sqrt(variance_); }

 private:
  double sum_ = 0.0, variance_ = 0.0;
};

inline SpinModel vectors(int n) { return n == 3 ? SpinModel{} : test::on(n); }

inline Chain course_chain(const SpinModel& model, const Lattice& lattice, int copies, const std::vector<double>& T,
                          SiteRule rule) {
  std::vector<float> beta;
  for (const double one : T) beta.push_back(static_cast<float>(1.0 / one));
  Protocol p = test::protocol_of(ProtocolKind::local, 0, 1);
  p.exchange = ExchangeSchedule::none;
  p.local = rule;
  return test::cluster_chain(model, lattice, copies, beta, p, 1);
}

/// The states of one realization at times of a course.
inline std::vector<ChainState> states_at(Chain chain, Course course, const Disorder& disorder, ChainState start) {
  chain.course = std::make_shared<const Course>(std::move(course));
  const auto backend = make_backend({.kind = BackendKind::cpu, .threads = 1});
  std::vector<HeldTask> tasks;
  tasks.push_back({3, &disorder, std::move(start)});
  const auto held = hold_batch(*backend, chain, std::move(tasks));
  std::vector<ChainState> states;
  for (const CourseRound& round : rounds_of(*chain.course)) {
    RoundControl control;
    std::vector<RoundRecord> records(1);
    EXPECT_EQ(held->run_round(records, control), RoundOutcome::finished);
    if (round.measured) states.push_back(held->state(0));
  }
  return states;
}
inline ChainState after_one_sweep(const Chain& chain, const Disorder& disorder, const ChainState& start) {
  return states_at(chain, test::quench(chain, {1}), disorder, start).front();
}

/// Moments <u^k>, k = 0 .. 4, of u = cos(angle) with weight sin^{n-2}(angle) exp(x u): Simpson's rule.
inline std::array<double, 5> moments_in_field(int n, double x) {
  constexpr int intervals = 120;
  static const auto cosine = [] {
    std::array<double, intervals + 1> table{};
    for (int i = 0; i <= intervals; ++i)
      table[static_cast<std::size_t>(i)] = std::cos(std::numbers::pi * i / intervals);
    return table;
  }();
  std::array<double, 5> moments{};
  for (std::size_t i = 0; i <= intervals; ++i) {
    const double u = cosine[i];
    double weight = std::exp(x * (u - 1.0)) * (i == 0 || i == intervals ? 1.0 : i % 2 == 1 ? 4.0 : 2.0);
    if (n == 3) weight *= std::sqrt(1.0 - u * u);
    for (double& moment : moments) {
      moment += weight;
      weight *= u;
    }
  }
  for (std::size_t k = 1; k < moments.size(); ++k) moments[k] /= moments[0];
  return moments;
}

/// How often the one trial of XY spins is accepted: exp(x cos) against the envelope of Best & Fisher, a Cauchy
/// distribution on the circle, both as averages over the circle.
inline double accepted_trials(double x) {
  if (x == 0.0) return 1.0;
  const double tau = 1.0 + std::sqrt(1.0 + 4.0 * x * x), rho = (tau - std::sqrt(2.0 * tau)) / (2.0 * x);
  constexpr int points = 100;
  double mean = 0.0, most = 0.0;
  for (int i = 0; i < points; ++i) {
    const double u = std::cos(std::numbers::pi * (i + 0.5) / points), weight = std::exp(x * (u - 1.0));
    mean += weight / points;
    most = std::max(most, weight * (1.0 + rho * rho - 2.0 * rho * u) / (1.0 - rho * rho));
  }
  return mean / most;
}

/// What one proposal of width w does to a vector of n components at the angle acos(u) to its field, x = beta |h|:
/// calls visit(weight, u', v', acceptance) for a grid of proposals; v is the component across h in the plane of s and
/// h. Proposals s + w r have a direction r at an angle theta to s, weight sin^{n-2}(theta), and turn about s by phi,
/// weight sin^{n-3}(phi); both by the midpoint rule.
template <class Visit>
void for_proposals(int n, double w, double x, double u, int points, const Visit& visit) {
  const double sine = std::sqrt(1.0 - u * u);
  double total = 0.0;
  for (const bool counts : {false, true}) {
    for (int i = 0; i < points; ++i) {
      const double theta = std::numbers::pi * (i + 0.5) / points;
      const double along = 1.0 + w * std::cos(theta), aside = w * std::sin(theta), size = std::hypot(along, aside);
      const int turns = n == 2 ? 2 : points;
      for (int j = 0; j < turns; ++j) {
        const double phi = n == 2 ? std::numbers::pi * j : std::numbers::pi * (j + 0.5) / points;
        const double weight = std::pow(std::sin(theta), n - 2) * (n == 2 ? 1.0 : std::pow(std::sin(phi), n - 3));
        if (!counts) {
          total += weight;
          continue;
        }
        const double cos_phi = std::cos(phi);
        const double next = (along * u + aside * cos_phi * sine) / size,
                     across = (along * sine - aside * cos_phi * u) / size;
        visit(weight / total, next, across, std::min(1.0, std::exp(x * (next - u))));
      }
    }
  }
}

}  // namespace glassworks::testing
