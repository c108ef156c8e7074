#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/graphs/graph_recipe.hpp"
#include "kernels/core/lattice_table.hpp"
#include "kernels/make_backend.hpp"
#include "tests/kernels/cluster/cluster_support.hpp"
#include "tests/kernels/graph_cases.hpp"
#include "tests/kernels/series/course_runs.hpp"

/// Histories in time against the matrix of all transitions of small systems, and against formulas.
namespace glassworks { namespace {

constexpr std::size_t sites = 8, states = 256;
using Weights = std::array<double, states>;  ///< of all states; bit i: spin i is +1

int spin(std::size_t state, std::size_t i) { return (state >> i & 1U) != 0 ? 1 : -1; }

/// Ising spins with any couplings.
struct SmallSystem {
  Lattice lattice;
  Disorder disorder;
  std::array<std::array<double, sites>, sites> J{};
  std::vector<std::array<std::size_t, 2>> bonds;
  std::array<int, sites> colour{};  ///< in whose order a sweep visits the sites
  std::string name;

  void add_bond(std::size_t i, std::size_t j, float coupling) {
    bonds.push_back({i, j});
    J[i][j] += static_cast<double>(coupling);
    J[j][i] += static_cast<double>(coupling);
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
};

/// What a sweep at a temperature does: colour after colour.
class SmallDynamics {
 public:
  SmallDynamics(const SmallSystem& system, SiteRule rule, double T) {
    for (int now = 0; now <= *std::ranges::max_element(system.colour); ++now) {
      for (std::size_t i = 0; i < sites; ++i) {
        if (system.colour[i] != now) continue;
        auto& [site, flips] = updates_.emplace_back(i, Weights{});
        for (std::size_t state = 0; state < states; ++state) {
          const double cost = 2.0 * spin(state, i) * system.local_field(state, i) / T;
          flips[state] = rule == SiteRule::metropolis ? std::min(1.0, std::exp(-cost)) : 1.0 / (1.0 + std::exp(cost));
        }
      }
    }
  }
  [[nodiscard]] Weights sweep(Weights w) const {
    for (const auto& [site, flips] : updates_) {
      Weights next{};
      for (std::size_t state = 0; state < states; ++state) {
        next[state ^ (std::size_t{1} << site)] += flips[state] * w[state];
        next[state] += (1.0 - flips[state]) * w[state];
      }
      w = next;
    }
    return w;
  }

