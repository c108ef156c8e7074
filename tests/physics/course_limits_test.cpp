#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "tests/physics/course_spins.hpp"

/// Limits in which histories in time are known: infinite temperature, and the growth of domains.
namespace glassworks::testing { namespace {

/// Mean over realizations of a column, and its error.
struct ColumnMean {
  double mean = 0.0, error = 0.0;
};
ColumnMean mean_of(const std::vector<RoundRecord>& records, std::size_t column) {
  double sum = 0.0, squares = 0.0;
  for (const RoundRecord& record : records) {
    sum += record.mean[column];
    squares += record.mean[column] * record.mean[column];
  }
  const auto n = static_cast<double>(records.size());
  return {sum / n, std::sqrt(std::max(0.0, squares / n - sum / n * (sum / n)) / (n - 1.0))};
}

/// At the highest temperature that there is a heat bath makes random spins of random spins: nothing is correlated at r
/// > 0 or between two times, and q^2 and |q(k_min)|^2 are 1/N. 3 chains x 4 times x about 20 columns within 4.5 errors:
/// a right program fails with 0.2 %.
TEST(StatisticsOfCourseLimits, NothingGrowsAtInfiniteTemperature) {
  const Lattice lattice{2, 8};
  std::vector<std::uint32_t> numbers(600);
  std::iota(numbers.begin(), numbers.end(), 0U);
  const auto backend = make_backend({.kind = BackendKind::cpu, .threads = 1});
  for (const std::string name : {"ising", "heisenberg", "words"}) {
    Chain chain =
        course_chain(name == "heisenberg" ? SpinModel{} : test::ising(), lattice, 2, {1e9}, SiteRule::heat_bath);
    if (name == "words") {
      chain.protocol.multispin = MultispinRule::heat_bath;
      chain.protocol.lanes = MultispinLanes::copies;
    }
    const std::vector<std::uint64_t> times{1, 2, 5, 16}, references{0, 2};
    chain.course = std::make_shared<const Course>(test::quench(chain, times, references));
    const Disorder disorder = name == "words" ? test::bimodal(lattice, 6) : test::gaussian_disorder(lattice, 6);
    const test::CourseRun run = test::run_course(*backend, chain, {disorder}, numbers);
    const std::vector<std::string> names = series_layout(chain).names();
    int columns = 0;
    for (std::size_t round = 0; round < run.rounds.size(); ++round) {
      for (std::size_t column = 0; column < names.size(); ++column) {
        const std::string& of = names[column];
        const bool profile = of.starts_with("c4_") || of.starts_with("chiral_axis");
        const bool squared = of == "overlap_2" || of == "overlap_kmin";
        const bool later =
            of.starts_with("correlation(0)") || (of.starts_with("correlation(2)") && run.rounds[round].to > 2);
        if (!((profile && !of.ends_with("(0)")) || squared || later)) continue;
        ++columns;
        const ColumnMean found = mean_of(run.records[round], column);
        EXPECT_NEAR(found.mean, squared ? 1.0 / 64.0 : 0.0, 4.5 * found.error)
            << name << ", " << of << " at t = " << run.rounds[round].to;
        EXPECT_GT(found.error, 0.0) << name << ", " << of << ": a column that is always the same";
      }
    }
    EXPECT_GE(columns, 40);
  }
}

/// A ferromagnet whose copies are lanes or plain spins, at a temperature at which no spin ever raises its energy.
Chain cold_ferromagnet(const Lattice& lattice, int copies, bool words) {
  Chain chain = course_chain(test::ising(), lattice, copies, {1e-3}, SiteRule::heat_bath);
  if (words) {
    chain.protocol.multispin = MultispinRule::heat_bath;
    chain.protocol.lanes = MultispinLanes::copies;
  }
  return chain;
}

/// The curvature of walls that drives coarsening: a square of up spins among down spins melts at its corners. In a
/// quarter the wall is a staircase whose steps exchange in pairs, first the even ones, then the odd ones; the exchange
/// of pairs is linear in their mean occupation, so that each half-sweep takes 1/2 of a spin off each corner on average,
/// and the area is A(0) - 4t + 1 until the corners meet; +1, because the first half-sweep leaves the two odd corners
/// alone. (Spins drawn one at a time in random order would take 2t.) 2 kernels x 5 times within 4 errors: a right
/// program fails with 0.06 %.
TEST(StatisticsOfCourseLimits, CornersMeltAsFastAsPairsExchange) {
  const Lattice lattice{2, 64};
  constexpr int edge = 40, copies = 256;
  const Disorder disorder = test::pure(lattice);
  const std::vector<std::uint64_t> times{1, 2, 4, 8, 16};
  for (const bool words : {true, false}) {
    const Chain chain = cold_ferromagnet(lattice, copies, words);
    ChainState start = initial_state(chain, 3);
    for (int copy = 0; copy < copies; ++copy) {
      for (int y = 0; y < 64; ++y) {
        for (int x = 0; x < 64; ++x) {
          start.states[static_cast<std::size_t>((copy * 64 + y) * 64 + x)] = x < edge && y < edge ? 1 : 0;
        }
      }
    }
    const std::vector<ChainState> states = states_at(chain, test::quench(chain, times), disorder, start);
    ASSERT_EQ(states.size(), times.size());
    for (std::size_t i = 0; i < times.size(); ++i) {
      std::vector<RoundRecord> areas(copies);
      for (std::size_t copy = 0; copy < copies; ++copy) {
        const auto first = states[i].states.begin() + static_cast<std::ptrdiff_t>(copy * 64 * 64);
        areas[copy].mean = {std::accumulate(first, first + 64 * 64, 0.0)};
      }
      const ColumnMean area = mean_of(areas, 0);
      EXPECT_NEAR(area.mean, edge * edge - 4.0 * static_cast<double>(times[i]) + 1.0, 4.0 * area.error)
          << "time " << times[i] << (words ? ", words" : ", plain");
    }
  }
}

/// Domains of a quenched ferromagnet grow as t^(1/2): walls per site, and so the energy above the ground state, go down
/// as t^(-1/2), with the prefactors that configs/aging/README.md has of L = 512, and xi_12 of C_4 = C^2 doubles when t
/// is four times as long. Bounds of 2 and 10 %, more than 5 times the scatter of realizations: no false alarm to speak
/// of.
TEST(StatisticsOfCourseLimits, DomainsGrowAsTheRootOfTime) {
  const Lattice lattice{2, 128};
  Chain chain = cold_ferromagnet(lattice, 64, true);
  const std::vector<std::uint64_t> times{16, 64, 256};
  chain.course = std::make_shared<const Course>(test::quench(chain, times));
  const auto backend = make_backend({.kind = BackendKind::cpu, .threads = 1});
  const test::CourseRun run = test::run_course(*backend, chain, {test::pure(lattice)}, {0, 1, 2, 3});
  std::vector<double> walls, xi;
  for (std::size_t round = 0; round < run.rounds.size(); ++round) {
    if (!run.rounds[round].measured) continue;
    walls.push_back(mean_of(run.records[round], test::column_of(chain, "energy")).mean + 2.0);
    double I_1 = 0.0, I_2 = 0.0;
    const std::size_t first = test::column_of(chain, "c4_axis(0)");
    for (std::size_t r = 1; r < 64; ++r) {
      const ColumnMean C = mean_of(run.records[round], first + r);
      if (C.mean < 3.0 * C.error) break;
      I_1 += static_cast<double>(r) * C.mean;
      I_2 += static_cast<double>(r * r) * C.mean;
    }
    xi.push_back(I_2 / I_1);
  }
  ASSERT_EQ(walls.size(), 3U);
  EXPECT_NEAR(walls[1] * 8.0, 1.040, 0.02);
  EXPECT_NEAR(walls[2] * 16.0, 1.055, 0.02);
  EXPECT_NEAR(xi[2] / xi[1], 2.0, 0.2);
}

}}  // namespace glassworks::testing
