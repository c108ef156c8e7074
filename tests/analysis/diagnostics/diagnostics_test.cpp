#include "analysis/diagnostics/diagnostics.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "tests/analysis/diagnostics/diagnostics_fixture.hpp"
#include "tests/refusals.hpp"

namespace glassworks { namespace {

using ::testing::HasSubstr;

SizeDiagnostics empty_size(std::vector<double> temperatures = {0.5, 1.0, 2.0}) {
  return {testing::diagnosed_config(), testing::size_row(std::move(temperatures))};
}

std::vector<RoundRow> history(std::uint32_t r, int slots, std::uint32_t rounds = 8) {
  std::vector<RoundRow> all;
  for (std::uint32_t n = 0; n < rounds; ++n) {
    all.push_back(testing::fake_round(n, slots, [&](int slot, const std::string& name) {
      return testing::propagator_bin(1.0 + 0.1 * slot + 0.013 * r, 4, name) * (1.0 + 0.001 / (n + 1.0 + r));
    }));
    all.back().record.round_trips[0] = r + 1;
    for (auto& attempts : all.back().record.exchange_attempts) attempts = 10;
    for (auto& accepted : all.back().record.exchange_accepted) accepted = 3 + r % 4;
  }
  return all;
}

/// All numbers of all figures and texts of all tables.
std::vector<std::string> numbers(const SizeDiagnostics& size) {
  std::vector<std::string> all;
  for (const Section& section : diagnostics_sections(std::span(&size, 1))) {
    for (const Item& item : section.items) {
      if (const Figure* f = std::get_if<Figure>(&item)) {
        for (const Series& s : f->series) {
          for (const auto* values : {&s.x, &s.y, &s.y_error}) {
            for (const double v : *values) all.push_back(fmt::format("{}", v));
          }
        }
      } else {
        for (const auto& row : std::get<Table>(item).rows) all.insert(all.end(), row.begin(), row.end());
      }
    }
  }
  return all;
}

TEST(Diagnostics, DoNotDependOnTheOrderOfRealizationsNorOnHowTheyAreShared) {
  SizeDiagnostics one = empty_size(), a = empty_size(), b = empty_size();
  for (std::uint32_t r = 0; r < 9; ++r) one.add(testing::realization_row(r, 8), history(r, 3));
  for (const std::uint32_t r : {8U, 1U, 5U, 2U}) a.add(testing::realization_row(r, 8), history(r, 3));
  for (const std::uint32_t r : {7U, 0U, 3U, 6U, 4U}) b.add(testing::realization_row(r, 8), history(r, 3));
  a.merge(std::move(b));
  EXPECT_EQ(a.realizations(), 9U);
  EXPECT_GT(numbers(one).size(), 300U);
  EXPECT_EQ(numbers(a), numbers(one));
}

TEST(Diagnostics, SectionsHaveTitlesCaptionsAndUniqueIds) {
  SizeDiagnostics size = empty_size();
  for (std::uint32_t r = 0; r < 4; ++r) size.add(testing::realization_row(r, 8), history(r, 3));
  std::set<std::string> ids;
  const std::vector<Section> sections = diagnostics_sections(std::span(&size, 1));
  ASSERT_EQ(sections.size(), 4U);
  for (const Section& section : sections) {
    EXPECT_FALSE(section.paragraphs.empty());
    EXPECT_TRUE(ids.insert(section.id).second);
    for (const Item& item : section.items) {
      std::visit(
          [&](const auto& x) {
            EXPECT_TRUE(ids.insert(x.id).second) << x.id;
            EXPECT_FALSE(x.title.empty()) << x.id;
            EXPECT_FALSE(x.caption.empty()) << x.id;
          },
          item);
    }
  }
}

TEST(Diagnostics, WithoutDataThereIsASentence) {
  SizeDiagnostics size = empty_size();
  size.add(testing::realization_row(0, 0), {});
  EXPECT_EQ(size.realizations(), 0U);
  const std::vector<Section> sections = diagnostics_sections(std::span(&size, 1));
  ASSERT_EQ(sections.size(), 1U);
  EXPECT_THAT(sections[0].paragraphs[0], HasSubstr("no"));
  EXPECT_TRUE(sections[0].items.empty());
}

TEST(Diagnostics, OneRealizationOfOneRoundAtOneTemperatureIsShownAsFarAsItGoes) {
  SizeDiagnostics size = empty_size({1.0});
  size.add(testing::realization_row(0, 1), history(0, 1, 1));
  const std::vector<Section> sections = diagnostics_sections(std::span(&size, 1));
  ASSERT_EQ(sections.size(), 4U);
  EXPECT_THAT(sections[0].paragraphs.back(), HasSubstr("need two rounds"));
  EXPECT_THAT(sections[1].paragraphs[0], HasSubstr("one temperature"));
  EXPECT_THAT(sections[3].paragraphs[0], HasSubstr("One realization"));
}

TEST(Diagnostics, SayWhatDoesNotApply) {
  Config config = testing::diagnosed_config();
  config.model.couplings = CouplingKind::bimodal;
  config.model.field = FieldKind::sphere;
  config.protocol.exchange = ExchangeSchedule::sequential;
  SizeDiagnostics size(config, testing::size_row({0.5, 1.0}));
  for (std::uint32_t r = 0; r < 3; ++r) size.add(testing::realization_row(r, 8), history(r, 2));
  const std::vector<Section> sections = diagnostics_sections(std::span(&size, 1));
  EXPECT_THAT(sections[0].paragraphs.back(), HasSubstr("only logarithmic bins"));
  EXPECT_THAT(sections[1].paragraphs.back(), HasSubstr("for comparison only"));
  EXPECT_THAT(sections[3].paragraphs.back(), HasSubstr("not the connected"));
}

TEST(Diagnostics, RefuseRoundsOfAnotherShapeAndNumbersThatAreNotFinite) {
  SizeDiagnostics size = empty_size();
  EXPECT_THAT([&] { size.add(testing::realization_row(3, 8), history(3, 2)); }, Fails());
  std::vector<RoundRow> rounds = history(3, 3);
  rounds[5].record.mean[2] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT([&] { size.add(testing::realization_row(3, 8), rounds); }, Fails());
  EXPECT_EQ(size.realizations(), 0U);
}

}}  // namespace glassworks