 private:
  std::vector<std::pair<std::size_t, Weights>> updates_;  ///< sites in their order, with P(flip) of each state
};

/// A ring of four steps along x, twice, with bonds between the rings.
SmallSystem ladder_of(bool bimodal, double field) {
  SmallSystem ladder;
  ladder.name = bimodal ? "ladder, J = +-1" : "ladder, Gaussian";
  const Lattice lattice{2, 4, 2, LatticeKind::hypercubic, {4, 2}};
  ladder.lattice = lattice;
  ladder.disorder = test::gaussian_disorder(lattice, 6);
  const LatticeTable table(lattice);
  for (std::size_t i = 0; i < sites; ++i) {
    ladder.colour[i] = static_cast<int>((i + i / 4) % 2);
    for (std::size_t axis = 0; axis < 2; ++axis) {
      float& coupling = ladder.disorder.couplings[2 * i + axis];
      if (bimodal) coupling = std::copysign(1.0F, coupling);
      if (axis == 1 && i >= 4) {  // past the open end
        coupling = 0.0F;
        continue;
      }
      const auto j = static_cast<std::size_t>(table.forward(static_cast<std::int64_t>(i), static_cast<int>(axis)));
      ladder.add_bond(i, j, coupling);
    }
  }
  if (field != 0.0) ladder.disorder.fields.assign(sites, static_cast<float>(field));
  ladder.disorder.energy_scale = choose_energy_scale(lattice, ladder.disorder.couplings, ladder.disorder.fields);
  return ladder;
}

/// A random graph with three neighbours of each site, Gaussian couplings and fields.
SmallSystem random_graph() {
  SmallSystem system;
  system.name = "random graph";
  const GraphRecipe recipe{.kind = MadeGraph::random_regular, .size = sites, .degree = 3.0, .lengths = {}, .open = {}};
  const test::GraphCase one = test::graph_case(system.name, make_graph(recipe, PhiloxKey{3, 4}, 5).graph);
  system.lattice = one.lattice;
  system.disorder = test::graph_disorder(one, test::ising(), test::GraphCouplings::gaussian, 8, 0.4);
  for (std::size_t i = 0; i < sites; ++i) system.colour[i] = one.graph->colour(static_cast<std::int64_t>(i));
  for (std::size_t b = 0; b < system.disorder.couplings.size(); ++b) {
    const GraphBond& bond = one.graph->bonds()[b];
    system.add_bond(static_cast<std::size_t>(bond.a), static_cast<std::size_t>(bond.b), system.disorder.couplings[b]);
  }
  return system;
}

/// What is expected at each time, by the name of the column.
std::map<std::string, double> expected_at(const SmallSystem& system, const SmallDynamics& dynamics, std::uint64_t time,
                                          const std::vector<std::uint64_t>& references) {
  std::map<std::string, double> expected;
  Weights p{};
  p.fill(1.0 / states);
  const auto mean = [](const Weights& w, const auto& value) {
    double sum = 0.0;
    for (std::size_t state = 0; state < states; ++state) sum += w[state] * value(state);
    return sum;
  };
  const auto bonds = static_cast<double>(system.bonds.size());
  for (const std::uint64_t t_w : references) {
    if (t_w > time) continue;
    Weights at = p;
    for (std::uint64_t t = 0; t < t_w; ++t) at = dynamics.sweep(at);
    const auto correlation = [&](const auto& value) {  // with itself at t_w
      Weights joint{};
      for (std::size_t state = 0; state < states; ++state) joint[state] = at[state] * value(state);
      for (std::uint64_t t = t_w; t < time; ++t) joint = dynamics.sweep(joint);
      return mean(joint, value);
    };
    double C = 0.0, C_link = 0.0;
    for (std::size_t i = 0; i < sites; ++i) C += correlation([&](std::size_t state) { return spin(state, i); }) / sites;
    for (const auto& [i, j] : system.bonds) {
      C_link += correlation([&, a = i, b = j](std::size_t state) { return spin(state, a) * spin(state, b); }) / bonds;
    }
    expected["correlation(" + std::to_string(t_w) + ")"] = C;
    expected["link_correlation(" + std::to_string(t_w) + ")"] = C_link;
  }
  for (std::uint64_t t = 0; t < time; ++t) p = dynamics.sweep(p);
  expected["energy"] = mean(p, [&](std::size_t state) { return system.energy(state); });
  double m = 0.0, q2 = 0.0, link = 0.0;
  const auto both = [&](std::size_t i, std::size_t j) {
    return mean(p, [&](std::size_t state) { return spin(state, i) * spin(state, j); });
  };
  for (std::size_t i = 0; i < sites; ++i) {
    m += mean(p, [&](std::size_t state) { return spin(state, i); }) / sites;
    for (std::size_t j = 0; j < sites; ++j) q2 += both(i, j) * both(i, j) / (sites * sites);
  }
  for (const auto& [i, j] : system.bonds) link += both(i, j) * both(i, j) / bonds;
  expected["magnetization"] = m;
  expected["overlap_2"] = q2;
  expected["link_overlap"] = link;
  return expected;
}

/// 6 cases x 2 temperatures x 7 times x 6 or 8 numbers, each within 4.8 errors: a right program fails with 0.1 %.
TEST(StatisticsOfCourses, AllTransitionsOfSmallSystems) {
  constexpr std::uint32_t histories = 1000;
  const auto backend = make_backend({.kind = BackendKind::cpu, .threads = 1});
  const std::vector<std::uint64_t> times{1, 2, 4, 8, 16, 32, 64}, references{0, 4};
  const std::vector<double> temperatures{0.6, 1.5};
  for (const SiteRule rule : {SiteRule::heat_bath, SiteRule::metropolis}) {
    for (const SmallSystem& system : {ladder_of(false, 0.4), ladder_of(true, 0.0), random_graph()}) {
      Chain chain = test::cluster_chain(test::ising(), system.lattice, 2, {1.0F / 0.6F, 1.0F / 1.5F},
                                        test::protocol_of(ProtocolKind::local, 0, 1), 1);
      chain.protocol.exchange = ExchangeSchedule::none;
      chain.protocol.exchanges_per_measurement = 1;
      chain.protocol.local = rule;
      chain.course = std::make_shared<const Course>(test::quench(chain, times, references));
      std::vector<std::uint32_t> numbers(histories);
      for (std::uint32_t i = 0; i < histories; ++i) numbers[i] = i;
      const test::CourseRun run = test::run_course(*backend, chain, {system.disorder}, numbers);
      const auto width = static_cast<std::size_t>(series_layout(chain).size());
      const std::array<SmallDynamics, 2> dynamics{SmallDynamics(system, rule, temperatures[0]),
                                                  SmallDynamics(system, rule, temperatures[1])};
      std::size_t round = 0;
      for (const std::uint64_t time : times) {
        while (run.rounds[round].to != time) ++round;
        for (std::size_t slot = 0; slot < temperatures.size(); ++slot) {
          for (const auto& [name, value] : expected_at(system, dynamics[slot], time, references)) {
            const std::size_t column = slot * width + test::column_of(chain, name);
            double sum = 0.0, squares = 0.0;
            for (const RoundRecord& record : run.records[round]) {
              sum += record.mean[column];
              squares += record.mean[column] * record.mean[column];
            }
            const double mean = sum / histories, variance = squares / histories - mean * mean;
            EXPECT_NEAR(mean, value, 4.8 * std::sqrt(variance / histories) + 1e-6)
                << name << " at t = " << time << ", T = " << temperatures[slot] << ", rule " << static_cast<int>(rule)
                << ", " << system.name;
          }
        }
      }
    }
  }
}

}}  // namespace glassworks
