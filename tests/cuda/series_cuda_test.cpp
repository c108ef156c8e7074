#include "kernels/rounds/held_batch.hpp"
#include "kernels/series/series_measurer.hpp"
#include "tests/cuda/cuda_support.hpp"
#include "tests/kernels/series/course_runs.hpp"
#include "tests/kernels/series/series_cases.hpp"

/// Courses that are measured on a GPU: the rows of the host, to the bit.
namespace glassworks { namespace {

using test::SeriesCase;

SpinModel anisotropic(SpinModel model) {
  model.anisotropic = true;
  return model;
}

const SeriesCase measured_cases[] = {
    {"heisenberg_1d", SpinModel{}, {1, 40}, 2, 1, 0},
    {"heisenberg_2d", SpinModel{}, {2, 12}, 5, 1, 0},
    {"heisenberg_6", SpinModel{}, {3, 6}, 2, 3, 0},
    {"heisenberg_10", SpinModel{}, {3, 10}, 3, 1, 0},
    {"heisenberg_12_one_copy", SpinModel{}, {3, 12}, 1, 3, 0},
    {"heisenberg_18", SpinModel{}, {3, 18}, 4, 1, 0},
    {"heisenberg_24_copies", SpinModel{}, {3, 6}, 24, 2, 0},
    {"heisenberg_all_of_24_copies", SpinModel{}, {2, 6}, 24, 1, 276},
    {"heisenberg_300_copies", SpinModel{}, {2, 6}, 300, 1, 0},
    {"heisenberg_open", SpinModel{}, {3, 10, 5U}, 5, 2, 7},
    {"heisenberg_4d", SpinModel{}, {4, 6}, 2, 1, 0},
    {"heisenberg_diluted", test::diluted(SpinModel{}), {3, 6}, 3, 2, 0, 0.3},
    {"heisenberg_anisotropic", anisotropic(SpinModel{}), {3, 6}, 2, 2, 0},
    {"xy_1d", test::on(2), {1, 10}, 3, 1, 0},
    {"xy_2d", test::on(2), {2, 10}, 3, 2, 0},
    {"xy_3d_open", test::on(2), {3, 10, 6U}, 5, 1, 0},
    {"xy_4d", test::on(2), {4, 4}, 24, 1, 0},
    {"xy_triangular_open", test::on(2), {2, 6, 1U, LatticeKind::triangular}, 2, 1, 0},
    {"xy_odd_open_prism", test::on(2), test::prism({35, 5, 3}, 7U), 2, 1, 0},
    {"on_3_prism", test::on(3), test::prism({10, 4, 10}), 3, 1, 0},
    {"on_3_bcc", test::on(3), {3, 4, 0, LatticeKind::bcc}, 2, 1, 0},
    {"o_4_2d", test::on(4), {2, 12}, 3, 3, 0},
    {"o_4_fcc_diluted", test::diluted(test::on(4)), {3, 6, 4U, LatticeKind::fcc}, 24, 1, 0, 0.2},
    {"ising_2d", test::ising(), {2, 10}, 2, 2, 0},
    {"ising_2d_40", test::ising(), {2, 40}, 3, 1, 0},
    {"ising_6", test::ising(), {3, 6}, 2, 3, 0},
    {"ising_32", test::ising(), {3, 32}, 2, 1, 0},
    {"ising_64", test::ising(), {3, 64}, 1, 1, 0},
    {"ising_70_2d", test::ising(), {2, 70}, 5, 1, 7},
    {"ising_4d", test::ising(), {4, 4}, 18, 2, 0},
    {"phi_4", test::phi4(std::numeric_limits<double>::infinity()), {3, 6}, 2, 1, 0},
};

/// A batch of two realizations on the device, of which the second is measured. Returns whether it can be.
bool measure_on_device(Chain chain, const Disorder& disorder, const ChainState& state, const SeriesLayout& layout,
                       std::span<const KeptSpins> kept, std::vector<double>& rows) {
  const auto backend = test::cuda_backend();
  chain.measurements = 0;  // of rounds, as in a course
  EXPECT_EQ(backend->refusal(chain), "");
  std::vector<HeldTask> tasks;
  tasks.push_back({4, &disorder, initial_state(chain, 4)});
  tasks.push_back({5, &disorder, state});
  tasks.front().state.steps = state.steps;
  const auto held = backend->hold(chain, std::move(tasks));
  auto* const measurer = held->series_measurer();
  EXPECT_NE(measurer, nullptr);
  rows.assign(static_cast<std::size_t>(chain.slots() * layout.size()), -7.0);
  const std::vector<KeptSpins> of_task(kept.begin(), kept.end());
  return measurer != nullptr && measurer->measure(1, layout, {&of_task, 1}, 2, rows);
}

class CudaSeries : public test::OnDeviceWith<SeriesCase> {};

TEST_P(CudaSeries, RowsAreThoseOfTheHost) {
  test::SeriesMoments m = test::moments_of(GetParam());
  if (GetParam().model.anisotropic) {
    test::Source source(5);
    for (std::int64_t i = 0; i < m.chain.lattice.sites(); ++i) {
      const test::Vector3d axis = test::random_direction(source);
      for (const double c : {axis.x, axis.y, axis.z}) m.disorder.axes.push_back(static_cast<float>(c));
    }
    m.disorder.anisotropy = 0.4F;
  }
  if (m.disorder.fields.empty() && m.chain.slots() > 1) {
    test::Source source(6);
    for (std::int64_t i = 0; i < m.chain.lattice.sites() * components_of(m.chain.model); ++i) {
      m.disorder.fields.push_back(static_cast<float>(0.5 * source.normal()));
    }
  }
  m.disorder.energy_scale = choose_energy_scale(m.chain.lattice, m.disorder.couplings, m.disorder.fields, 0.4);
  const SeriesLayout layout(m.shape);
  for (const std::size_t moment : {0, 2}) {
    const std::vector<double> expected = test::rows_of(m, moment, layout, 2);
    std::vector<double> rows;
    ASSERT_TRUE(measure_on_device(m.chain, m.disorder, m.states[moment], layout, test::kept_at(m, moment), rows));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto columns = static_cast<std::size_t>(layout.size());
      EXPECT_EQ(rows[i], expected[i]) << layout.names()[i % columns] << " of slot " << i / columns;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Models, CudaSeries, ::testing::ValuesIn(measured_cases),
                         [](const auto& one) { return one.param.name; });

class CudaSeriesOfOthers : public test::OnDevice {};

TEST_F(CudaSeriesOfOthers, AreLeftToTheHost) {
  for (const SpinModel& model : {test::potts(3), test::clock_model(5), test::on(7), test::diluted(test::ising())}) {
    const test::SeriesMoments m = test::moments_of({"", model, {2, 6}, 2, 1, 0});
    std::vector<double> rows;
    EXPECT_FALSE(measure_on_device(m.chain, m.disorder, m.states[0], SeriesLayout(m.shape), {}, rows));
  }
}

class CudaCourseSeries : public test::OnDevice {};

/// Spins after rounds without measurements, absent ones among them, and a field that changes.
TEST_F(CudaCourseSeries, RecordsAreThoseOfTheHost) {
  for (const SeriesCase& one : {SeriesCase{"Heisenberg", test::diluted(SpinModel{}), {3, 6}, 3, 2, 0, 0.3},
                                {"XY", test::diluted(test::on(2)), {2, 8}, 3, 2, 0, 0.2},
                                {"Ising", test::diluted(test::ising()), {3, 6}, 3, 2, 0, 0.2},
                                {"Heisenberg in a field", SpinModel{}, {3, 8}, 4, 2, 0}}) {
    test::SeriesMoments m = test::moments_of(one);
    Chain& chain = m.chain;
    chain.protocol = {};
    MoveList moves{{MoveRule::over_relaxation, 2}, {MoveRule::heat_bath, 1}};
    if (one.model.is_discrete()) moves = {{MoveRule::heat_bath, 1}};
    set_moves(chain.protocol, moves);
    chain.protocol.sweeps_per_exchange = chain.protocol.exchanges_per_measurement = 1;
    chain.protocol.exchange = ExchangeSchedule::none;
    Course course = test::quench(chain, {1, 3, 8}, {0, 2});
    if (one.absent == 0.0) {
      m.disorder = test::gaussian_disorder(chain.lattice, 11, 0.5);
      course.segments.front().field = Ramp::constant(-0.5);
    }
    chain.course = std::make_shared<const Course>(std::move(course));
    const auto host = test::fast_backend(), device = test::cuda_backend();
    const test::CourseRun expected = test::run_course(*host, chain, {m.disorder}, {7, 9});
    const test::CourseRun found = test::run_course(*device, chain, {m.disorder}, {7, 9});
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_TRUE(test::same_bytes(found.states[i], expected.states[i])) << one.name;
      EXPECT_EQ(found.states[i].kept, expected.states[i].kept) << one.name;
      for (std::size_t r = 0; r < expected.records.size(); ++r) {
        EXPECT_TRUE(test::same_bytes(found.records[r][i], expected.records[r][i])) << one.name << ", round " << r;
      }
    }
  }
}

}}  // namespace glassworks
