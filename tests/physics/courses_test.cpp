#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>

#include "kernels/make_backend.hpp"
#include "tests/kernels/cluster/cluster_support.hpp"
#include "tests/kernels/series/course_runs.hpp"

/// Histories in time against the matrix of all transitions of small systems, and against formulas.
namespace glassworks { namespace {

constexpr std::size_t sites = 8, states = 256;
using Weights = std::array<double, states>;  ///< of all states; bit i: spin i is +1

int spin(std::size_t state, std::size_t i) { return (state >> i & 1U) != 0 ? 1 : -1; }

/// Ising spins at the corners of a cube with open faces.
struct Cube {
  Lattice lattice{3, 2, 7, LatticeKind::hypercubic, {2, 2, 2}};
  Disorder disorder;

  Cube(bool bimodal, double field) {
    disorder = bimodal ? test::bimodal(lattice, 5) : test::gaussian_disorder(lattice, 6);
    const LatticeTable table(lattice);
    for (std::int64_t i = 0; i < lattice.sites(); ++i) {  // no bonds across open faces
      for (int axis = 0; axis < 3; ++axis) {
        if (table.forward(i, axis) < i) disorder.couplings[static_cast<std::size_t>(3 * i + axis)] = 0.0F;
      }
    }
    if (field != 0.0) disorder.fields.assign(sites, static_cast<float>(field));
    disorder.energy_scale = choose_energy_scale(lattice, disorder.couplings, disorder.fields);
  }
  [[nodiscard]] double J(std::size_t i, std::size_t j) const {
    const std::size_t low = std::min(i, j), high = std::max(i, j);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (high == low + (std::size_t{1} << axis) && (low >> axis & 1U) == 0)
        return static_cast<double>(disorder.couplings[3 * low + axis]);
    }
    return 0.0;
  }
  [[nodiscard]] double H(std::size_t i) const {
    return disorder.fields.empty() ? 0.0 : static_cast<double>(disorder.fields[i]);
  }
  [[nodiscard]] double local_field(std::size_t state, std::size_t i) const {
    double h = H(i);
    for (std::size_t j = 0; j < sites; ++j) h += J(i, j) * spin(state, j);
    return h;
  }
  [[nodiscard]] double energy(std::size_t state) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < sites; ++i) sum -= spin(state, i) * (0.5 * (local_field(state, i) - H(i)) + H(i));
    return sum / sites;
  }
  /// One sweep: even sites, then odd ones.
  [[nodiscard]] Weights sweep(Weights w, SiteRule rule, double T) const {
    for (const int parity : {0, 1}) {
      for (std::size_t i = 0; i < sites; ++i) {
        if (std::popcount(i) % 2 == parity) w = update(w, i, rule, T);
      }
    }
    return w;
  }

 private:
  [[nodiscard]] Weights update(const Weights& w, std::size_t i, SiteRule rule, double T) const {
    Weights next{};
    for (std::size_t state = 0; state < states; ++state) {
      const double cost = 2.0 * spin(state, i) * local_field(state, i) / T;
      const double flips = rule == SiteRule::metropolis ? std::min(1.0, std::exp(-cost)) : 1.0 / (1.0 + std::exp(cost));
      next[state ^ (std::size_t{1} << i)] += flips * w[state];
      next[state] += (1.0 - flips) * w[state];
    }
    return next;
  }
};

