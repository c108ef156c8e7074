#include "engine/disorder/disorder_file.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "engine/disorder/coupling_samples.hpp"
#include "engine/disorder/given_disorder.hpp"
#include "tests/engine/config_fixture.hpp"
#include "tests/refusals.hpp"

namespace glassworks { namespace {

class DisorderFiles : public ConfigTest {
 protected:
  auto reading_couplings(const std::string& text, const Lattice& lattice = {3, 4}) const {
    return [=, this] { return read_couplings_file(write("J", text), lattice); };
  }
  auto reading_field(const std::string& text) const {
    return [=, this] { return read_field_file(write("H", text), {3, 4}, 3); };
  }
  /// Of coupling files, and of field files.
  auto refuses_J(InputFault fault) const { return Refuses(fault, (folder_ / "J").string()); }
  auto refuses_H(InputFault fault) const { return Refuses(fault, (folder_ / "H").string()); }
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
  EXPECT_THAT(reading_couplings("12 1 0.5\n", open), refuses_J(InputFault::conflict));
}

class MissingBondNotes : public RefusedConfigTest {
 protected:
  /// A file with the first so many bonds of L = 4 in three dimensions.
  std::filesystem::path bonds(const std::string& name, int count) const {
    std::string lines;
    for (int bond = 0; bond < count; ++bond)
      lines += fmt::format("{} {} {}\n", bond / 3, bond % 3, bond % 5 == 4 ? 0 : 1);
    return write(name, lines);
  }
  const std::string ising =
      "[model]\ntype = ising\n[ladder]\ntemperatures = 1\n[disorder]\nrealizations = 2\n[model]\n";
};

TEST_F(MissingBondNotes, TellHowManyAreMissing) {
  using Notes = std::vector<std::string>;
  const std::string file = bonds("J.txt", 100).string();
  const std::string text = ising + "L = 4\ncouplings = file\ncouplings_file = J.txt\n";
  EXPECT_EQ(load(text).notes, Notes{file + " gives 80 of the 192 bonds; the other 112 are absent (J = 0)."});
  std::string whole;
  for (int bond = 0; bond < 192; ++bond) whole += fmt::format("{} {} -0.5\n", bond / 3, bond % 3);
  write("J.txt", whole);
  EXPECT_EQ(load(text).notes, Notes{});
  const Config config = load(text);
  EXPECT_EQ(load_stored_config(canonical_text(config), config.campaign.directory, {}).notes, Notes{});
}

TEST_F(MissingBondNotes, CountTheFilesOfAFolder) {
  std::filesystem::create_directories(folder_ / "J");
  bonds("J/L004-r000000.txt", 190);
  bonds("J/L004-r000001.txt", 50);
  const std::vector<std::string> notes = load(ising + "L = 4\ncouplings = files\ncouplings_file = J\n").notes;
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0], "2 of 2 files for L = 4 in " + (folder_ / "J").string() +
                          " give 40 to 152 of the 192 bonds; the others are absent (J = 0).");
}

TEST_F(MissingBondNotes, OpenEndsLackNothing) {
  std::string lines;
  for (int site = 0; site < 7; ++site) lines += fmt::format("{} 0 1\n", site);
  write("J.txt", lines);
  const std::string text = ising + "dim = 1\nL = 8\ncouplings = file\ncouplings_file = J.txt\n";
  EXPECT_TRUE(load(text, {"model.boundary=open"}).notes.empty());
  EXPECT_EQ(load(text).notes.size(), 1U) << "an open chain as a ring without a bond";
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
  const DisorderFile eight = read_field_file(write("H", "63 1 2 3 4 5 6 7 8\n"), {3, 4}, 8);
  ASSERT_EQ(eight.values.size(), 512U);
  EXPECT_EQ((std::vector<float>(eight.values.end() - 8, eight.values.end())),
            (std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8}));
  const auto file = write("H", "0 1 1\n");
  EXPECT_THAT(([&] { return read_field_file(file, {3, 4}, 1); }), refuses_H(InputFault::malformed));
}

