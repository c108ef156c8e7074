#include "engine/disorder_file.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "engine/coupling_samples.hpp"
#include "tests/engine/config_fixture.hpp"

namespace glassworks {
namespace {

using testing::HasSubstr;

class DisorderFiles : public ConfigTest {
 protected:
  std::string couplings_error(const std::string& text, const Lattice& lattice = {3, 4}) const {
    return input_error([&] { static_cast<void>(read_couplings_file(write("J", text), lattice)); });
  }
  std::string field_error(const std::string& text) const {
    return input_error([&] { static_cast<void>(read_field_file(write("H", text), {3, 4}, 3)); });
  }
};

TEST_F(DisorderFiles, BondsLandWhereTheyBelong) {
  const Lattice lattice{3, 4};
  // Site 27 = 3 + 4 (2 + 4 * 1).
  const DisorderFile read =
      read_couplings_file(write("J", "# a comment\n\n 27 2 -1.5 # z bond\r\n63\t0 +1e-6\n5 1 0"), lattice);
  ASSERT_EQ(read.values.size(), 192U);
  EXPECT_EQ(read.values[27 * 3 + 2], -1.5F);
  EXPECT_EQ(read.values[63 * 3], 1e-6F);
  EXPECT_EQ(std::count(read.values.begin(), read.values.end(), 0.0F), 190);
}

TEST_F(DisorderFiles, NoBondLeadsAcrossAnOpenEnd) {
  const Lattice open{.dim = 2, .L = 4, .open = 0b10};  // along y
  EXPECT_EQ(read_couplings_file(write("J", "3 0 1\n12 0 1\n8 1 1\n12 1 0\n"), open).values[12 * 2 + 1], 0.0F);
  EXPECT_EQ(couplings_error("12 1 0.5\n", open).substr(couplings_error("12 1 0.5\n", open).find("J:1")),
            "J:1: the bond of site 12 along axis 1 leads across an open end (see model.boundary). Remove the line, or "
            "make the axis periodic.");
}

TEST_F(DisorderFiles, FieldsLandWhereTheyBelong) {
  const DisorderFile read = read_field_file(write("H", "63 1 -2 3e-9\n0 0 0 0\n"), {3, 4}, 3);
  ASSERT_EQ(read.values.size(), 192U);
  EXPECT_EQ((std::vector<float>(read.values.end() - 3, read.values.end())), (std::vector<float>{1.0F, -2.0F, 3e-9F}));
  EXPECT_EQ(std::count(read.values.begin(), read.values.end(), 0.0F), 189);
}

TEST_F(DisorderFiles, FieldsHaveTheComponentsOfTheSpins) {
  const DisorderFile ising = read_field_file(write("H", "63 -0.5\n"), {3, 4}, 1),
                     four = read_field_file(write("H", "2 1 2 3 4\n"), {3, 4}, 4);
  ASSERT_EQ(ising.values.size(), 64U);
  EXPECT_EQ(ising.values.back(), -0.5F);
  ASSERT_EQ(four.values.size(), 256U);
  EXPECT_EQ((std::vector<float>(four.values.begin() + 8, four.values.begin() + 12)), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_THAT(input_error([&] {
                static_cast<void>(read_field_file(write("H", "0 1 1\n"), {3, 4}, 1));
              }),
              HasSubstr("3 columns instead of 2 (a line is `site H`)"));
}

TEST_F(DisorderFiles, BadLinesAreNamed) {
  const std::vector<std::pair<std::string, std::string>> bad = {
      {"0 0 1\n\n0 0 1\n", "J:3: the bond of site 0 along axis 0 is given a second time"},
      {"64 0 1\n", "J:1: site 64 is out of range (0 to 63)"},
      {"-1 0 1\n", "J:1: site -1 is out of range"},
      {"0 3 1\n", "J:1: axis 3 is out of range (0 to 2)"},
      {"0 0\n", "J:1: 2 columns instead of 3"},
      {"# x\n0 0 1 1\n", "J:2: 4 columns instead of 3"},
      {"0 0 one\n", "J:1: J 'one' cannot be read"},
      {"0 0 +-1\n", "J:1: J '+-1' cannot be read"},
      {"0 0 1.5x\n", "J:1: J '1.5x' cannot be read"},
      {"0.5 0 1\n", "J:1: site '0.5' cannot be read"},
      {"99999999999999999999 0 1\n", "cannot be read"},
      {"0 0 1e999\n", "cannot be read"},
      {"0 0 nan\n", "J = nan is out of range"},
      {"0 0 -inf\n", "J = -inf is out of range"},
      {"0 0 1000001\n", "J = 1000001 is out of range (0, or 1e-06 to 1000000 in size)"},
      {"0 0 -9e-7\n", "J = -9e-7 is out of range"},
  };
  for (const auto& [text, message] : bad) EXPECT_THAT(couplings_error(text), HasSubstr(message)) << text;
  EXPECT_THAT(couplings_error("0 1 1\n", {1, 8}), HasSubstr("axis 1 is out of range (0 to 0)"));
  EXPECT_THAT(field_error("0 1 1\n"), HasSubstr("H:1: 3 columns instead of 4"));
  EXPECT_THAT(field_error("0 1 1 1\n0 1 1 1\n"), HasSubstr("H:2: the field of site 0 is given a second time"));
  EXPECT_THAT(field_error("0 0 0 2e6\n"), HasSubstr("H = 2e6 is out of range"));
  EXPECT_THAT(field_error("0 1e-7 0 0\n"), HasSubstr("|H| = 1e-07 is out of range"));
  EXPECT_THAT(field_error("64 0 0 0\n"), HasSubstr("site 64 is out of range"));
}

TEST_F(DisorderFiles, RealizationsShareTheFileAndItMustNotChange) {
  const std::string text =
      "model.L = 4\nmodel.couplings = file\nmodel.couplings_file = J\ndisorder.realizations = 2\nladder.temperatures = "
      "1\n";
  write("J", "0 0 1\n1 0 -2\n");
  const Config config = load_config(write("a.cfg", text), {});
  const Disorder disorder = make_disorder(config, {3, 4}, 0);
  EXPECT_EQ(disorder.couplings[0], 1.0F);
  EXPECT_EQ(disorder.couplings[3], -2.0F);
  EXPECT_EQ(disorder.couplings, make_disorder(config, {3, 4}, 1).couplings);
  write("J", "0 0 1\n1 0 -2.5\n");
  EXPECT_THAT(input_error([&] { static_cast<void>(make_disorder(config, {3, 4}, 0)); }), HasSubstr("has changed"));
}

/// A folder with samples of two sizes: J of bond 0 is L + realization.
class CouplingFolder : public DisorderFiles {
 protected:
  void SetUp() override {
    DisorderFiles::SetUp();
    std::filesystem::create_directory(folder_ / "samples");
    for (const int L : {4, 6}) {
      for (std::uint32_t r = 0; r < 3; ++r) write_sample(L, r, fmt::format("0 0 {}\n", L + static_cast<int>(r)));
    }
  }
  void write_sample(int L, std::uint32_t realization, const std::string& text) const {
    write("samples/" + coupling_sample("", L, realization).string(), text);
  }
  [[nodiscard]] Config load(const std::vector<std::string>& overrides = {}) const {
    return load_config(write("a.cfg",
                             "model.L = 4, 6\nmodel.couplings = files\nmodel.couplings_file = samples\n"
                             "disorder.realizations = 2\nladder.temperatures = 1\n"),
                       overrides);
  }
  [[nodiscard]] std::string error(const std::vector<std::string>& overrides = {}) const {
    return input_error([&] { static_cast<void>(load(overrides)); });
  }
};

TEST_F(CouplingFolder, EachRealizationHasItsFile) {
  EXPECT_EQ(coupling_sample("samples", 8, 12), "samples/L008-r000012.txt");
  const Config config = load();
  for (const int L : {4, 6}) {
    for (std::uint32_t r = 0; r < 2; ++r) {
      EXPECT_EQ(make_disorder(config, {3, L}, r).couplings[0], static_cast<float>(L + static_cast<int>(r)));
    }
  }
}

TEST_F(CouplingFolder, ContentIsPinnedAndMayGrow) {
  const Config config = load();
  const Config stored = parse_config(canonical_text(config));
  EXPECT_TRUE(campaign_changes(stored, load()).empty());
  const auto more = campaign_changes(stored, load({"disorder.realizations=3, 2"}));
  ASSERT_EQ(more.size(), 1U);
  EXPECT_TRUE(more.front().allowed);
  EXPECT_NE(load({"disorder.realizations=3, 2"}).model.couplings_digest, config.model.couplings_digest);
  EXPECT_EQ(load({"model.L=6, 4"}).model.couplings_digest, config.model.couplings_digest);

  write_sample(6, 1, "0 0 7.5\n");
  EXPECT_THAT(input_error([&] { static_cast<void>(make_disorder(config, {3, 6}, 1)); }), HasSubstr("has changed"));
  EXPECT_EQ(campaign_changes(stored, load()).size(), 1U);
  EXPECT_FALSE(campaign_changes(stored, load({"disorder.realizations=3"})).front().allowed);
  Config reopened = stored;
  EXPECT_THAT(input_error([&] { open_coupling_samples(reopened); }),
              HasSubstr("have changed since the campaign began"));
}

TEST_F(CouplingFolder, WhatIsMissingOrBadIsNamedBeforeAnythingBegins) {
  EXPECT_THAT(error({"disorder.realizations=4"}), HasSubstr("samples holds no L004-r000003.txt (L = 4 has 4"));
  EXPECT_THAT(error({"model.L=8"}), HasSubstr("holds no L008-r000000.txt"));
  EXPECT_THAT(error({"model.couplings_file=nowhere"}), HasSubstr("nowhere is not a folder"));
  EXPECT_THAT(error({"model.couplings=file", "model.L=4"}), HasSubstr("is a folder (model.couplings = file reads"));
  write_sample(6, 0, "0 0 1\n0 3 1\n");
  EXPECT_THAT(error(), HasSubstr("L006-r000000.txt:2: axis 3 is out of range"));
  write_sample(6, 0, "0 0 1e6\n");
  EXPECT_THAT(error({"ladder.temperatures=0.01"}), HasSubstr("is too low"));
}

TEST_F(CouplingFolder, WrittenCouplingsAreReadBackToTheBit) {
  const Config drawn = parse_config("model.L = 4\ndisorder.realizations = 2\nladder.temperatures = 1\n");
  const Lattice open{.dim = 3, .L = 4, .open = 0b100};
  for (const Lattice& lattice : {Lattice{3, 4}, open}) {
    const std::vector<float> couplings = make_disorder(drawn, lattice, 1).couplings;
    EXPECT_EQ(read_couplings_file(write("J", couplings_text(couplings, lattice)), lattice).values, couplings);
  }
}

TEST_F(DisorderFiles, ZeroIsAValueButNothingIsASlip) {
  Config config = parse_config(minimal_config);
  config.model.couplings = CouplingKind::file;
  config.model.couplings_file = write("J", "0 0 0\n");
  config.model.field = FieldKind::file;
  config.model.field_file = write("H", "0 0 0 0\n");
  const Disorder disorder = make_disorder(config, {3, 4}, 0);
  EXPECT_EQ(disorder.couplings, std::vector<float>(192, 0.0F));
  EXPECT_EQ(disorder.fields, std::vector<float>(192, 0.0F));
  EXPECT_EQ(disorder.energy_scale.exponent, 24);
  for (const char* text : {"", "# no bonds\n", "\n\r\n \t\n", "\xEF\xBB\xBF"}) {
    EXPECT_THAT(couplings_error(text), HasSubstr("it holds no bond")) << text;
    EXPECT_THAT(field_error(text), HasSubstr("it holds no field")) << text;
  }
}

TEST_F(DisorderFiles, WhatIsNoTextIsNamed) {
  EXPECT_EQ(read_couplings_file(write("J",
                                      "\xEF\xBB\xBF"
                                      "0 0 2\r\n"),
                                {3, 4})
                .values[0],
            2.0F);
  EXPECT_THAT(couplings_error("\xFF\xFE" + std::string("0\0", 2)), HasSubstr("it is UTF-16 text"));
  EXPECT_THAT(couplings_error("\xFE\xFF" + std::string("\0"
                                                       "0",
                                                       2)),
              HasSubstr("it is UTF-16 text"));
  EXPECT_THAT(couplings_error(std::string("0\0 \0", 4)), HasSubstr("J:1: the byte 0x00"));
  EXPECT_THAT(couplings_error("0 0 1\n# \x1B[2J\n"), HasSubstr("J:2: the byte 0x1B"));
  std::string longest(1 << 20, ' ');
  for (std::size_t i = 0; i < longest.size(); i += 2) longest[i] = '1';
  EXPECT_THAT(couplings_error("0 0 1\n" + longest.substr(0, 1 << 19)), HasSubstr("J:2: 262144 columns instead of 3"));
  EXPECT_THAT(couplings_error(longest + longest), HasSubstr("is too large"));
}

}  // namespace
}  // namespace glassworks
