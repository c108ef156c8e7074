#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>

#include "kernels/core/lattice_table.hpp"
#include "kernels/make_backend.hpp"
#include "tests/kernels/cluster/cluster_support.hpp"
#include "tests/kernels/series/course_runs.hpp"

/// Histories in time against the matrix of all transitions of small systems, and against formulas.
namespace glassworks { namespace {

constexpr std::size_t sites = 8, states = 256;
using Weights = std::array<double, states>;  ///< of all states; bit i: spin i is +1

int spin(std::size_t state, std::size_t i) { return (state >> i & 1U) != 0 ? 1 : -1; }

/// Ising spins on a ring of four steps along x, twice, with bonds between the rings.
struct Ladder {
  Lattice lattice{2, 4, 2, LatticeKind::hypercubic, {4, 2}};
  Disorder disorder;
  std::array<std::array<double, sites>, sites> J{};

  Ladder(bool bimodal, double field) {
    disorder = test::gaussian_disorder(lattice, 6);
    const LatticeTable table(lattice);
    for (std::size_t i = 0; i < sites; ++i) {
      for (std::size_t axis = 0; axis < 2; ++axis) {
        float& coupling = disorder.couplings[2 * i + axis];
        if (bimodal) coupling = std::copysign(1.0F, coupling);
        if (axis == 1 && i >= 4) coupling = 0.0F;  // past the open end
        const auto j = static_cast<std::size_t>(table.forward(static_cast<std::int64_t>(i), static_cast<int>(axis)));
        J[i][j] += static_cast<double>(coupling);
        J[j][i] += static_cast<double>(coupling);
      }
    }
    if (field != 0.0) disorder.fields.assign(sites, static_cast<float>(field));
    disorder.energy_scale = choose_energy_scale(lattice, disorder.couplings, disorder.fields);
  }
  [[nodiscard]] double H(std::size_t i) const {
    return disorder.fields.empty() ? 0.0 : static_cast<double>(disorder.fields[i]);
  }
  [[nodiscard]] double local_field(std::size_t state, std::size_t i) const {
    double h = H(i);
    for (std::size_t j = 0; j < sites; ++j) h += J[i][j] * spin(state, j);
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
        if ((i + i / 4) % 2 == static_cast<std::size_t>(parity)) w = update(w, i, rule, T);
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
std::map<std::string, double> expected_at(const Ladder& ladder, SiteRule rule, double T, std::uint64_t time,
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
    for (std::uint64_t t = 0; t < t_w; ++t) at = ladder.sweep(at, rule, T);
    double C = 0.0;
    for (std::size_t i = 0; i < sites; ++i) {
      for (std::size_t state = 0; state < states; ++state) joint[i][state] = at[state] * spin(state, i);
      for (std::uint64_t t = t_w; t < time; ++t) joint[i] = ladder.sweep(joint[i], rule, T);
      C += mean(joint[i], [&](std::size_t state) { return spin(state, i); }) / sites;
    }
    expected["correlation(" + std::to_string(t_w) + ")"] = C;
  }
  for (std::uint64_t t = 0; t < time; ++t) p = ladder.sweep(p, rule, T);
  expected["energy"] = mean(p, [&](std::size_t state) { return ladder.energy(state); });
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
  constexpr std::uint32_t histories = 1500;
  const auto backend = make_backend({.kind = BackendKind::cpu, .threads = 1});
  const std::vector<std::uint64_t> times{1, 2, 4, 8, 16, 32, 64}, references{0, 4};
  const std::vector<double> temperatures{0.6, 1.5};
  for (const SiteRule rule : {SiteRule::heat_bath, SiteRule::metropolis}) {
    for (const bool bimodal : {false, true}) {
      const Ladder ladder(bimodal, bimodal ? 0.0 : 0.4);
      Chain chain = test::cluster_chain(test::ising(), ladder.lattice, 2, {1.0F / 0.6F, 1.0F / 1.5F},
                                        test::protocol_of(ProtocolKind::local, 0, 1), 1);
      chain.protocol.exchange = ExchangeSchedule::none;
      chain.protocol.exchanges_per_measurement = 1;
      chain.protocol.local = rule;
      chain.course = std::make_shared<const Course>(test::quench(chain, times, references));
      std::vector<std::uint32_t> numbers(histories);
      for (std::uint32_t i = 0; i < histories; ++i) numbers[i] = i;
      const test::CourseRun run = test::run_course(*backend, chain, {ladder.disorder}, numbers);
      const auto width = static_cast<std::size_t>(series_layout(chain).size());
      std::size_t round = 0;
      for (const std::uint64_t time : times) {
        while (run.rounds[round].to != time) ++round;
        for (std::size_t slot = 0; slot < temperatures.size(); ++slot) {
          for (const auto& [name, value] : expected_at(ladder, rule, temperatures[slot], time, references)) {
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
