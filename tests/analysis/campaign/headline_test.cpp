#include "analysis/campaign/headline.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/campaign/system_words.hpp"

namespace glassworks { namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string rest = "disorder.realizations = 32\nladder.T_min = 0.12\nladder.T_max = 0.6\nladder.slots = 3\n";

AnalysisResult heisenberg() {
  AnalysisResult result;
  result.config = parse_config(rest + "model.L = 4, 6\n");
  for (const int L : {4, 6}) {
    SizeResult& size = result.sizes.emplace_back();
    size.L = L;
    size.temperatures = {0.12, 0.2, 0.6};
    size.counts.total = size.counts.converged = 32;
  }
  return result;
}

TEST(Headline, SaysWhatWasSimulatedWhenAndAtWhatCost) {
  const CampaignFacts facts{.begun = "2026-11-20", .ended = "2026-11-23", .updates = 3.21e13, .seconds = 148200};
  EXPECT_EQ(
      headline(heisenberg(), facts),
      "Heisenberg model in 3D, L = 4, 6, periodic; Gaussian couplings, no field; 3 temperatures from 0.12 to 0.6; "
      "2 copies; 32 realizations of each size; 2026-11-20 to 2026-11-23; 3.2 × 10^{13} spin updates in 1 d 17 h "
      "of computing.");
}

TEST(Headline, LeavesStatesToTheVerdict) {
  AnalysisResult result = heisenberg();
  result.sizes[0].counts.reached_maximum = 3;
  result.sizes[1].counts.failed = 2;
  result.sizes[1].counts.running = 4;
  result.sizes[1].temperatures.pop_back();
  const std::string line = headline(result, {.begun = "2026-11-20", .ended = "2026-11-20"});
  EXPECT_THAT(line, HasSubstr("32 realizations of each size; 2026"));
  result.sizes[1].counts.total = 8;
  EXPECT_THAT(headline(result, {}), HasSubstr("; 32, 8 realizations."));
  EXPECT_THAT(line, HasSubstr("2 to 3 temperatures from 0.12 to 0.6"));
  EXPECT_THAT(line, HasSubstr("; 2026-11-20."));
  EXPECT_THAT(line, Not(HasSubstr("updates")));
  EXPECT_THAT(headline(result, {.begun = "", .ended = "", .updates = 999, .seconds = 0.1}),
              HasSubstr("; 999 spin updates in less than a second of computing."));
}

TEST(Headline, NamesEveryKindOfSystem) {
  const auto words = [](const std::string& text) { return system_words(parse_config(rest + "model.L = 8\n" + text)); };
  EXPECT_EQ(words("model.type = ising\nmodel.dim = 2\nmodel.couplings = bimodal\n"),
            "Ising model in 2D, L = 8, periodic; couplings ±1, no field");
  EXPECT_THAT(words("model.type = ising\nmodel.couplings = bimodal\nmodel.bimodal_p = 0.8\n"),
              HasSubstr("couplings ±1, +1 with probability 0.8"));
  EXPECT_THAT(words("model.type = potts\nmodel.q = 3\n"), HasSubstr("Potts model with q = 3 in 3D"));
  EXPECT_THAT(words("model.type = potts\nmodel.q = 3\n"), HasSubstr("ferromagnetic couplings"));
  EXPECT_THAT(words("model.type = on\nmodel.n = 2\n"), HasSubstr("XY model"));
  EXPECT_THAT(words("model.type = ising\nmodel.lattice = triangular\nmodel.dim = 2\n"),
              HasSubstr("on the triangular lattice"));
  EXPECT_THAT(words("model.boundary = periodic, periodic, open\n"), HasSubstr("open along 1 of 3 axes"));
  EXPECT_THAT(words("model.bond_dilution = 0.3\n"), HasSubstr("Gaussian couplings, 30 % of the bonds absent"));
  EXPECT_THAT(words("model.anisotropy = 0.5\n"), HasSubstr("Gaussian couplings, anisotropy D = 0.5 along random axes"));
  EXPECT_THAT(words("model.site_dilution = 0.25\n"), HasSubstr("Gaussian couplings, 25 % of the sites absent"));
  EXPECT_THAT(words("model.field = gaussian\nmodel.field_strength = 0.1\n"),
              HasSubstr("Gaussian fields of standard deviation 0.1"));
}

}}  // namespace glassworks