TEST_F(DisorderFiles, BadLinesAreNamed) {
  const std::vector<std::pair<std::string, InputFault>> bad = {
      {"0 0 1\n\n0 0 1\n", InputFault::repeated},
      {"64 0 1\n", InputFault::out_of_range},
      {"-1 0 1\n", InputFault::out_of_range},
      {"0 3 1\n", InputFault::out_of_range},
      {"0 0\n", InputFault::malformed},
      {"# x\n0 0 1 1\n", InputFault::malformed},
      {"0 0 one\n", InputFault::malformed},
      {"0 0 +-1\n", InputFault::malformed},
      {"0 0 1.5x\n", InputFault::malformed},
      {"0.5 0 1\n", InputFault::malformed},
      {"99999999999999999999 0 1\n", InputFault::malformed},
      {"0 0 1e999\n", InputFault::malformed},
      {"0 0 nan\n", InputFault::out_of_range},
      {"0 0 -inf\n", InputFault::out_of_range},
      {"0 0 1000001\n", InputFault::out_of_range},
      {"0 0 -9e-7\n", InputFault::out_of_range},
  };
  for (const auto& [text, fault] : bad) EXPECT_THAT(reading_couplings(text), refuses_J(fault)) << text;
  EXPECT_THAT(reading_couplings("0 1 1\n", {1, 8}), refuses_J(InputFault::out_of_range));
  EXPECT_THAT(reading_field("0 1 1\n"), refuses_H(InputFault::malformed));
  EXPECT_THAT(reading_field("0 1 1 1\n0 1 1 1\n"), refuses_H(InputFault::repeated));
  EXPECT_THAT(reading_field("0 0 0 2e6\n"), refuses_H(InputFault::out_of_range));
  EXPECT_THAT(reading_field("0 1e-7 0 0\n"), refuses_H(InputFault::out_of_range));
  EXPECT_THAT(reading_field("0 0 1e-200 0\n"), refuses_H(InputFault::out_of_range));
  EXPECT_THAT(reading_field("64 0 0 0\n"), refuses_H(InputFault::out_of_range));
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
  EXPECT_THAT(([&] { return make_disorder(config, {3, 4}, 0); }), refuses_J(InputFault::changed));
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
  [[nodiscard]] auto loading(const std::vector<std::string>& overrides = {}) const {
    return [=, this] { return load(overrides); };
  }
  auto refuses_sample(const char* name, InputFault fault) const {
    return Refuses(fault, (*name == '\0' ? folder_ / "samples" : folder_ / "samples" / name).string());
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
  EXPECT_THAT(([&] {
                return make_disorder(config, {3, 6}, 1);
              }),
              refuses_sample("L006-r000001.txt", InputFault::changed));
  EXPECT_EQ(campaign_changes(stored, load()).size(), 1U);
  EXPECT_FALSE(campaign_changes(stored, load({"disorder.realizations=3"})).front().allowed);
  Config reopened = stored;
  EXPECT_THAT([&] { open_coupling_samples(reopened); }, refuses_sample("", InputFault::changed));
}

TEST_F(CouplingFolder, WhatIsMissingOrBadIsNamedBeforeAnythingBegins) {
  EXPECT_THAT(loading({"disorder.realizations=4"}), refuses_sample("L004-r000003.txt", InputFault::missing));
  EXPECT_THAT(loading({"model.L=8"}), refuses_sample("L008-r000000.txt", InputFault::missing));
  const auto unusable = [] { return Refuses(InputFault::unusable_file, "model.couplings_file"); };
  EXPECT_THAT(loading({"model.couplings_file=nowhere"}), unusable());
  EXPECT_THAT(loading({"model.couplings=file", "model.L=4"}), unusable());
  write_sample(6, 0, "0 0 1\n0 3 1\n");
  EXPECT_THAT(loading(), refuses_sample("L006-r000000.txt", InputFault::out_of_range));
  write_sample(6, 0, "0 0 1e6\n");
  EXPECT_THAT(loading({"ladder.temperatures=0.01"}), Refuses(InputFault::out_of_range, "T"));
}

TEST_F(CouplingFolder, WrittenCouplingsAreReadBackToTheBit) {
  const Config drawn = parse_config("model.L = 4\ndisorder.realizations = 2\nladder.temperatures = 1\n");
  const Lattice open{.dim = 3, .L = 4, .open = 0b100};
  for (const Lattice& lattice : {Lattice{3, 4}, open}) {
    const std::vector<float> couplings = make_disorder(drawn, lattice, 1).couplings;
    const std::vector<double> exact(couplings.begin(), couplings.end());
    const std::filesystem::path file = write("J", couplings_text(exact, lattice));
    EXPECT_EQ(read_couplings_file(file, lattice).values, couplings);
    EXPECT_EQ(given_couplings(file, lattice), exact) << "a sum over the file is a sum over the couplings";
  }
}

/// 0.1 and what else single precision rounds, with the signs of antiperiodic ends; nothing is where the file says
/// nothing.
TEST_F(DisorderFiles, GivenValuesAreThoseOfTheText) {
  std::string couplings, fields;
  for (int site = 0; site < 16; ++site) {
    if (site != 5) couplings += fmt::format("{} 0 0.1\n{} 1 -0.3\n", site, site);
    fields += fmt::format("{} 0.7\n", site);
  }
  write("J", couplings);
  write("H", fields);
  const std::string text =
      "model.type = ising\nmodel.dim = 2\nmodel.L = 4\nmodel.couplings = file\nmodel.couplings_file = J\n"
      "model.boundary = antiperiodic, periodic\ndisorder.realizations = 1\nladder.temperatures = 1, 2\n";
  const Lattice lattice{2, 4};
  const std::vector<std::string> file{"model.field=file", "model.field_file=H"};
  for (const auto& [keys, H] : {std::pair{file, 0.7}, {{"model.field=constant", "model.field_strength=0.9"}, 0.9}}) {
    const Config config = load_config(write("a.cfg", text), keys);
    const Disorder disorder = make_disorder(config, lattice, 0);
    const GivenDisorder given = given_disorder(config, lattice, 0, disorder);
    ASSERT_EQ(given.couplings.size(), 32U);
    for (std::size_t i = 0; i < 32; ++i) {
      const double J = i % 2 == 1 ? -0.3 : i / 2 % 4 == 3 ? -0.1 : 0.1;
      EXPECT_EQ(given.couplings[i], i / 2 == 5 ? 0.0 : J) << i;
      EXPECT_EQ(static_cast<float>(given.couplings[i]), disorder.couplings[i]) << i;
      EXPECT_EQ(given.fields[i / 2], H) << i;
    }
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
    EXPECT_THAT(reading_couplings(text), refuses_J(InputFault::missing)) << text;
    EXPECT_THAT(reading_field(text), refuses_H(InputFault::missing)) << text;
  }
}

TEST_F(DisorderFiles, WhatIsNoTextIsNamed) {
  EXPECT_EQ(read_couplings_file(write("J",
                                      "\xEF\xBB\xBF"
                                      "0 0 2\r\n"),
                                {3, 4})
                .values[0],
            2.0F);
  EXPECT_THAT(reading_couplings("\xFF\xFE" + std::string("0\0", 2)), refuses_J(InputFault::malformed));
  EXPECT_THAT(reading_couplings("\xFE\xFF" + std::string("\0"
                                                         "0",
                                                         2)),
              refuses_J(InputFault::malformed));
  EXPECT_THAT(reading_couplings(std::string("0\0 \0", 4)), refuses_J(InputFault::malformed));
  EXPECT_THAT(reading_couplings("0 0 1\n# \x1B[2J\n"), refuses_J(InputFault::malformed));
  std::string longest(1 << 20, ' ');
  for (std::size_t i = 0; i < longest.size(); i += 2) longest[i] = '1';
  EXPECT_THAT(reading_couplings("0 0 1\n" + longest.substr(0, 1 << 19)), refuses_J(InputFault::malformed));
  EXPECT_THAT(reading_couplings(longest + longest), refuses_J(InputFault::too_large));
}

}}  // namespace glassworks
