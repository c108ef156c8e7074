#include <gmock/gmock.h>

#include "kernels/series/ising_energy.hpp"
#include "kernels/series/replica_energy.hpp"
#include "tests/kernels/series/direct_series.hpp"
#include "tests/kernels/series/series_cases.hpp"

/// Measurements of courses against their definitions.
namespace glassworks { namespace {

using test::diluted;
using test::moments_of;
using test::prism;
using test::rows_of;
using test::SeriesCase;
using Moments = test::SeriesMoments;

const SeriesCase series_cases[] = {
    {"ising_1d", test::ising(), {1, 12}, 3, 2, 0},
    {"ising_2d_two_words", test::ising(), {2, 70}, 2, 1, 0},
    {"ising_2d_whole_word", test::ising(), {2, 64}, 2, 1, 0},
    {"ising_2d_two_whole_words", test::ising(), {2, 128}, 2, 1, 0},
    {"ising_2d_three_words", test::ising(), {2, 150}, 2, 1, 0},
    {"ising_open_x", test::ising(), {2, 6, 1U}, 3, 1, 0},
    {"ising_prism", test::ising(), prism({6, 4, 6}), 8, 1, 9},
    {"ising_odd_open_prism", test::ising(), prism({67, 5, 3}, 7U), 2, 1, 0},
    {"ising_3d_of_17", test::ising(), {3, 4}, 17, 1, 100},
    {"ising_4d", test::ising(), {4, 4}, 2, 2, 0},
    {"ising_triangular", test::ising(), {2, 6, 0, LatticeKind::triangular}, 2, 1, 0},
    {"ising_fcc_open", test::ising(), {3, 4, 4U, LatticeKind::fcc}, 2, 1, 0},
    {"ising_diluted", diluted(test::ising()), {3, 6}, 3, 1, 0, 0.3},
    {"blume_capel_diluted", diluted(test::blume_capel(0.4)), {2, 6, 2U}, 3, 1, 0, 0.2},
    {"potts_3", test::potts(3), {2, 6}, 3, 1, 0},
    {"potts_10_open", test::potts(10), {3, 4, 1U}, 2, 1, 0},
    {"potts_2_bcc", test::potts(2), {3, 4, 0, LatticeKind::bcc}, 2, 1, 0},
    {"clock_6", test::clock_model(6), {2, 6}, 3, 1, 0},
    {"clock_5_diluted", diluted(test::clock_model(5)), {3, 4}, 2, 1, 0, 0.2},
    {"xy_2d", test::on(2), {2, 6}, 3, 2, 0},
    {"xy_3d_open", test::on(2), {3, 4, 5U}, 2, 1, 0},
    {"xy_4d", test::on(2), {4, 4}, 2, 1, 0},
    {"heisenberg_1d", SpinModel{}, {1, 40}, 2, 1, 0},
    {"heisenberg_3d", SpinModel{}, {3, 6}, 4, 2, 0},
    {"heisenberg_open", SpinModel{}, {3, 6, 6U}, 8, 1, 13},
    {"heisenberg_prism", SpinModel{}, prism({10, 4, 10}), 2, 1, 0},
    {"heisenberg_diluted", diluted(SpinModel{}), {2, 8}, 17, 1, 0, 0.3},
    {"on_3_long_rows", test::on(3), prism({70, 2}), 2, 1, 0},
    {"o_4", test::on(4), {3, 4}, 3, 1, 0},
    {"o_7", test::on(7), {2, 6}, 2, 1, 0},
    {"phi_4", test::phi4(std::numeric_limits<double>::infinity()), {2, 6}, 2, 1, 0},
};

class SeriesOfCourses : public ::testing::TestWithParam<SeriesCase> {};

TEST_P(SeriesOfCourses, HaveTheColumnsOfTheirDefinition) {
  const Moments m = moments_of(GetParam());
  ASSERT_EQ(series_problem(m.shape), "");
  const SeriesLayout layout(m.shape);
  test::DirectSeries direct(m.chain, m.disorder, m.shape);
  // Vectors have roundings of 2^-13 in each of N terms; energies those of float.
  const bool exact = GetParam().model.kind != ModelKind::clock && GetParam().model.is_discrete();
  const double error = exact ? 1e-12 : 6e-4 / std::sqrt(static_cast<double>(m.chain.lattice.sites()));
  for (const std::size_t moment : {0, 2}) {
    const std::vector<double> rows = rows_of(m, moment, layout, 1);
    for (int slot = 0; slot < m.chain.slots(); ++slot) {
      const std::size_t times = moment == 0 ? 1 : 2;
      const auto wanted = direct.row(m.states[moment], {m.states.data(), times}, slot);
      std::size_t found = 0;
      for (int column = 0; column < layout.size(); ++column) {
        const std::string& name = layout.names()[static_cast<std::size_t>(column)];
        const double value = rows[static_cast<std::size_t>(slot * layout.size() + column)];
        if (!wanted.contains(name)) {
          EXPECT_TRUE(moment == 0 && name.find("100") != std::string::npos) << name;
          EXPECT_EQ(value, 0.0) << name;
          continue;
        }
        ++found;
        const bool of_energy = name.starts_with("energy");
        EXPECT_NEAR(value, wanted.at(name), of_energy ? 4e-6 : error) << name << " of slot " << slot;
      }
      EXPECT_EQ(found, wanted.size());
    }
  }
  EXPECT_EQ(rows_of(m, 2, layout, 4), rows_of(m, 2, layout, 1)) << "threads";
}

INSTANTIATE_TEST_SUITE_P(Models, SeriesOfCourses, ::testing::ValuesIn(series_cases),
                         [](const auto& one) { return one.param.name; });

double column_of(const std::vector<double>& rows, const SeriesLayout& layout, const std::string& name) {
  return rows[static_cast<std::size_t>(layout.column(name).value())];
}

/// sum over all r of C_4(r) = N q^2, to the last bit of the sum.
TEST(SeriesOfChains, ProfileAndOverlapAgree) {
  const Moments m = moments_of({"", test::ising(), {1, 32}, 4, 1, 0});
  const SeriesLayout layout(m.shape);
  const std::vector<double> rows = rows_of(m, 2, layout, 1);
  EXPECT_EQ(column_of(rows, layout, "c4_axis(0)"), 1.0);
  double sum = 0.0;
  for (int r = 0; r < 32; ++r) sum += column_of(rows, layout, "c4_axis(" + std::to_string(std::min(r, 32 - r)) + ")");
  EXPECT_NEAR(sum, 32.0 * column_of(rows, layout, "overlap_2"), 1e-13);
  EXPECT_GT(sum, 0.1);
}

/// Neighbours along the axes are the bonds.
TEST(SeriesOfChains, LinkOverlapIsTheFirstValueOfTheProfile) {
  for (const SpinModel& model : {test::ising(), SpinModel{}, test::on(2), diluted(test::ising())}) {
    const Moments m = moments_of({"", model, {3, 4}, 3, 1, 0, model.diluted ? 0.2 : 0.0});
    const SeriesLayout layout(m.shape);
    const std::vector<double> rows = rows_of(m, 2, layout, 1);
    EXPECT_NEAR(column_of(rows, layout, "link_overlap"), column_of(rows, layout, "c4_axis(1)"), 1e-15);
    EXPECT_NEAR(column_of(rows, layout, "link_correlation(100)"), column_of(rows, layout, "c22_axis(100,1)"),
                model.kind == ModelKind::ising ? 1e-15 : 1.0);
  }
}

/// The energy is that of the backends, to the last bit of its sum.
TEST(SeriesOfChains, EnergyIsThatOfARound) {
  for (const SpinModel& model : {test::ising(), SpinModel{}, test::on(2), test::potts(4), test::blume_capel(0.3)}) {
    Moments m = moments_of({"", model, {3, 4}, 2, 1, 0});
    m.chain.protocol.exchanges_per_measurement = 1;
    if (model.kind == ModelKind::heisenberg) m.chain.protocol.exchange = ExchangeSchedule::even_odd;  // one slot
    ChainState state = m.states[0];
    const RoundRecord record = test::run_one_round(*test::fast_backend(), m.chain, m.disorder, 5, state);
    const SeriesLayout layout(m.shape);
    std::vector<double> row(static_cast<std::size_t>(layout.size()));
    measure_series(m.chain, m.disorder, state, {}, layout, 1, row);
    const BinLayout bins(m.chain);
    for (const auto& [q, name] :
         {std::pair{BinQuantity::energy, "energy"}, {BinQuantity::energy_squared, "energy_squared"}}) {
      EXPECT_NEAR(column_of(row, layout, name), record.mean[static_cast<std::size_t>(bins[q])], 1e-14) << name;
    }
  }
}

/// Couplings of one modulus are counted; others are added.
TEST(SeriesOfChains, EnergyOfIsingIsThatOfPlainCode) {
  for (const SeriesCase& one : series_cases) {
    if (one.model.kind != ModelKind::ising) continue;
    Moments m = moments_of(one);
    for (const bool one_modulus : {false, true}) {
      for (float& J : m.disorder.couplings) {
        if (one_modulus && J != 0.0F) J = J > 0.0F ? 0.75F : -0.75F;
      }
      const std::uint8_t* states = m.states[1].states.data();
      EXPECT_EQ(IsingEnergy(one.lattice, m.disorder).of(states), replica_energy(m.chain, m.disorder, nullptr, states))
          << one.name << (one_modulus ? " +-J" : "");
    }
  }
}

TEST(SeriesPairs, AreAllOfThemOrChosenEvenly) {
  EXPECT_THAT(series_pairs(3, 0), ::testing::ElementsAre(SeriesPair{0, 1}, SeriesPair{0, 2}, SeriesPair{1, 2}));
  EXPECT_EQ(series_pairs(16, 0).size(), 120U);
  EXPECT_EQ(series_pairs(17, 0).size(), 34U);
  EXPECT_EQ(series_pairs(512, 0).size(), 1024U);
  for (int copies = 2; copies <= 40; ++copies) {
    const int all = copies * (copies - 1) / 2;
    for (int pairs = 1; pairs <= all; ++pairs) {
      const std::vector<SeriesPair> chosen = series_pairs(copies, pairs);
      ASSERT_EQ(static_cast<int>(chosen.size()), pairs);
      std::vector<int> met(static_cast<std::size_t>(copies), 0), seen(static_cast<std::size_t>(copies * copies), 0);
      for (const SeriesPair& pair : chosen) {
        ASSERT_TRUE(0 <= pair.a && pair.a < pair.b && pair.b < copies);
        EXPECT_EQ(++seen[static_cast<std::size_t>(pair.a * copies + pair.b)], 1);
        ++met[static_cast<std::size_t>(pair.a)];
        ++met[static_cast<std::size_t>(pair.b)];
      }
      const auto [least, most] = std::ranges::minmax(met);
      EXPECT_LE(most - least, pairs % copies == 0 ? 0 : 2) << copies << " copies, " << pairs << " pairs";
    }
  }
}

TEST(SeriesLayouts, NameTheirColumnsAndRefuseWhatCannotBeMeasured) {
  const SeriesLayout layout({SpinModel{}, {3, 4}, 2, 0, {16, 64}});
  EXPECT_THAT(layout.names(), ::testing::IsSupersetOf({"energy", "magnetization(3)", "magnetization_2", "c4_axis(2)",
                                                       "c4_diagonal(0)", "chiral_axis_parallel(1)", "correlation(64)",
                                                       "c22_axis(64,2)", "c22_axis(16,0)"}));
  for (int column = 0; column < layout.size(); ++column) {
    EXPECT_EQ(layout.column(layout.names()[static_cast<std::size_t>(column)]), column) << "names are different";
  }
  EXPECT_EQ(layout.column("c22_axis(64,1)"), layout.at(SeriesQuantity::c22_axis, 1, 1));
  EXPECT_FALSE(SeriesLayout({SpinModel{}, {3, 4}, 1, 0, {}}).has(SeriesQuantity::overlap_2));
  EXPECT_FALSE(SeriesLayout({test::ising(), {1, 4}, 2, 0, {}}).has(SeriesQuantity::c4_diagonal));
  const auto refused = [](SeriesShape shape) { return !series_problem(shape).empty(); };
  EXPECT_TRUE(refused({test::phi4(0.5), {3, 4}, 2, 0, {}}));
  EXPECT_TRUE(refused({test::ising(), {3, 4}, 3, 4, {}}));
  EXPECT_TRUE(refused({test::ising(), {3, 4}, 513, 0, {}}));
  EXPECT_TRUE(refused({test::ising(), {3, 4}, 2, 0, {5, 5}}));
  EXPECT_TRUE(refused({test::on(3), {4, 512}, 4, 0, {}}));
  EXPECT_TRUE(refused({test::ising(), {5, 4}, 2, 0, {}}));
  EXPECT_THROW(SeriesLayout({test::ising(), {3, 4}, 3, 4, {}}), std::runtime_error);
}

}}  // namespace glassworks
