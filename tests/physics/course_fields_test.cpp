#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>
#include <vector>

#include "tests/physics/course_spins.hpp"

/// Spins without couplings in a field that is switched on and off again, against their transition matrices.
namespace glassworks::testing { namespace {

constexpr std::uint64_t on_at = 3, off_at = 13;
const std::vector<std::uint64_t> times{1, 2, 3, 4, 5, 8, 13, 14, 16, 20};

Course switched_course(const Chain& chain) {
  Course course = test::quench(chain, times);
  Segment without = course.segments.front();
  without.field = Ramp::constant(0.0);
  Segment with = course.segments.front();
  without.steps = on_at;
  with.steps = off_at - on_at;
  course.segments = {without, with, without};
  course.segments.back().steps = endless;
  return course;
}
/// Whether sweep t, which leads from time t to t + 1, has the field.
bool has_field(std::uint64_t t) { return t >= on_at && t < off_at; }

/// Ising spins that start along -H: w(s -> -s) of both rules. 2 rules x 10 times within 4 errors: a right program fails
/// with 0.13 %.
TEST(StatisticsOfSwitchedFields, IsingSpins) {
  const Lattice lattice{2, 32};
  constexpr double H = 0.7, T = 1.6;
  constexpr int copies = 16;
  const Disorder disorder = test::in_field(lattice, test::pure(lattice, 0.0F), static_cast<float>(H));
  for (const SiteRule rule : {SiteRule::heat_bath, SiteRule::metropolis}) {
    const Chain chain = course_chain(test::ising(), lattice, copies, {T}, rule);
    ChainState start = initial_state(chain, 3);
    std::ranges::fill(start.states, std::uint8_t{0});
    const std::vector<ChainState> states = states_at(chain, switched_course(chain), disorder, start);
    ASSERT_EQ(states.size(), times.size());
    double m = -1.0;
    std::size_t next = 0;
    for (std::uint64_t t = 0; t < times.back(); ++t) {
      const double x = has_field(t) ? H / T : 0.0;
      const auto flips = [&](double s) {
        return rule == SiteRule::metropolis ? std::min(1.0, std::exp(-2.0 * s * x))
                                            : 1.0 / (1.0 + std::exp(2.0 * s * x));
      };
      m += (1.0 - m) * flips(-1.0) - (1.0 + m) * flips(1.0);
      if (t + 1 != times[next]) continue;
      const std::vector<std::uint8_t>& s = states[next++].states;
      const double found = 2.0 * std::accumulate(s.begin(), s.end(), 0.0) / static_cast<double>(s.size()) - 1.0;
      EXPECT_NEAR(found, m, 4.0 * std::sqrt((1.0 - m * m) / static_cast<double>(s.size())) + 1e-12)
          << "time " << t + 1 << ", rule " << static_cast<int>(rule);
    }
  }
}

/// The expectations of u and u^2 after a sweep, u the component along the field, as functions of the angle before it.
class VectorStep {
 public:
  static constexpr int points = 160;  ///< angles in steps of pi/points
  using Function = std::vector<double>;

  /// x  H/T, 0 without a field
  VectorStep(int n, SiteRule rule, double width, double x) : row_(points + 1, Function(points + 1, 0.0)) {
    for (int i = 0; i <= points; ++i) {
      Function& row = row_[static_cast<std::size_t>(i)];
      if (rule == SiteRule::metropolis) {
        for_proposals(n, width, x, std::cos(step * i), 48, [&](double weight, double next, double, double accepted) {
          add(row, std::acos(std::clamp(next, -1.0, 1.0)), weight * accepted);
          add(row, step * i, weight * (1.0 - accepted));
        });
        continue;
      }
      const double moved = n == 2 ? accepted_trials(x) : 1.0;
      double total = 0.0;
      const auto weight = [&](int j) {
        return (j % points == 0 ? 0.5 : 1.0) * std::pow(std::sin(step * j), n - 2) *
               std::exp(x * (std::cos(step * j) - 1.0));
      };
      for (int j = 0; j <= points; ++j) total += weight(j);
      for (int j = 0; j <= points; ++j) row[static_cast<std::size_t>(j)] += moved * weight(j) / total;
      row[static_cast<std::size_t>(i)] += 1.0 - moved;
    }
  }
  /// E[f(after)] as a function of the angle before.
  [[nodiscard]] Function before(const Function& f) const {
    Function g;
    for (const Function& row : row_) g.push_back(std::inner_product(row.begin(), row.end(), f.begin(), 0.0));
    return g;
  }
  static void add(Function& row, double angle, double weight) {
    const double place = angle / step;
    const int i = std::min(static_cast<int>(place), points - 1);
    row[static_cast<std::size_t>(i)] += weight * (i + 1 - place);
    row[static_cast<std::size_t>(i) + 1] += weight * (place - i);
  }
  static constexpr double step = std::numbers::pi / points;