/// What is expected at each time, by the name of the column.
std::map<std::string, double> expected_at(const Cube& cube, SiteRule rule, double T, std::uint64_t time,
                                          const std::vector<std::uint64_t>& references) {
  std::map<std::string, double> expected;
  Weights p{};
  p.fill(1.0 / states);
  std::array<Weights, sites> joint{};  // p(state) times the spin i at t_w
  const auto mean = [](const Weights& w, const auto& value) {
    double sum = 0.0;
    for (std::size_t state = 0; state < states; ++state) sum += w[state] * value(state);
    return sum;
  };
  for (const std::uint64_t t_w : references) {
    if (t_w > time) continue;
    Weights at = p;
    for (std::uint64_t t = 0; t < t_w; ++t) at = cube.sweep(at, rule, T);
    double C = 0.0;
    for (std::size_t i = 0; i < sites; ++i) {
      for (std::size_t state = 0; state < states; ++state) joint[i][state] = at[state] * spin(state, i);
      for (std::uint64_t t = t_w; t < time; ++t) joint[i] = cube.sweep(joint[i], rule, T);
      C += mean(joint[i], [&](std::size_t state) { return spin(state, i); }) / sites;
    }
    expected["correlation(" + std::to_string(t_w) + ")"] = C;
  }
  for (std::uint64_t t = 0; t < time; ++t) p = cube.sweep(p, rule, T);
  expected["energy"] = mean(p, [&](std::size_t state) { return cube.energy(state); });
  double m = 0.0, q2 = 0.0;
  for (std::size_t i = 0; i < sites; ++i) {
    m += mean(p, [&](std::size_t state) { return spin(state, i); }) / sites;
    for (std::size_t j = 0; j < sites; ++j) {
      const double both = mean(p, [&](std::size_t state) { return spin(state, i) * spin(state, j); });
      q2 += both * both / (sites * sites);
    }
  }
  expected["magnetization"] = m;
  expected["overlap_2"] = q2;
  return expected;
}

/// 4 cases x 2 temperatures x 7 times x 5 or 6 numbers, each within 4.8 errors: a right program fails with 0.1 %.
TEST(StatisticsOfCourses, AllTransitionsOfSmallSystems) {
  constexpr std::uint32_t histories = 3000;
  const auto backend = make_backend({.kind = BackendKind::cpu, .threads = 1});
  const std::vector<std::uint64_t> times{1, 2, 4, 8, 16, 32, 64}, references{0, 4};
  const std::vector<double> temperatures{0.6, 1.5};
  for (const SiteRule rule : {SiteRule::heat_bath, SiteRule::metropolis}) {
    for (const bool bimodal : {false, true}) {
      const Cube cube(bimodal, bimodal ? 0.0 : 0.4);
      Chain chain = test::cluster_chain(test::ising(), cube.lattice, 2, {1.0F / 0.6F, 1.0F / 1.5F},
                                        test::protocol_of(ProtocolKind::local, 0, 1), 1);
      chain.protocol.exchange = ExchangeSchedule::none;
      chain.protocol.exchanges_per_measurement = 1;
      chain.protocol.local = rule;
      chain.course = std::make_shared<const Course>(test::quench(chain, times, references));
      std::vector<std::uint32_t> numbers(histories);
      for (std::uint32_t i = 0; i < histories; ++i) numbers[i] = i;
      const test::CourseRun run = test::run_course(*backend, chain, {cube.disorder}, numbers);
      const auto width = static_cast<std::size_t>(series_layout(chain).size());
      std::size_t round = 0;
      for (const std::uint64_t time : times) {
        while (run.rounds[round].to != time) ++round;
        for (std::size_t slot = 0; slot < temperatures.size(); ++slot) {
          for (const auto& [name, value] : expected_at(cube, rule, temperatures[slot], time, references)) {
            const std::size_t column = slot * width + test::column_of(chain, name);
            double sum = 0.0, squares = 0.0;
            for (const RoundRecord& record : run.records[round]) {
              sum += record.mean[column];
              squares += record.mean[column] * record.mean[column];
            }
            const double mean = sum / histories, variance = squares / histories - mean * mean;
            EXPECT_NEAR(mean, value, 4.8 * std::sqrt(variance / histories) + 1e-6)
                << name << " at t = " << time << ", T = " << temperatures[slot] << ", rule " << static_cast<int>(rule)
                << (bimodal ? ", J = +-1" : ", Gaussian");
          }
        }
      }
    }
  }
}

}}  // namespace glassworks
