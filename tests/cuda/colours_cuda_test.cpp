#include "kernels/cuda/colours/colour_plan.hpp"
#include "tests/cuda/cuda_support.hpp"
#include "tests/kernels/course_cases.hpp"

/// Sweeps of one colour at a time through device memory: the bits of the host, whatever the lattice, the moves and the
/// cut of a history.
namespace glassworks { namespace {

using namespace test;

struct ColourCase {
  const char* name;
  SpinModel model;
  Lattice lattice;
  MoveList moves;
  int copies = 2;
  ExchangeSchedule exchange = ExchangeSchedule::even_odd;
  int replicas_at_once = 0;  ///< temperatures of each copy; 0: three
};

const Lattice open_cube{3, 18, 0b101};
const ColourCase colour_cases[] = {
    {"Heisenberg18", {}, {3, 18}, {{MoveRule::heat_bath, 1}}},
    {"Heisenberg22", {}, {3, 22}, {{MoveRule::over_relaxation, 2}, {MoveRule::heat_bath, 1}}, 4},
    {"Heisenberg34", {}, {3, 34}, {{MoveRule::heat_bath, 2}}, 2, ExchangeSchedule::sequential},
    {"HeisenbergOpen", {}, open_cube, {{MoveRule::over_relaxation, 1}, {MoveRule::heat_bath, 1}}},
    {"HeisenbergEndsWithReflections", {}, {3, 20}, {{MoveRule::heat_bath, 1}, {MoveRule::over_relaxation, 2}}},
    {"HeisenbergManyReplicas", {}, {3, 12}, {{MoveRule::heat_bath, 1}}, 4, ExchangeSchedule::even_odd, 70},
    {"HeisenbergInParts",
     {},
     {3, 32},
     {{MoveRule::over_relaxation, 1}, {MoveRule::heat_bath, 1}},
     2,
     ExchangeSchedule::even_odd,
     40},
    {"XyInParts",
     on(2),
     {3, 32},
     {{MoveRule::over_relaxation, 1}, {MoveRule::heat_bath, 1}},
     2,
     ExchangeSchedule::even_odd,
     55},
    {"HeisenbergMetropolis", {}, {3, 18}, {{move_of(SiteRule::metropolis), 2}}},
    {"Heisenberg2d", {}, {2, 34}, {{MoveRule::over_relaxation, 1}, {MoveRule::heat_bath, 1}}},
    {"Heisenberg4d", {}, {4, 6, 0b1000}, {{MoveRule::over_relaxation, 1}, {MoveRule::heat_bath, 1}}},
    {"Xy18", on(2), {3, 18}, {{MoveRule::heat_bath, 1}}},
    {"Xy34", on(2), {3, 34}, {{MoveRule::over_relaxation, 2}, {MoveRule::heat_bath, 1}}},
    {"XyOpenWithoutExchanges", on(2), open_cube, {{MoveRule::heat_bath, 2}}, 2, ExchangeSchedule::none},
    {"XyMetropolis", on(2), {3, 22}, {{move_of(SiteRule::metropolis), 1}, {MoveRule::over_relaxation, 1}}},
    {"Xy2d", on(2), {2, 34, 0b10}, {{MoveRule::heat_bath, 1}}},
    {"On3", on(3), {3, 18}, {{MoveRule::over_relaxation, 2}, {MoveRule::heat_bath, 2}}},
    {"Vectors4", on(4), {3, 18}, {{MoveRule::heat_bath, 3}}},
    {"Vectors4EndsWithReflections", on(4), {3, 18}, {{MoveRule::heat_bath, 1}, {MoveRule::over_relaxation, 1}}},
    {"Vectors4Metropolis", on(4), open_cube, {{move_of(SiteRule::metropolis), 1}}},
    {"Vectors4In4d", on(4), {4, 6}, {{MoveRule::over_relaxation, 1}, {MoveRule::heat_bath, 1}}},
};

class CudaColours : public OnDeviceWith<ColourCase> {
 protected:
  static Chain chain() {
    const ColourCase& c = GetParam();
    Protocol p{.sweeps_per_exchange = 2, .exchanges_per_measurement = 3, .exchange = c.exchange};
    set_moves(p, c.moves);
    p.adaptation = p.local == SiteRule::metropolis ? 3 : 0;
    const int slots = c.replicas_at_once > 0 ? c.replicas_at_once : 3;
    Chain chain = cluster_chain(c.model, c.lattice, c.copies, geometric_betas(slots, 0.2, 0.9), p, 2);
    chain.samples = 1;
    return chain;
  }
  static std::vector<Disorder> disorder() {
    const Lattice& lattice = GetParam().lattice;
    std::vector<Disorder> disorder{gaussian_disorder(lattice, 3)};
    disorder.push_back(lattice.open == 0 ? bimodal(lattice, 4) : gaussian_disorder(lattice, 4));
    return disorder;
  }
  /// The kernels that are tested.
  static std::unique_ptr<Backend> device(const Chain& chain) {
    const std::string kernel = "colours";
    auto cuda = cuda_backend(0, {.kernel = kernel});
    EXPECT_NE(cuda->kernel_description(chain).find(kernel), std::string::npos) << cuda->kernel_description(chain);
    return cuda;
  }
};

TEST(ColourRuns, PartsFillThePlacesAndStayInTheCache) {
  const ColourDevice device{4 * 132, 60 << 20};
  const auto of = [&](std::int64_t L, int tasks, int replicas, int sweeps) {
    return share_out_runs(device, L * L * L / 1024, 12 * L * L * L, tasks, replicas, sweeps);
  };
  const ColourRuns large = of(64, 6, 40, 11);
  EXPECT_EQ(large.together, 2);         // of 256 boxes
  EXPECT_EQ(large.of_realization, 10);  // 8 replicas of 3 MiB at a time
  EXPECT_EQ(of(64, 1, 8, 11).together, 0) << "all replicas stay in the cache";
  EXPECT_EQ(of(64, 6, 40, 1).together, 0) << "nothing is read again";
  EXPECT_EQ(of(48, 6, 40, 11).together, 0) << "four runs of 108 boxes leave a fifth of the places empty";
  EXPECT_EQ(of(128, 6, 40, 11).together, 0) << "one replica fills the cache";
  for (const std::int64_t L : {20, 32, 64, 80}) {
    const ColourRuns runs = of(L, 50, 90, 4);
    ASSERT_GT(runs.together, 0) << L;
    const std::int64_t length = (90 + runs.of_realization - 1) / runs.of_realization;
    EXPECT_LE(runs.together * length * 12 * L * L * L, device.cache / 2) << L;
    EXPECT_LE(runs.together * (L * L * L / 1024), device.places) << L;
  }
}

TEST_P(CudaColours, RoundsHaveTheBitsOfTheHost) {
  const Chain chain = this->chain();
  const auto cuda = device(chain), host = oracle_backend(Oracle::cpu);
  const std::vector<Disorder> disorder = this->disorder();
  std::vector<ChainState> found(2), expected(2);
  for (std::uint32_t i = 0; i < 2; ++i) found[i] = expected[i] = initial_state(chain, 5 + 3 * i);
  static_cast<void>(run_one_round(*host, chain, disorder[1], 8, expected[1]));  // is a round ahead
  found[1] = expected[1];
  for (int round = 0; round < 2; ++round) {
    std::vector<RoundRecord> of_device(2), of_host(2);
    for (const bool on_device : {false, true}) {
      std::vector<RoundTask> tasks;
      for (std::uint32_t i = 0; i < 2; ++i) {
        tasks.push_back(
            {5 + 3 * i, &disorder[i], on_device ? &found[i] : &expected[i], on_device ? &of_device[i] : &of_host[i]});
      }
      RoundControl control;
      ASSERT_EQ((on_device ? *cuda : *host).run_round(chain, tasks, control), RoundOutcome::finished);
    }
    for (std::size_t i = 0; i < 2; ++i) {
      ASSERT_TRUE(same_bytes(found[i].spins, expected[i].spins)) << "round " << round << ", realization " << i;
      ASSERT_TRUE(same_bytes(found[i], expected[i])) << "round " << round << ", realization " << i << ": walk";
      ASSERT_EQ(found[i].beside, expected[i].beside) << "round " << round << ", realization " << i;
      ASSERT_EQ(of_device[i].mean, of_host[i].mean) << "round " << round << ", realization " << i;
      ASSERT_TRUE(same_bytes(of_device[i], of_host[i])) << "round " << round << ", realization " << i << ": record";
    }
  }
}

TEST_P(CudaColours, CoursesHaveTheBitsOfTheHost) {
  Chain chain = this->chain();
  if (chain.slots() > 3) GTEST_SKIP() << "one test of many replicas is enough";
  chain.protocol.adaptation = 0;  // widths stand still in courses
  const auto cuda = device(chain), host = oracle_backend(Oracle::cpu);
  const CourseCase one{GetParam().name, chain.model, GetParam().moves};
  const Course course = course_of(one, chain);
  const std::vector<Disorder> disorder = this->disorder();
  const Walked expected = walk(*host, chain, disorder, course);
  expect_same_walk(walk(*cuda, chain, disorder, course), expected, "in one go");
  expect_same_walk(walk(*cuda, chain, disorder, course, {1, 7}), expected, "cut");
}

INSTANTIATE_TEST_SUITE_P(Chains, CudaColours, ::testing::ValuesIn(colour_cases),
                         [](const auto& one) { return one.param.name; });

}}  // namespace glassworks