 private:
  std::vector<Function> row_;  ///< [angle before][angle after]
};

/// Vectors that start at an angle of 2 to the field: heat bath, and Metropolis with a width that stays. 4 cases x 10
/// times x 2 numbers within 4 errors: a right program fails with 0.5 %.
TEST(StatisticsOfSwitchedFields, Vectors) {
  const Lattice lattice{2, 32};
  constexpr double H = 1.8, T = 0.9, width = 0.6, angle = 2.0;
  constexpr int copies = 16;
  for (const int n : {2, 3}) {
    Disorder disorder = test::pure(lattice, 0.0F);
    disorder.fields.assign(static_cast<std::size_t>(n * lattice.sites()), 0.0F);
    for (std::size_t i = 0; i < disorder.fields.size(); i += static_cast<std::size_t>(n))
      disorder.fields[i] = static_cast<float>(H);
    disorder.energy_scale = choose_energy_scale(lattice, disorder.couplings, disorder.fields);
    for (const SiteRule rule : {SiteRule::heat_bath, SiteRule::metropolis}) {
      const Chain chain = course_chain(vectors(n), lattice, copies, {T}, rule);
      ChainState start = initial_state(chain, 3);
      for (std::int64_t& w : start.beside) w = static_cast<std::int64_t>(width * static_cast<double>(width_unit));
      const auto place = [&](int copy, int k) { return (copy * n + k) * lattice.sites(); };
      for (int copy = 0; copy < copies; ++copy) {
        for (int k = 0; k < n; ++k) {
          const double s = k == 0 ? std::cos(angle) : k == 1 ? std::sin(angle) : 0.0;
          std::fill_n(start.spins.begin() + place(copy, k), lattice.sites(), static_cast<float>(s));
        }
      }
      const std::vector<ChainState> states = states_at(chain, switched_course(chain), disorder, start);
      ASSERT_EQ(states.size(), times.size());
      const VectorStep on(n, rule, width, H / T), off(n, rule, width, 0.0);
      for (std::size_t i = 0; i < times.size(); ++i) {
        std::array<double, 5> expected{}, found{};
        for (const int power : {1, 2, 4}) {
          VectorStep::Function f, here(VectorStep::points + 1, 0.0);
          for (int j = 0; j <= VectorStep::points; ++j) f.push_back(std::pow(std::cos(VectorStep::step * j), power));
          for (std::uint64_t t = times[i]; t > 0; --t) f = (has_field(t - 1) ? on : off).before(f);
          VectorStep::add(here, angle, 1.0);
          expected[static_cast<std::size_t>(power)] = std::inner_product(here.begin(), here.end(), f.begin(), 0.0);
        }
        const double spins = copies * static_cast<double>(lattice.sites());
        for (int copy = 0; copy < copies; ++copy) {
          for (std::int64_t site = 0; site < lattice.sites(); ++site) {
            const auto u = static_cast<double>(states[i].spins[static_cast<std::size_t>(place(copy, 0) + site)]);
            found[1] += u / spins;
            found[2] += u * u / spins;
          }
        }
        for (const std::size_t power : {1, 2}) {
          const double variance = expected[2 * power] - expected[power] * expected[power];
          // 3e-4: what the grid of angles leaves.
          EXPECT_NEAR(found[power], expected[power], 4.0 * std::sqrt(variance / spins) + 3e-4)
              << "u^" << power << ", time " << times[i] << ", n = " << n << ", rule " << static_cast<int>(rule);
        }
      }
    }
  }
}

}}  // namespace glassworks::testing
